/** The preferences of the Energy dashboard, in the shape of each version. */
import type { Chroot } from '../../../scripts/home-assistant/chroots';
import { isRecord, type UnknownRecord } from '../../../src/checks/record';
import type { RealHomeAssistant } from './real-home-assistant';

/** An individual device. */
interface EnergyDevice {
  /** *Display name*. */
  readonly name: string;
  readonly energy: string;
  readonly power: string;
  /** Energy of the upstream device. */
  readonly within?: string;
}

export interface EnergySources {
  readonly grid: { readonly from: string; readonly to: string; readonly cost?: string; readonly power?: string };
  /** Production, with its power. */
  readonly solar: readonly { readonly energy: string; readonly power?: string }[];
  readonly battery?: { readonly from: string; readonly to: string; readonly power?: string };
  readonly gas?: string;
  readonly water?: string;
  readonly devices?: readonly EnergyDevice[];
}

const noPrices = { stat_cost: null, entity_energy_price: null, number_energy_price: null };
const noExportPrices = { stat_compensation: null, entity_energy_price_export: null, number_energy_price_export: null };

/** Fields of the command `energy/save_prefs`. */
export function energyPreferences(chroot: Chroot, sources: EnergySources): UnknownRecord {
  const { grid, solar, battery, gas, water, devices = [] } = sources;
  const hasPower = (power: string | undefined): object => (power === undefined ? {} : { stat_rate: power });
  return {
    energy_sources: [
      isOneConnection(chroot) ? newGrid(grid) : oldGrid(grid),
      ...solar.map(({ energy, power }) => ({
        type: 'solar',
        stat_energy_from: energy,
        config_entry_solar_forecast: null,
        ...hasPower(power),
      })),
      ...(battery === undefined
        ? []
        : [
            {
              type: 'battery',
              stat_energy_from: battery.from,
              stat_energy_to: battery.to,
              ...hasPower(battery.power),
            },
          ]),
      ...(gas === undefined ? [] : [{ type: 'gas', stat_energy_from: gas, ...noPrices }]),
      ...(water === undefined ? [] : [{ type: 'water', stat_energy_from: water, ...noPrices }]),
    ],
    device_consumption: devices.map(({ name, energy, power, within }) => ({
      name,
      stat_consumption: energy,
      stat_rate: power,
      ...(within !== undefined && { included_in_stat: within }),
    })),
  };
}

/** Since 2026.3 import and export are one connection. */
function isOneConnection({ homeAssistant }: Chroot): boolean {
  return !homeAssistant.startsWith('2026.2.');
}

function newGrid({ from, to, cost, power }: EnergySources['grid']): UnknownRecord {
  return {
    type: 'grid',
    stat_energy_from: from,
    stat_energy_to: to,
    ...noPrices,
    ...noExportPrices,
    ...(cost !== undefined && { stat_cost: cost }),
    ...(power !== undefined && { power_config: { stat_rate: power } }),
    cost_adjustment_day: 0,
  };
}

function oldGrid({ from, to, cost, power }: EnergySources['grid']): UnknownRecord {
  const prices = { entity_energy_price: null, number_energy_price: null };
  return {
    type: 'grid',
    flow_from: [{ stat_energy_from: from, stat_cost: cost ?? null, ...prices }],
    flow_to: [{ stat_energy_to: to, stat_compensation: null, ...prices }],
    ...(power !== undefined && { power: [{ stat_rate: power }] }),
    cost_adjustment_day: 0,
  };
}

/** The remarks of the settings page, of all sources and devices. */
export async function remarksOf(homeAssistant: RealHomeAssistant): Promise<unknown[]> {
  const answer = await homeAssistant.command('energy/validate');
  const parts = ['energy_sources', 'device_consumption'].map((part) => (isRecord(answer) ? answer[part] : null));
  return parts.flatMap((remarks: unknown): unknown[] => {
    if (!Array.isArray(remarks)) throw new Error(`energy/validate answered ${JSON.stringify(answer)}`);
    return remarks.flatMap((found: unknown): unknown[] => (Array.isArray(found) ? found : [found]));
  });
}
