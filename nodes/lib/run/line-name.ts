/** Names of fields for people: the legend of a chart, the title of a gauge, a sensor in Home Assistant. */
import { type FieldName, isFieldName } from '../../../src/model/fields';

type TextOf = (key: string, words?: Readonly<Record<string, string | number>>) => string | null;

/** An amount of energy has the name of its power. */
const sameName: Readonly<Partial<Record<FieldName, FieldName>>> = {
  energy_import_kwh: 'power_import_w',
  energy_export_kwh: 'power_export_w',
  energy_production_kwh: 'power_production_w',
  energy_house_kwh: 'power_house_w',
  energy_self_consumed_kwh: 'power_self_consumed_w',
  energy_other_kwh: 'power_other_w',
  home_energy_kwh: 'home_power_w',
};

/** `energy_import_t1_kwh`: the name of `energy_import_kwh`, with the tariff. */
const ofPart = /^(\w+)_([tl])(\d)_([a-z]+)$/;

/** @returns null for a field without a name */
export function lineName(field: string, textOf: TextOf): string | null {
  const name = textOf(`line.${field}`);
  if (name !== null || !isFieldName(field)) return name;
  const same = sameName[field];
  if (same !== undefined) return lineName(same, textOf);
  const [, start = '', part = '', number = '', unit = ''] = ofPart.exec(field) ?? [];
  const line = start === '' ? null : lineName(`${start}_${unit}`, textOf);
  return line === null ? null : textOf(`part.${part}`, { line, number });
}
