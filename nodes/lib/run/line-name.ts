/** Names of fields for people: the legend of a chart, the title of a gauge, a sensor in Home Assistant. */
import { type FieldName, isFieldName } from '../../../src/model/fields';

type TextOf = (key: string, words?: Readonly<Record<string, string | number>>) => string | null;

/** An amount of energy has the name of its power. */
const sameName = {
  energy_import_kwh: 'power_import_w',
  energy_export_kwh: 'power_export_w',
  energy_production_kwh: 'power_production_w',
  energy_house_kwh: 'power_house_w',
  energy_self_consumed_kwh: 'power_self_consumed_w',
  energy_other_kwh: 'power_other_w',
  home_energy_kwh: 'home_power_w',
} as const satisfies Readonly<Partial<Record<FieldName, FieldName>>>;

/** `energy_import_t1_kwh`: the name of `energy_import_kwh`, with the tariff. */
const ofPart = /^(\w+)_([tl])(\d)_([a-z]+)$/;

/** The field whose name a field has. */
export type NamedAs<Field extends string> = Field extends keyof typeof sameName
  ? (typeof sameName)[Field]
  : Field extends `${infer Start}_${'t' | 'l'}${1 | 2 | 3}_${infer Unit}`
    ? NamedAs<`${Start}_${Unit}`>
    : Field;

/** @returns null for a field without a name */
export function lineName(field: string, textOf: TextOf): string | null {
  const name = textOf(`line.${field}`);
  if (name !== null || !isFieldName(field)) return name;
  const same: Readonly<Partial<Record<FieldName, FieldName>>> = sameName;
  if (same[field] !== undefined) return lineName(same[field], textOf);
  const [, start = '', part = '', number = '', unit = ''] = ofPart.exec(field) ?? [];
  const line = start === '' ? null : lineName(`${start}_${unit}`, textOf);
  return line === null ? null : textOf(`part.${part}`, { line, number });
}
