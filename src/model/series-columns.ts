/** Columns of a series: one number per slot and field, NaN where there is none. */
import { derivedPowers } from './derived-power';
import type { Field } from './fields';
import type { Role } from './payload';
import { TARIFF_SUMS } from './sums';

export interface Column {
  readonly field: Field;
  readonly values: Float64Array;
}

/** Appends the derived powers and the sums over tariffs. A sum with a part missing is NaN, for NaN + anything is NaN. */
export function addDerivedColumns(columns: Column[], role: Role | null): void {
  const find = (name: string): Column | undefined => columns.find(({ field }) => field.name === name);
  const power = find('power_w');
  for (const { field, from } of power === undefined ? [] : derivedPowers(role)) {
    if (power === undefined || find(field)) continue;
    columns.push({ field: { ...power.field, name: field }, values: power.values.map(keepingNaN(from)) });
  }
  for (const { field, parts } of TARIFF_SUMS) {
    const [low, high] = [find(parts[0]), find(parts[1])];
    const any = low ?? high;
    if (any === undefined || find(field)) continue;
    columns.push({ field: sumField(field, any, high ?? any), values: added(low, high, any.values.length) });
  }
}

function keepingNaN(from: (value: number) => number): (value: number) => number {
  return (value) => (Number.isNaN(value) ? NaN : from(value));
}

function sumField(name: string, { field }: Column, other: Column): Field {
  const said = other.field.unitSource === 'assumed' ? other.field : field;
  return { ...said, name };
}

function added(low: Column | undefined, high: Column | undefined, length: number): Float64Array {
  if (low === undefined || high === undefined) return new Float64Array(length).fill(NaN);
  return low.values.map((value, slot) => value + (high.values[slot] ?? NaN));
}
