/**
 * The outage-proof series, without any Node-RED: which periods must be fetched after what was sent last, which of their
 * samples are new and closed, and the payload that carries them.
 */
import { mostPeriods, type Period, periodContaining, periodsBetween, type PeriodUnit } from '../calendar/periods';
import { stepLength } from '../calendar/slots';
import type { PeriodSeriesPayload, SeriesPoint } from '../model/payload';
import { millis, type Millis } from '../protocol/time';

/** Sample moments, epoch ms, both included. */
export interface SampleRange {
  readonly first: number;
  readonly last: number;
}

/** What is remembered per monitor, meter and period unit; plain JSON, so that every context store can hold it. */
export interface SentSamples {
  /** The last sample sent: its moment and the first moment after it. */
  readonly last: { readonly ts: number; readonly end: number } | null;
  /** Written before a message is sent and cleared after it: after a crash between the two it is sent again, unchanged. */
  readonly sending: SampleRange | null;
}

/**
 * A monitor whose clock is behind lists the day or month that it believes to be still to come with 0 (spec.md B). Within
 * this time after its end, a day or month counts as closed only if the next one has begun on the monitor, too. The same
 * holds for a minute of 0 from the remote service, which may be what it has for minutes that the monitor has not yet sent.
 */
const clockDoubtMs = 3 * 60 * 60_000;

/**
 * From the period of the first sample that may be missing to the running one.
 * @param since where the first run starts; null: the running period
 * @throws {CalendarError}
 */
export function periodsToFetch(
  unit: PeriodUnit,
  timezone: string,
  sent: SentSamples,
  since: Millis | null,
  now: Millis,
): Period[] {
  const from = sent.sending?.first ?? sent.last?.end ?? since ?? now;
  // A clock that was set back since the last run must not make the range end before it starts.
  return periodsBetween(unit, timezone, millis(Math.min(from, now)), now, mostPeriods);
}

/**
 * The samples of one answer that are newer than the last one sent and closed, in messages: one, or two where the first
 * repeats what was being sent when Node-RED was killed. Moments without any value are passed on between two samples, and
 * held back after the last one: the monitor may still deliver them.
 * @param next the answer for the period after this one, null where this is the last
 */
export function newSamples(
  payload: PeriodSeriesPayload,
  sent: SentSamples,
  since: Millis | null,
  now: Millis,
  next: PeriodSeriesPayload | null,
): PeriodSeriesPayload[] {
  const begun = sent.last === null ? (since ?? -Infinity) : sent.last.ts + 1;
  const lastWithValue = payload.points.findLastIndex(hasValue);
  const fresh = payload.points
    .slice(0, lastWithValue + 1)
    .filter((point, index) => point.ts >= begun && isClosed(point, payload, index, now, next));
  const { sending } = sent;
  const again = sending === null ? [] : fresh.filter((point) => point.ts <= sending.last);
  const rest = fresh.slice(again.length);
  return [again, rest].filter((points) => points.length > 0).map((points) => withPoints(payload, points));
}

/** What to remember while, and after, a message of newSamples is sent. */
export function rangeOf(payload: PeriodSeriesPayload): SampleRange {
  const [first] = payload.points;
  const last = payload.points.at(-1);
  return { first: first?.ts ?? payload.ts, last: last?.ts ?? payload.ts };
}

export function lastSent(payload: PeriodSeriesPayload): { ts: number; end: number } {
  const { last } = rangeOf(payload);
  return { ts: last, end: endOf(last, payload) };
}

function isClosed(
  point: SeriesPoint,
  payload: PeriodSeriesPayload,
  index: number,
  now: Millis,
  next: PeriodSeriesPayload | null,
): boolean {
  const end = endOf(point.ts, payload);
  if (end > now) return false;
  if (end + clockDoubtMs <= now) return true;
  const withinDay = stepLength(payload.period.step) !== null;
  if (withinDay && (payload.source.transport !== 'remote' || isCounting(point))) return true;
  return payload.points.slice(index + 1).some(isCounting) || (next?.points.some(isCounting) ?? false);
}

/** The first moment after the sample's minute, hour, day or month. */
function endOf(ts: number, payload: PeriodSeriesPayload): number {
  const { step, timezone } = payload.period;
  const length = stepLength(step);
  return length === null ? periodContaining(step === 'P1D' ? 'day' : 'month', timezone, millis(ts)).end : ts + length;
}

function hasValue(point: SeriesPoint): boolean {
  return Object.entries(point).some(([field, value]) => field !== 'ts' && value !== null);
}

function isCounting(point: SeriesPoint): boolean {
  return Object.entries(point).some(([field, value]) => field !== 'ts' && value !== null && value !== 0);
}

/** The same answer with these points only; the id says which, so that a repeat carries the same one. */
function withPoints(payload: PeriodSeriesPayload, points: SeriesPoint[]): PeriodSeriesPayload {
  const received = points.filter(hasValue).length;
  const part = { ...payload, points };
  const { first, last } = rangeOf(part);
  return {
    ...part,
    id: `${payload.id}/${first}-${last}`,
    stats: { ...payload.stats, expected: points.length, received, gaps: points.length - received },
  };
}
