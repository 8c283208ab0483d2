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

/** One message with all points; none where there is no value at all. @throws as factsOf and requiredOrigin */
export function influxOf(payload: Payload): Formatted[] {
  const facts = dataPointsOf(payload);
  const points = pointsOf(facts, requiredOrigin(facts));
  return points.length === 0 ? [] : [{ topic: topicOf(payload), payload: points }];
}

/** All fields of a meter at one moment are one point. */
function pointsOf(facts: DataPoints, monitor: string): InfluxPoint[] {
  const points = new Map<string, { readonly fact: DataPoint; readonly fields: Map<string, number> }>();
  for (const fact of facts.all) {
    if (fact.value === null) continue;
    const key = JSON.stringify([fact.ts, fact.meter, fact.topic]);
    const point = points.get(key) ?? { fact, fields: new Map<string, number>() };
    point.fields.set(fieldKey(fact.field), fact.value);
    points.set(key, point);
  }
  return [...points.values()].map(({ fact, fields }) => ({
    measurement: MEASUREMENTS[fact.topic === null ? facts.about : 'window'],
    tags: tagsOf(monitor, facts, fact),
    fields: Object.fromEntries(fields),
    timestamp: new Date(fact.ts),
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
