/**
 * Totals over the tariffs. A sum is given only when every part is there: with one tariff missing it would be a smaller,
 * wrong number, which a counter that only rises would book as a reset.
 *
 * A meter with a single counter has its reading in t1 and offers no second tariff at all: there the sum is t1 alone. A
 * second tariff that is offered without a value (`[0, 0]`) leaves the sum null.
 */

export interface TariffSum {
  readonly field: string;
  readonly parts: readonly [low: string, high: string];
}

export const TARIFF_SUMS: readonly TariffSum[] = [
  'energy_import',
  'energy_export',
  'energy_net',
  'energy_production',
  'energy_own_use',
].map((energy) => ({ field: `${energy}_kwh`, parts: [`${energy}_t1_kwh`, `${energy}_t2_kwh`] }));

const SECOND_TARIFF: ReadonlySet<string> = new Set([
  't2',
  't4',
  'electric_energy_high',
  'electric_energy_import_t2',
  'electric_energy_export_t2',
]);

/** P1 ports, of which every meter has two tariffs; `emucs` is the Belgian one. */
const P1_PORT = /^(p1|emucs)(-|$)/i;

/** True where the channels of an answer, or the alias that they were asked by, speak of two tariffs. */
export function hasTwoTariffs(alias: string | undefined, channels: Iterable<string>): boolean {
  if (alias !== undefined && P1_PORT.test(alias)) return true;
  for (const channel of channels) if (SECOND_TARIFF.has(channel)) return true;
  return false;
}

export interface Difference {
  readonly field: string;
  readonly plus: string;
  readonly minus: string;
}

/** Net energy from its two directions, for meters that do not give it themselves. */
export const NET_ENERGIES: readonly Difference[] = [
  { field: 'energy_net_kwh', plus: 'energy_import_kwh', minus: 'energy_export_kwh' },
  { field: 'energy_net_kwh', plus: 'energy_production_kwh', minus: 'energy_own_use_kwh' },
];
