/** The meters and channels as the public API of a CEMM 3.0 lists them (vendor-facts 3), and how a question names one. */
import { meters, type Channel } from './webhook-channels';

export interface ListedChannel {
  readonly id: number;
  readonly key: string;
  readonly label: string;
  readonly unit: string;
  readonly aggregation_method: string;
}

export interface ListedMeter {
  readonly id: number;
  readonly key: string;
  readonly label: string;
  readonly type: string;
  readonly role: string | null;
  readonly channels: readonly ListedChannel[];
}

/** What the monitor calls its channels, in the language of its user. */
const labels: Readonly<Record<string, string>> = {
  electric_power_import: 'Vermogen afname',
  electric_power_export: 'Vermogen teruglevering',
  electric_energy_import: 'Energie afname',
  electric_energy_export: 'Energie teruglevering',
  electric_energy_import_t1: 'Energie afname laag',
  electric_energy_import_t2: 'Energie afname normaal',
  electric_energy_export_t1: 'Energie teruglevering laag',
  electric_energy_export_t2: 'Energie teruglevering normaal',
  electric_power_l1: 'Vermogen fase 1',
  electric_energy_import_l1: 'Energie afname fase 1',
  electric_energy_export_l1: 'Energie teruglevering fase 1',
  voltage: 'Spanning',
  tariff_import_low: 'Tarief afname laag',
  tariff_import_high: 'Tarief afname normaal',
  tariff_export_low: 'Tarief teruglevering laag',
  tariff_export_high: 'Tarief teruglevering normaal',
  electric_usage_power: 'Verbruik vermogen',
  electric_usage_energy: 'Verbruik energie',
  volume: 'Volume',
  flow: 'Debiet',
};

const all = meters.flatMap((meter) => meter.channels.map((channel) => ({ meter, channel })));

/** Meters are numbered from 1, and channels from 1 through all meters, so that a number alone names one. */
export function listedMeters(): readonly ListedMeter[] {
  return meters.map(({ key, label, type, role, channels }, index) => ({
    id: index + 1,
    key,
    label,
    type,
    role,
    channels: channels.map((channel) => ({
      id: all.findIndex((entry) => entry.channel === channel) + 1,
      key: channel.key,
      label: labels[channel.key] ?? channel.key,
      unit: channel.unit,
      aggregation_method: channel.class,
    })),
  }));
}

/** `<meter key>:<channel key>`, or the number of a channel. */
export function findChannel(name: string): Channel | undefined {
  if (/^\d{1,4}$/.test(name)) return all[Number(name) - 1]?.channel;
  return all.find(({ meter, channel }) => `${meter.key}:${channel.key}` === name)?.channel;
}
