/** The incremental series: the periods to fetch after the last sent sample, the new and closed samples, and their payload. */
import { mostPeriods, periodContaining, type PeriodOf, periodsBetween, type PeriodUnit } from '../calendar/periods';
import { type Step, stepLength } from '../calendar/slots';
import type { BalanceStep, PeriodSeriesPayload, SeriesPoint } from './payload';
import { hourMs, millis, type Millis, quarterMs } from '../time/units';

/** Times of the first and the last sample, epoch ms, inclusive. */
export interface SampleRange {
  readonly first: number;
  readonly last: number;
}

/** Stored per monitor, meter and period unit; plain JSON for every context store. */
export interface SentSamples {
  /** The last sent sample: its time and the first moment after it. */
  readonly last: { readonly ts: number; readonly end: number } | null;
  /** Written before a message is sent and cleared after it, so that the message is repeated unchanged after a crash in between. */
  readonly sending: SampleRange | null;
}

/**
 * A monitor with a slow clock lists a day or month of its own future with 0. Within this time after its end, a day or month
 * counts as closed only if the next one has begun on the monitor, too. The same holds for minutes of 0 from the remote service,
 * which may be 0 until the monitor has sent them.
 */
export const clockDoubtMs = 3 * hourMs;

/**
 * The periods from the first sample that may be missing to the running one.
 * @param since start of the first run; null: the running period
 * @throws {CalendarError}
 */
export function periodsToFetch<Unit extends PeriodUnit>(
  unit: Unit,
  timezone: string,
  sent: SentSamples,
  since: Millis | null,
  now: Millis,
): PeriodOf<Unit>[] {
  const from = sent.sending?.first ?? sent.last?.end ?? since ?? now;
  // The clock may have been set back since the last run; the range must not end before its start.
  return periodsBetween(unit, timezone, millis(Math.min(from, now)), now, mostPeriods);
}

/**
 * The new and closed samples of one response, in one message, or in two if the first repeats the message that was in progress
 * when Node-RED stopped. Samples without a value are sent when one with a value follows, because the monitor may still deliver
 * them.
 * @param next the response for the next period, null for the last period
 */
export function unsentSeries(
  payload: PeriodSeriesPayload,
  sent: SentSamples,
  since: Millis | null,
  now: Millis,
  next: PeriodSeriesPayload | null,
): PeriodSeriesPayload[] {
  const parts = unsentPoints(payload, sent, since, (point, index) => isClosed(point, payload, index, now, next));
  return parts.map((points) => withPoints(payload, points));
}

/** The points of each message of `unsentSeries`. */
export function unsentPoints(
  { points = [] }: PeriodPoints,
  { last, sending }: SentSamples,
  since: number | null,
  isFinal: (point: SeriesPoint, index: number) => boolean,
): SeriesPoint[][] {
  const begun = last === null ? (since ?? -Infinity) : last.ts + 1;
  const fresh = points
    .slice(0, points.findLastIndex(hasValue) + 1)
    .filter((point, index) => point.ts >= begun && isFinal(point, index));
  const again = sending === null ? [] : fresh.filter((point) => point.ts <= sending.last);
  return [again, fresh.slice(again.length)].filter((part) => part.length > 0);
}

export interface PeriodPoints {
  readonly ts: number;
  readonly period?: { readonly step: Step | BalanceStep; readonly timezone: string; readonly end: number };
  readonly points?: readonly SeriesPoint[];
}

/** The range to store during and after the sending of a message. */
export function findSampleRange(payload: PeriodPoints): SampleRange {
  const [first] = payload.points ?? [];
  const last = payload.points?.at(-1);
  return { first: first?.ts ?? payload.ts, last: last?.ts ?? payload.ts };
}

export function lastSent(payload: PeriodPoints): { ts: number; end: number } {
  const { last } = findSampleRange(payload);
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

export function endOf(ts: number, { period }: PeriodPoints): number {
  if (period === undefined) return ts;
  const { step, timezone, end } = period;
  const length = step === 'PT15M' ? quarterMs : stepLength(step);
  if (length !== null) return Math.min(end, ts + length);
  return periodContaining(step === 'P1D' ? 'day' : 'month', timezone, millis(ts)).end;
}

function hasValue(point: SeriesPoint): boolean {
  return Object.entries(point).some(([field, value]) => field !== 'ts' && value !== null);
}

/** True for a point with another value than 0. */
export function isCounting(point: SeriesPoint): boolean {
  return Object.entries(point).some(([field, value]) => field !== 'ts' && value !== null && value !== 0);
}

/** The same response with only these points. The id contains their range, so that a repeat has the same id. */
function withPoints(payload: PeriodSeriesPayload, points: SeriesPoint[]): PeriodSeriesPayload {
  const received = points.filter(hasValue).length;
  const part = { ...payload, points };
  const { first, last } = findSampleRange(part);
  return {
    ...part,
    id: `${payload.id}/${first}-${last}`,
    stats: { ...payload.stats, expected: points.length, received, gaps: points.length - received },
  };
}
