/**
 * Format `influx`: points for the node `influx batch` of node-red-contrib-influxdb 0.7.0. Measurement, tags and time identify a
 * point in InfluxDB and do not depend on the request, so writing a reading twice has no effect. The node writes numbers without
 * the suffix `i`, so integers are stored as floats, too. Null values are left out, because InfluxDB rejects a batch with a null.
 */
import { getOrSet } from '../checks/get-or-set';
import { topicOf } from '../model/identity';
import type { Payload } from '../model/payload';
import { type ChosenFields, onlyChosen } from './chosen-fields';
import { everyDataPointsOf, requiredOrigin, type DataPoint, type DataPoints } from './data-points';
import type { Formatted } from './formatted';

export interface InfluxPoint {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, number>>;
  /** A Date, because the meaning of a number depends on the precision set in the node. */
  readonly timestamp: Date;
}

/**
 * One message with all points; none if no value is known.
 * @throws {CemmError} as everyDataPointsOf and requiredOrigin
 */
export function influxOf(payload: Payload, fields: ChosenFields): Formatted<readonly InfluxPoint[]>[] {
  const all = everyDataPointsOf(payload);
  const monitor = requiredOrigin(all[0]);
  const points = all.flatMap((some) => pointsOf(onlyChosen(some, fields), monitor));
  return points.length === 0 ? [] : [{ topic: topicOf(payload), payload: points }];
}

/** All fields of a meter at one moment form one point. */
function pointsOf(dataPoints: DataPoints, monitor: string): InfluxPoint[] {
  const groups = new Map<string, { readonly first: DataPoint; readonly fields: Map<string, number> }>();
  for (const point of dataPoints.all) {
    if (point.value === null) continue;
    const key = JSON.stringify([point.ts, point.meter, point.topic]);
    const group = getOrSet(groups, key, () => ({ first: point, fields: new Map() }));
    group.fields.set(fieldKey(point.field), point.value);
  }
  return [...groups.values()].map(({ first, fields }) => ({
    measurement: `cemm_${first.topic === null ? dataPoints.about : 'window'}`,
    tags: tagsOf(monitor, dataPoints, first),
    fields: Object.fromEntries(fields),
    timestamp: new Date(first.ts),
  }));
}

function tagsOf(monitor: string, { step }: DataPoints, { meter, topic }: DataPoint): Record<string, string> {
  const tags = Object.entries({ monitor, meter, step, topic });
  return Object.fromEntries(tags.flatMap(([name, value]) => (value ? [[name, lineSafe(value)]] : [])));
}

/**
 * InfluxDB has one name for a column: `time` is reserved, and a field with the name of a tag hides that tag from the conditions of
 * every query, those about other houses too.
 */
const columnNames: ReadonlySet<string> = new Set(['time', 'monitor', 'meter', 'step', 'topic']);

/** The databases refuse a line with an empty name, and with it the other fields of the meter. */
function fieldKey(field: string): string {
  return columnNames.has(field) ? `${field}_value` : lineSafe(field) || '_';
}

/** The node escapes spaces and commas, but not line breaks and backslashes, which would start another line or tag. */
function lineSafe(text: string): string {
  return text.replace(/[\p{Cc}\\]/gu, '_');
}
