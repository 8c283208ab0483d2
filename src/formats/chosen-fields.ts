/** The fields that a user chose for a format (`docs/nodes/cemm-format.md`). */
import { type DataPoint, dataPointName, type DataPoints } from './data-points';

/** Names of fields; null: the default fields of the format. */
export type ChosenFields = ReadonlySet<string> | null;

/** A list such as `power_import_w, gas_m3`. A value of a webhook window starts with its topic: `this_day_energy_import_kwh`. */
export function readFieldList(list: string): ChosenFields {
  const names = list.split(/[\s,;]+/).filter((name) => name !== '');
  return names.length === 0 ? null : new Set(names);
}

export function isChosen(chosen: ChosenFields, point: DataPoint): boolean {
  return chosen === null || chosen.has(dataPointName(point));
}

/** The payload without the values of other fields. */
export function onlyChosen(dataPoints: DataPoints, chosen: ChosenFields): DataPoints {
  if (chosen === null) return dataPoints;
  return { ...dataPoints, all: dataPoints.all.filter((point) => isChosen(chosen, point)) };
}
