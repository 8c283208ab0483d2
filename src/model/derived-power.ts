/** What follows from the one signed power, by role (contract.md, table of fields). */
import type { Role } from './payload';

export interface DerivedPower {
  readonly field: string;
  /** NaN gives NaN, and nothing gives -0. */
  readonly from: (power: number) => number;
}

const AT_THE_GRID: readonly DerivedPower[] = [
  { field: 'power_import_w', from: (power) => Math.max(power, 0) },
  { field: 'power_export_w', from: (power) => Math.max(-power, 0) },
];

/** Not re-signed: at night an inverter's own use shows as a negative production. */
const AT_THE_INVERTER: readonly DerivedPower[] = [{ field: 'power_production_w', from: (power) => power }];

/** The fields beside `power_w`. In a series they are of each slot's average. */
export function derivedPowers(role: Role | null): readonly DerivedPower[] {
  return role === 'grid' ? AT_THE_GRID : role === 'production' ? AT_THE_INVERTER : [];
}
