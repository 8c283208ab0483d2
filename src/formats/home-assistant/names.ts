/**
 * Names of sensors in the language of Node-RED, and entity ids (`sensor.cemm_basic_p1_gas`). Ids are the same in every language,
 * so that dashboards and automations can be shared; Home Assistant uses them when it sees a sensor for the first time.
 */
import type { FieldNames } from '../chart-names';
import { type FieldKind, type FieldName, findFieldKind, withoutUnit } from '../../model/fields';
import { type DataPoint, dataPointName } from '../data-points';

type Field = Pick<DataPoint, 'field' | 'topic'>;

/** Default words besides the names of fields. */
const english = {
  house: 'house',
  today: 'today',
  fetch: 'Read now',
  last_contact: 'Last contact',
  delay_ms: 'Delay',
} as const;

export interface HaNames {
  /** Such as `power import`, without a unit, because Home Assistant shows the unit with the value. */
  ofField(field: Field): string;
  word(word: keyof typeof english): string;
}

/** The word for a kind: import, export and others are powers, energies and costs with the same name. */
const quantities: Readonly<Record<FieldKind, 'power_w' | 'energy' | 'cost' | null>> = {
  power: 'power_w',
  energy: 'energy',
  net_energy: null,
  gas: null,
  water: null,
  volume: null,
  volume_reading: null,
  flow: null,
  voltage: null,
  current: null,
  price: null,
  tariff: null,
  raw: null,
  share: null,
  cost: 'cost',
};

/** The name already contains the kind. */
const fullNames: ReadonlySet<string> = new Set<FieldName>([
  'power_w',
  'peak_power_w',
  'peak_expected_w',
  'cost',
  'cost_export_fee',
  'cost_fixed',
  'cost_peak',
  'cost_netted',
]);

/** Field → field with the same name. */
const namesakes: ReadonlyMap<string, FieldName> = new Map<FieldName, FieldName>([
  ['cost_import', 'energy_import_kwh'],
  ['cost_export', 'energy_export_kwh'],
  ['cost_gas', 'gas_m3'],
  ['cost_water', 'water_m3'],
]);

/**
 * @param names of fields, and of the words above
 * @param language BCP 47 tag
 */
export function createHaNames(names: FieldNames, language: string): HaNames {
  // This text follows the name of the meter. German nouns begin with a capital letter.
  const inside = (text: string): string =>
    language.startsWith('de') ? text : text.charAt(0).toLowerCase() + text.slice(1);
  return {
    ofField(point) {
      const { field, topic } = point;
      const name = names(namesakes.get(field) ?? field);
      if (name === null) return wordsOf(dataPointName(point));
      const kind = fullNames.has(field) ? null : findFieldKind(field);
      const quantity = kind === null ? null : quantities[kind];
      const words = [quantity === null ? null : names(quantity), name].flatMap((word) => word ?? []);
      return words.map(inside).join(' ') + (topic === null ? '' : ` (${topic})`);
    },
    word: (word) => names(word) ?? english[word],
  };
}

/** `power_import_w` → `power import`. */
function wordsOf(name: string): string {
  return withoutUnit(name).replaceAll('_', ' ');
}

/** @param parts device, meter and field, without the unit of a field */
export function entityId(platform: 'sensor' | 'button', ...parts: readonly string[]): string {
  const names = parts.map((part) => slug(part.slice(0, 60))).filter((part) => part !== '');
  return `${platform}.${names.join('_')}`;
}

/** The field in an entity id. Volume and flow of gas have different ids. */
export function entityField(field: Field): string {
  const name = dataPointName(field);
  return field.field === 'gas_lpm' ? `${withoutUnit(name)}_flow` : withoutUnit(name);
}

/** Home Assistant allows lower-case letters, digits and single underscores between them. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}
