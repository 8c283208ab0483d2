/** The day, month or year that a request to a simulated monitor asks for. */
import { datesOf, periodContaining, periodsUntil, startOfDate } from '../calendar/periods';
import type { SeriesUnit } from '../protocol/responses';
import {
  millis,
  type Millis,
  millisToSeconds,
  minuteMs,
  type Seconds,
  secondsToMillis,
  toSeconds,
} from '../time/units';

/** Half-open. */
export interface Span {
  readonly start: Millis;
  readonly end: Millis;
}

/** One day, month or year from a moment on, which is rounded down to its minute, day or month. */
export function spanFrom(unit: SeriesUnit, timezone: string, at: Millis): Span {
  const first = unit === 'day' ? at : periodContaining(unit === 'month' ? 'day' : 'month', timezone, at).start;
  const date = periodContaining('day', timezone, first);
  const { year, month, day } = datesOf(date);
  const next = { day: [year, month, day + 1], month: [year, month + 1, day], year: [year + 1, month, day] } as const;
  const intoDay = Math.floor((first - date.start) / minuteMs) * minuteMs;
  return { start: millis(date.start + intoDay), end: millis(startOfDate(timezone, ...next[unit]) + intoDay) };
}

/** The period of a request for `data/day`, `data/month`, `data/year` or `totals`. */
export interface RequestedPeriod {
  readonly unit: SeriesUnit;
  readonly period: Span;
  /** Days of the month or months of the year, oldest first; none for a day. */
  readonly parts: readonly Span[];
  /** The parameter `time`, or the start of the current period without it. */
  readonly time: Seconds;
}

/**
 * The period of a request; null if `time` is not an integer of seconds between 2010 and 2100. Without `time`, the current period.
 * @param meaning of `time`: any moment of the period, as in the remote Open API (http://developer.cemm.nl/api-en/), or its start, as in the
 *   local Open API (http://developer.cemm.nl/local-open-api/)
 */
export function requestedPeriod(
  unit: SeriesUnit,
  query: URLSearchParams,
  now: Millis,
  timezone: string,
  meaning: (unit: SeriesUnit, timezone: string, at: Millis) => Span = periodContaining,
): RequestedPeriod | null {
  const text = query.get('time');
  const given = text !== null && /^\d{1,10}$/.test(text) ? toSeconds(Number(text)) : null;
  if (text !== null && given === null) return null;
  const period =
    given === null ? periodContaining(unit, timezone, now) : meaning(unit, timezone, secondsToMillis(given));
  const { start, end } = period;
  const parts = unit === 'day' ? [] : periodsUntil(unit === 'month' ? 'day' : 'month', { timezone, start }, end);
  return { unit, period, parts, time: given ?? millisToSeconds(start) };
}

export function isUnit(word: string | undefined): word is SeriesUnit {
  return word === 'day' || word === 'month' || word === 'year';
}
