/** Format `values`: an object with one property per field, for gauges, switches and templates. */
import { meterName, meterTopic, topicOf } from '../model/identity';
import type { BalancePayload, Payload } from '../model/payload';
import { sumsOfHouse } from './balance-data-points';
import { dataPointName, dataPointsOf } from './data-points';
import { FormatError, type Formatted } from './formatter';

/**
 * One message per meter, because a delivery can have several. A missing value is null. Availability is `{ online: true }`, a
 * rejected or missed delivery `{ problem_missed: 1 }`. Of a balance the sums of the period, with cost and peak.
 * @throws {FormatError} as dataPointsOf; UNSUPPORTED: `many_points` for a series
 */
export function valuesOf(payload: Payload): Formatted[] {
  if (payload.kind === 'balance') return [{ topic: topicOf(payload), payload: valuesOfHouse(payload) }];
  const { about, all } = dataPointsOf(payload);
  if (about === 'series') throw FormatError.unsupported('many_points');
  if (payload.kind === 'availability') {
    return [{ topic: topicOf(payload), payload: { online: payload.state === 'online' } }];
  }
  const meters = new Map<string | null, Map<string, number | null>>();
  // A meter without channels has a message without fields.
  if (payload.kind === 'realtime' || payload.kind === 'totals') meters.set(meterName(payload.meter), new Map());
  for (const point of all) {
    const fields = meters.get(point.meter) ?? new Map<string, number | null>();
    meters.set(point.meter, fields.set(dataPointName(point), point.value));
  }
  return [...meters].map(([meter, fields]) => ({
    topic: meter === null ? topicOf(payload) : meterTopic(payload, meter, payload.kind),
    payload: Object.fromEntries(fields),
  }));
}

function valuesOfHouse(payload: BalancePayload): Record<string, number | null> {
  return Object.fromEntries(sumsOfHouse(payload).all.map(({ field, value }) => [field, value]));
}
