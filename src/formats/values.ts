/** Format `values`: an object with one property per field, for gauges, switches and templates. */
import { getOrSet } from '../checks/get-or-set';
import { CemmError } from '../errors';
import { meterName, meterTopic, topicOf } from '../model/identity';
import type { BalancePayload, Payload } from '../model/payload';
import { type ChosenFields, isChosen, onlyChosen } from './chosen-fields';
import { dataPointName, dataPointsOf, sumsOfHouse } from './data-points';
import type { Formatted } from './formatted';

/** Field → value; of availability `{ online }`. */
export type PlainValues = Readonly<Record<string, number | boolean | null>>;

/**
 * One message per meter, because a delivery can have several. A missing value is null. Availability is `{ online: true }`, a
 * rejected or missed delivery `{ problem_missed: 1 }`. A balance has the sums of the period, with cost and peak.
 * @throws {CemmError} as dataPointsOf; UNSUPPORTED: `many_points` for a series
 */
export function formatValues(payload: Payload, fields: ChosenFields): Formatted<PlainValues>[] {
  if (payload.kind === 'balance') return valuesOfHouse(payload, fields);
  const { about, all } = onlyChosen(dataPointsOf(payload), fields);
  if (about === 'series') throw new CemmError('UNSUPPORTED', { reason: 'many_points' });
  if (payload.kind === 'availability') {
    return all.map(() => ({ topic: topicOf(payload), payload: { online: payload.state === 'online' } }));
  }
  const meters = new Map<string | null, Map<string, number | null>>();
  // A meter without channels has a message without fields; one without the chosen fields has none.
  if (fields === null && (payload.kind === 'realtime' || payload.kind === 'totals'))
    meters.set(meterName(payload.meter), new Map());
  for (const point of all) getOrSet(meters, point.meter, () => new Map()).set(dataPointName(point), point.value);
  return [...meters].map(([meter, values]) => ({
    topic: meter === null ? topicOf(payload) : meterTopic(payload, meter, payload.kind),
    payload: Object.fromEntries(values),
  }));
}

function valuesOfHouse(payload: BalancePayload, fields: ChosenFields): Formatted<PlainValues>[] {
  // Devices have the same field names.
  const sums = sumsOfHouse(payload).all.filter((point) => point.meter === null && isChosen(fields, point));
  if (sums.length === 0 && fields !== null) return [];
  return [{ topic: topicOf(payload), payload: Object.fromEntries(sums.map(({ field, value }) => [field, value])) }];
}
