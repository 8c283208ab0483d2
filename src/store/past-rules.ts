/** When a period is over, whole, and due for another request (docs/decisions/past-days.md). Times in epoch ms. */
import type { SeriesUnit } from '../protocol/responses';
import { dayMs, hourMs } from '../time/units';

/** When a response was read. */
export interface ReadTimes {
  /** The earlier one of both clocks at the best response: the host's, and the newest time of the monitor. */
  readonly asOf: number;
  /** `asOf` of the first response. */
  readonly since: number;
  /** The host's clock at the last request. */
  readonly readAt: number;
  /** The round of the store at the last request. */
  readonly round: number;
  /** `asOf` of the last response that lacked what was known; absent if none did. */
  readonly forgotAt?: number;
}

export interface PastPeriod {
  readonly unit: SeriesUnit;
  /** End of the period. */
  readonly end: number;
}

/** The end of a day can arrive so much later. */
const settledMs = 3 * hourMs;
/** A response that is read so much later counts as whole when nothing is missing, and sums no longer grow. */
const wholeMs = 48 * hourMs;
const [firstAgainMs, secondAgainMs, everyMs] = [7 * dayMs, 30 * dayMs, 90 * dayMs];
/** The longest slot of a series. */
const slotMs = { day: hourMs, month: 25 * hourMs, year: 31 * dayMs + hourMs } as const;

export function isOver({ unit, end }: PastPeriod, asOf: number): boolean {
  return asOf >= end + (unit === 'day' ? settledMs : wholeMs);
}

/** Slots that begin earlier were over when they were read. */
export function pastUntil(period: PastPeriod, asOf: number): number {
  return isOver(period, asOf) ? Infinity : asOf - slotMs[period.unit] - (period.unit === 'day' ? settledMs : wholeMs);
}

export function isSettled(end: number, asOf: number): boolean {
  return asOf >= end + wholeMs;
}

/** When a response for a period was read, in the words of the options of a request. */
export function describeRead(
  end: number,
  { asOf, forgotAt }: ReadTimes,
): { asOf: number; isSettled: boolean; forgotAt?: number } {
  return { asOf, isSettled: isSettled(end, asOf), ...(forgotAt !== undefined && { forgotAt }) };
}

/** True if a kept response for a period that is over is to be requested again. */
export function isReadDue(end: number, { asOf, since, readAt }: ReadTimes, isComplete: boolean, now: number): boolean {
  if (isComplete && isSettled(end, asOf)) return false;
  // A time to come was read by a clock that was ahead.
  const last = readAt > now ? asOf : readAt;
  const first = since > end + firstAgainMs ? since : end;
  const passed = (from: number, after: number): boolean => last < from + after && now >= from + after;
  if (passed(end, wholeMs) || passed(first, firstAgainMs) || passed(first, secondAgainMs)) return true;
  const rounds = (moment: number): number => Math.floor((moment - first - secondAgainMs) / everyMs);
  return rounds(now) > Math.max(0, rounds(last));
}
