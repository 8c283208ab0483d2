/** The fields that are computed from others: sums of tariffs, net energy, and the powers of a direction. */
import type { FieldName } from './fields';
import type { Role } from './payload';

interface TariffSum {
  readonly field: FieldName;
  readonly parts: readonly [low: FieldName, high: FieldName];
}

/**
 * Sums of the two tariffs. A sum has a value only if both parts have one: with one tariff missing it would be too small, and
 * a database of counters would take it for a reset.
 *
 * A meter with a single counter has its reading in t1 and no second tariff, so its sum is t1. A second tariff without a value
 * (`[0, 0]`) makes the sum null.
 */
export const tariffSums: readonly TariffSum[] = (
  ['import', 'export', 'net', 'production', 'own_use', 'battery_charged', 'battery_discharged'] as const
).map((part) => ({ field: `energy_${part}_kwh`, parts: [`energy_${part}_t1_kwh`, `energy_${part}_t2_kwh`] }));

const secondTariffChannels: ReadonlySet<string> = new Set([
  't2',
  't4',
  'electric_energy_high',
  'electric_energy_import_t2',
  'electric_energy_export_t2',
]);

/** P1 ports: every meter on one has two tariffs. `emucs` is the Belgian P1 port. */
const p1Alias = /^(p1|emucs)(-|$)/i;

/** True if the alias or a channel of the response shows that the meter has two tariffs. */
export function hasTwoTariffs(alias: string | undefined, channels: Iterable<string>): boolean {
  if (alias !== undefined && p1Alias.test(alias)) return true;
  for (const channel of channels) if (secondTariffChannels.has(channel)) return true;
  return false;
}

interface Difference {
  readonly field: FieldName;
  readonly plus: FieldName;
  readonly minus: FieldName;
}

/** Net energy, for meters that do not send it. */
export const netEnergies: readonly Difference[] = [
  { field: 'energy_net_kwh', plus: 'energy_import_kwh', minus: 'energy_export_kwh' },
  { field: 'energy_net_kwh', plus: 'energy_production_kwh', minus: 'energy_own_use_kwh' },
  { field: 'energy_net_kwh', plus: 'energy_battery_charged_kwh', minus: 'energy_battery_discharged_kwh' },
];

/** A field computed from `power_w`. */
export interface DerivedPower {
  readonly field: FieldName;
  /** -1 for power in the opposite direction of `power_w`. */
  readonly sign: 1 | -1;
  readonly floor: number;
}

const gridPowers: readonly DerivedPower[] = [
  { field: 'power_import_w', sign: 1, floor: 0 },
  { field: 'power_export_w', sign: -1, floor: 0 },
];

/** Without a lower bound: at night, the own use of an inverter is a negative production. */
const inverterPowers: readonly DerivedPower[] = [{ field: 'power_production_w', sign: 1, floor: -Infinity }];

/** The meter of a battery counts what it takes as import. */
const batteryPowers: readonly DerivedPower[] = [{ field: 'power_battery_w', sign: -1, floor: -Infinity }];

/** NaN for NaN; never -0. */
export function derivedFrom(power: number, { sign, floor }: DerivedPower): number {
  return Math.max(sign * power, floor) + 0;
}

/** The fields of a role that are computed from `power_w`; in a series, from the average of each slot. */
export function derivedPowers(role: Role | null): readonly DerivedPower[] {
  if (role === 'grid') return gridPowers;
  if (role === 'production') return inverterPowers;
  return role === 'battery' ? batteryPowers : [];
}
