/**
 * What the sensors are called. A person reads the name, in the language of Node-RED. The entity id (`sensor.cemm_basic_p1_gas`)
 * is the same in every language, so that dashboards and automations can be passed on; Home Assistant uses it when it sees a
 * sensor for the first time.
 */
import type { FieldNames } from '../chart-names';
import { type DataPoint, dataPointName } from '../data-points';

type Field = Pick<DataPoint, 'field' | 'topic'>;

/** Words beside the names of fields, where no other language is given. */
const english = {
  house: 'house',
  today: 'today',
  fetch: 'Read now',
  last_contact: 'Last contact',
  delay_ms: 'Delay',
} as const;

export interface HaNames {
  /** Such as `power import`: Home Assistant shows the unit beside the value. */
  ofField(field: Field): string;
  word(word: keyof typeof english): string;
}

/** Import, export and others are powers, energies and costs with the same name. */
const quantities: readonly (readonly [RegExp, string])[] = [
  [/^(home_power|power_\w+)_w$/, 'power_w'],
  [/^(home_energy|energy_(?!net_)\w+)_kwh$/, 'energy'],
  [/^cost_(?!fixed|netted)/, 'cost'],
];

/** The field with the same name. */
function namesake(field: string): string {
  return field.replace(/^cost_(import|export)$/, 'energy_$1_kwh').replace(/^cost_(gas|water)$/, '$1_m3');
}

/**
 * @param names of fields, and of the words above
 * @param language a tag of BCP 47
 */
export function createHaNames(names: FieldNames, language: string): HaNames {
  // After the name of the meter. German writes nouns with a capital letter.
  const inside = (text: string): string =>
    language.startsWith('de') ? text : text.charAt(0).toLowerCase() + text.slice(1);
  return {
    ofField(point) {
      const { field, topic } = point;
      const name = names(namesake(field));
      if (name === null) return wordsOf(dataPointName(point));
      const quantity = quantities.find(([pattern]) => pattern.test(field))?.[1];
      const words = [quantity === undefined ? null : names(quantity), name].flatMap((word) => word ?? []);
      return words.map(inside).join(' ') + (topic === null ? '' : ` (${topic})`);
    },
    word: (word) => names(word) ?? english[word],
  };
}

/** `power_import_w` → `power import`. */
function wordsOf(name: string): string {
  return name.replace(/_(w|kwh|m3|lpm|v)$/, '').replaceAll('_', ' ');
}

/** @param parts device, meter and field; the unit of a field is left out */
export function entityId(platform: 'sensor' | 'button', ...parts: readonly string[]): string {
  const names = parts.map((part) => slug(part.slice(0, 60))).filter((part) => part !== '');
  return `${platform}.${names.join('_')}`;
}

/** The field in an entity id. The volume and the flow of gas stay different. */
export function entityField(field: Field): string {
  return dataPointName(field)
    .replace(/(?<!flow)_lpm$/, '_flow')
    .replace(/_(w|kwh|m3|lpm|v)$/, '');
}

/** Home Assistant takes small letters, digits and single underscores, none of them at an end. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
