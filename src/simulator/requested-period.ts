/** The day, month or year that a request to a simulated monitor asks for. */
import { startOfDate } from '../calendar/periods';
import type { SeriesUnit } from '../protocol/responses';
import {
  dayMs,
  millis,
  type Millis,
  millisToSeconds,
  minuteMs,
  type Seconds,
  secondsToMillis,
  toSeconds,
} from '../time/units';
import { dayContaining } from './house-day';

/** Half-open. */
export interface Span {
  readonly start: Millis;
  readonly end: Millis;
}

type DateParts = readonly [year: number, month: number, day: number];

export function spanContaining(unit: SeriesUnit, at: Millis, timezone: string): Span {
  const [year, month, day] = dateParts(dayContaining(at, timezone).number);
  const first = { day: [year, month, day], month: [year, month, 1], year: [year, 0, 1] } as const;
  const next = { day: [year, month, day + 1], month: [year, month + 1, 1], year: [year + 1, 0, 1] } as const;
  return { start: startOfParts(timezone, first[unit]), end: startOfParts(timezone, next[unit]) };
}

/** One day, month or year from a moment on, which is rounded down to its minute, day or month. */
export function spanFrom(unit: SeriesUnit, at: Millis, timezone: string): Span {
  const first = unit === 'day' ? at : spanContaining(unit === 'month' ? 'day' : 'month', at, timezone).start;
  const { number, start } = dayContaining(first, timezone);
  const [year, month, day] = dateParts(number);
  const next = { day: [year, month, day + 1], month: [year, month + 1, day], year: [year + 1, month, day] } as const;
  const intoDay = Math.floor((first - start) / minuteMs) * minuteMs;
  return { start: millis(start + intoDay), end: millis(startOfParts(timezone, next[unit]) + intoDay) };
}

function startOfParts(timezone: string, [year, month, day]: DateParts): Millis {
  return startOfDate(timezone, year, month, day);
}

/** @param number days since 1970-01-01 */
function dateParts(number: number): DateParts {
  const date = new Date(number * dayMs);
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
}

/** The days of a month or the months of a year, oldest first. */
export function partsOf(period: Span, part: 'day' | 'month', timezone: string): readonly Span[] {
  const parts: Span[] = [];
  for (let start = period.start; start < period.end;) {
    const span = spanContaining(part, start, timezone);
    parts.push(span);
    start = span.end;
  }
  return parts;
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
  meaning: typeof spanContaining = spanContaining,
): RequestedPeriod | null {
  const text = query.get('time');
  const given = text !== null && /^\d{1,10}$/.test(text) ? toSeconds(Number(text)) : null;
  if (text !== null && given === null) return null;
  const period = given === null ? spanContaining(unit, now, timezone) : meaning(unit, secondsToMillis(given), timezone);
  const parts = unit === 'day' ? [] : partsOf(period, unit === 'month' ? 'day' : 'month', timezone);
  return { unit, period, parts, time: given ?? millisToSeconds(period.start) };
}

export function isUnit(word: string | undefined): word is SeriesUnit {
  return word === 'day' || word === 'month' || word === 'year';
}
