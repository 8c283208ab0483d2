/** Columns of a series: one number per slot and field, NaN where there is none. */
import { derivedFrom, derivedPowers, type DerivedPower } from './derived-power';
import type { Field } from './fields';
import type { Role } from './payload';
import { TARIFF_SUMS } from './sums';

export interface Column {
  readonly field: Field;
  readonly values: Float64Array;
}

/**
 * Appends the derived powers and the sums over tariffs. A sum with a part missing is NaN, for NaN + anything is NaN; of a
 * single counter it is the low tariff alone (sums.ts).
 */
export function addDerivedColumns(columns: Column[], role: Role | null, isSingleCounter: boolean): void {
  const find = (name: string): Column | undefined => columns.find(({ field }) => field.name === name);
  const power = find('power_w');
  for (const derived of power === undefined ? [] : derivedPowers(role)) {
    if (power === undefined || find(derived.field)) continue;
    columns.push({ field: { ...power.field, name: derived.field }, values: computed(power.values, derived) });
  }
  for (const { field, parts } of TARIFF_SUMS) {
    const [low, high] = [find(parts[0]), find(parts[1])];
    const any = low ?? high;
    if (any === undefined || find(field)) continue;
    const values = isSingleCounter && low !== undefined ? low.values.slice() : added(low, high, any.values.length);
    columns.push({ field: sumField(field, any, high ?? any), values });
  }
}

// Plain loops: Float64Array.prototype.map takes several times as long.
function computed(values: Float64Array, derived: DerivedPower): Float64Array {
  const result = new Float64Array(values.length);
  for (let slot = 0; slot < values.length; slot += 1) result[slot] = derivedFrom(values[slot] ?? NaN, derived);
  return result;
}

function sumField(name: string, { field }: Column, other: Column): Field {
  const said = other.field.unitSource === 'assumed' ? other.field : field;
  return { ...said, name };
}

function added(low: Column | undefined, high: Column | undefined, length: number): Float64Array {
  const sum = new Float64Array(length).fill(NaN);
  if (low === undefined || high === undefined) return sum;
  for (let slot = 0; slot < length; slot += 1) sum[slot] = (low.values[slot] ?? NaN) + (high.values[slot] ?? NaN);
  return sum;
}
