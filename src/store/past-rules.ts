/** When the response for a period that is over is kept, and when a kept one is requested again. Times in epoch ms. */
import { dayMs, hourMs } from '../protocol/time';

export interface PastPeriod {
  readonly unit: 'day' | 'month' | 'year';
  /** End of the period. */
  readonly end: number;
  /** The response has all minutes, or the reading at the end. Ignored for months and years: the monitor's own sums do not show gaps. */
  readonly isComplete: boolean;
}

/** The service shows the end of a day up to this much later. */
const settledMs = 3 * hourMs;
/** An incomplete day counts as final after this time; it is requested again when it is older. */
const incompleteMs = 3 * dayMs;
const againAfterMs: readonly number[] = [7 * dayMs, 30 * dayMs];

/** True if the response is kept. */
export function isFinalAfter(period: PastPeriod, now: number): boolean {
  return now - period.end >= (isWhole(period) ? settledMs : incompleteMs);
}

/** True if a kept response was incomplete and is old enough for another request. */
export function isDueAfter(period: PastPeriod, readAt: number, now: number): boolean {
  const { end } = period;
  return !isWhole(period) && againAfterMs.some((after) => readAt < end + after && now >= end + after);
}

function isWhole({ unit, isComplete }: PastPeriod): boolean {
  return unit === 'day' && isComplete;
}
