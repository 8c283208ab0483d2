/**
 * The field of a channel whose unit the monitor itself tells. A field's name carries a unit (`power_import_w`), so the
 * name of the table holds only where the monitor means the same unit; otherwise the channel keeps its own name.
 */
import { fieldOf, ownName, type Field, type FieldContext } from './fields';
import type { FieldInfo, Role } from './payload';

/** @param unit as the monitor spells it; null where it tells none: then the table decides alone */
export function fieldWithUnit(channel: string, role: Role | null, context: FieldContext, unit: string | null): Field {
  const field = fieldOf(channel, role, context);
  if (unit === null) return field;
  if (field.unit !== null && isSameUnit(field.unit, unit)) {
    // `currency/kWh` says less than `EUR/kWh`; for the rest there is one spelling per unit.
    return { ...field, unit: field.unit.startsWith('currency/') ? unit : field.unit, unitSource: 'monitor' };
  }
  const name = field.unit === null ? field.name : ownName(channel);
  return { ...field, name, unit, semantics: semanticsOf(unit) ?? field.semantics, unitSource: 'monitor' };
}

/**
 * What one point of a channel says, from how the monitor aggregates it: a mean (`AVG`), else an amount, which the unit
 * tells (energy, volume), or a quantity of the moment (power, flow, voltage), whose points are means as well.
 */
export function seriesField(
  channel: string,
  role: Role | null,
  unit: string | null,
  aggregation: string | null,
): Field {
  // Days, because that context holds what is neither a single reading nor a flow per minute.
  const field = fieldWithUnit(channel, role, 'P1D', unit);
  if (aggregation === 'AVG') return { ...field, semantics: 'average', semanticsSource: 'monitor' };
  return { ...field, semantics: semanticsOf(field.unit ?? '') ?? field.semantics };
}

const kinds: readonly (readonly [RegExp, FieldInfo['semantics']])[] = [
  [/^[kmg]?wh$/, 'energy'],
  [/^(m3|l|dm3)$/, 'volume'],
  [/^([km]?w|k?va|m?v|m?a|hz|°c|l\/min|l\/h|m3\/h)$/, 'average'],
];

function semanticsOf(unit: string): FieldInfo['semantics'] | null {
  const plain = plainUnit(unit);
  return kinds.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}

function isSameUnit(table: string, said: string): boolean {
  const [, per] = /^currency(\/.+)$/.exec(table) ?? [];
  return per === undefined ? plainUnit(table) === plainUnit(said) : plainUnit(said).endsWith(plainUnit(per));
}

/** `m³` and `m3`, `L/min` and `l/min` are one unit each. */
function plainUnit(unit: string): string {
  return unit.trim().toLowerCase().replace('³', '3').replace(/\s/g, '');
}
