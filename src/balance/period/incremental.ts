/**
 * The new, final points of a balance. The counters at the end of a day determine its hours, so hours are sent when the day is
 * over; days and months are sent when each is over.
 */
import type { BalancePayload, SeriesPoint } from '../../model/payload';
import { clockDoubtMs, endOf, findSampleRange, type SentSamples, unsentPoints } from '../../model/incremental-series';

/** Like unsentSeries; values, coverage and costs remain those of the whole period so far. */
export function unsentBalance(
  payload: BalancePayload,
  sent: SentSamples,
  since: number | null,
  now: number,
): BalancePayload[] {
  const parts = unsentPoints(payload, sent, since, (point) => isSettled(point, payload, now));
  return parts.map((points) => withPoints(payload, points));
}

function isSettled({ ts }: SeriesPoint, payload: BalancePayload, now: number): boolean {
  const { period, complete, estimated } = payload;
  if (period === undefined) return false;
  const end = period.unit === 'day' ? period.end : endOf(ts, payload);
  if (end > now) return false;
  // The last readings of a day may be late; later than this, none arrive.
  return (complete && !estimated.includes(ts)) || end + clockDoubtMs <= now;
}

function withPoints(payload: BalancePayload, points: SeriesPoint[]): BalancePayload {
  const { first, last } = findSampleRange({ ...payload, points });
  const { estimated, estimatedFields = {}, ...others } = payload;
  const isIn = (ts: number): boolean => ts >= first && ts <= last;
  const fields = Object.entries(estimatedFields).map(([field, steps]) => [field, steps.filter(isIn)] as const);
  const some = fields.filter(([, steps]) => steps.length > 0);
  return {
    ...others,
    id: `${payload.id}/${first}-${last}`,
    points,
    estimated: estimated.filter(isIn),
    ...(some.length > 0 && { estimatedFields: Object.fromEntries(some) }),
  };
}
