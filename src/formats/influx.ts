/**
 * Format `influx`: what the node `influx batch` of node-red-contrib-influxdb takes (read from its 0.7.0). A point is known
 * to InfluxDB by measurement, tags and time, so these hold nothing that differs when the same reading is fetched again:
 * writing it twice changes nothing.
 *
 * Both clients behind that node write a JavaScript number without the suffix `i`, which InfluxDB stores as a float, also
 * where it is whole. A null would be refused with the whole batch, so it is left out.
 */
import { topicOf } from '../model/identity';
import type { Payload } from '../model/payload';
import { dataPointsOf, requiredOrigin, type DataPoint, type DataPoints } from './data-points';
import type { Formatted } from './formatter';

export interface InfluxPoint {
  readonly measurement: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, number>>;
  /** A Date, because a number means another moment with every precision that is set in the node. */
  readonly timestamp: Date;
}

const MEASUREMENTS: Readonly<Record<DataPoints['about'] | 'window', string>> = {
  reading: 'cemm_reading',
  series: 'cemm_series',
  window: 'cemm_window',
  availability: 'cemm_availability',
  problem: 'cemm_problem',
};

/** One message with all points; none where there is no value at all. @throws as dataPointsOf and requiredOrigin */
export function influxOf(payload: Payload): Formatted[] {
  const dataPoints = dataPointsOf(payload);
  const points = pointsOf(dataPoints, requiredOrigin(dataPoints));
  return points.length === 0 ? [] : [{ topic: topicOf(payload), payload: points }];
}

/** All fields of a meter at one moment are one point. */
function pointsOf(dataPoints: DataPoints, monitor: string): InfluxPoint[] {
  const groups = new Map<string, { readonly first: DataPoint; readonly fields: Map<string, number> }>();
  for (const point of dataPoints.all) {
    if (point.value === null) continue;
    const key = JSON.stringify([point.ts, point.meter, point.topic]);
    const group = groups.get(key) ?? { first: point, fields: new Map<string, number>() };
    group.fields.set(fieldKey(point.field), point.value);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ first, fields }) => ({
    measurement: MEASUREMENTS[first.topic === null ? dataPoints.about : 'window'],
    tags: tagsOf(monitor, dataPoints, first),
    fields: Object.fromEntries(fields),
    timestamp: new Date(first.ts),
  }));
}

function tagsOf(monitor: string, { step }: DataPoints, { meter, topic }: DataPoint): Record<string, string> {
  const tags = Object.entries({ monitor, meter, step, topic });
  return Object.fromEntries(tags.flatMap(([name, value]) => (value ? [[name, lineSafe(value)]] : [])));
}

/** InfluxDB keeps `time` to itself. */
function fieldKey(field: string): string {
  return field === 'time' ? 'time_value' : lineSafe(field);
}

/** The clients escape blanks and commas, but a line end or a backslash at the end would begin another line or tag. */
function lineSafe(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f\\]/g, '_');
}
