/** The name of a line of a chart, such as `Import` or `s01 Production`. */
import type { Role } from '../model/payload';
import { type DataPoint, dataPointName } from './data-points';

/** The readable name of a field in the user's language; null for a field without one. */
export type FieldNames = (field: string) => string | null;

/** The smart meter and the meters behind it. A house has one of each, so its lines need no meter name. */
const smartMeter = /^(p1|emucs|dlms|han|(smartmeter-)?dsmr)(-(gas|water))?$/i;

/** Replaces the name of a field on a meter of this role, unless the payload also has the field with that name. */
const namesakes: Partial<Record<Role, ReadonlyMap<string, string>>> = {
  production: new Map([
    ['power_w', 'power_production_w'],
    ['energy_net_kwh', 'energy_production_kwh'],
  ]),
  consumption: new Map([
    ['power_w', 'home_power_w'],
    ['energy_net_kwh', 'home_energy_kwh'],
  ]),
};

/**
 * Names for the lines of one payload. Two fields with the same name (power and energy of the import) get their unit.
 * @param fields all fields of the chart
 * @param titles names of meters; a meter with a name has it in the name of its lines
 */
export function lineNames(
  names: FieldNames,
  role: Role | null,
  fields: ReadonlySet<string>,
  titles: ReadonlyMap<string, string> = new Map(),
): (point: DataPoint) => string {
  const known = new Map<string, string | null>();
  const nameIn = (field: string): string | null => {
    const name = known.has(field) ? (known.get(field) ?? null) : names(field);
    known.set(field, name);
    return name;
  };
  const wordOf = (field: string): string => {
    const namesake = role === null ? undefined : namesakes[role]?.get(field);
    return nameIn(namesake === undefined || fields.has(namesake) ? field : namesake) ?? field;
  };
  const words = [...fields].map(wordOf);
  const isShared = (word: string): boolean => words.filter((other) => other === word).length > 1;

  return (point) => {
    const { field, topic, unit, meter } = point;
    const name = nameIn(field) === null ? dataPointName(point) : nameOf(field, topic, unit);
    const title = meter === null ? undefined : titles.get(meter);
    if (title !== undefined) return `${title} ${name}`;
    return meter === null || (smartMeter.test(meter) && nameIn(field) !== null) ? name : `${meter} ${name}`;
  };

  function nameOf(field: string, topic: string | null, unit: string | null): string {
    const word = wordOf(field);
    const named = isShared(word) && unit !== null ? `${word} (${unit})` : word;
    return topic === null ? named : `${named} (${topic})`;
  }
}
