/** What follows from the one signed power, by role (contract.md, table of fields). */
import type { Role } from './payload';

export interface DerivedPower {
  readonly field: string;
  /** 1, or -1 for the power that runs the other way. */
  readonly sign: 1 | -1;
  /** The least it can be. */
  readonly floor: number;
}

const AT_THE_GRID: readonly DerivedPower[] = [
  { field: 'power_import_w', sign: 1, floor: 0 },
  { field: 'power_export_w', sign: -1, floor: 0 },
];

/** Not re-signed: at night an inverter's own use shows as a negative production. */
const AT_THE_INVERTER: readonly DerivedPower[] = [{ field: 'power_production_w', sign: 1, floor: -Infinity }];

/** NaN gives NaN, and a floor of 0 never gives -0. */
export function derivedFrom(power: number, { sign, floor }: DerivedPower): number {
  return Math.max(sign * power, floor);
}

/** The fields beside `power_w`. In a series they are of each slot's average. */
export function derivedPowers(role: Role | null): readonly DerivedPower[] {
  return role === 'grid' ? AT_THE_GRID : role === 'production' ? AT_THE_INVERTER : [];
}
