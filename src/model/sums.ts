/**
 * Totals over the tariffs. A sum is given only when every part is there: with one tariff missing it would be a smaller,
 * wrong number, which a counter that only rises would book as a reset (peers.md B.6).
 *
 * That holds for a meter with a single counter too. Its reading stands in t1, and t2 is either `[0, 0]` or not there at
 * all; neither can be told from a second tariff that is missing for the moment, so the sum stays null and the reading is
 * found in the t1 field.
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
