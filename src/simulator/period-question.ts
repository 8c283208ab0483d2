/** The period a history question asks for: `data/day|month|year` and `totals` with `time` in Unix seconds. */
import { millisToSeconds, secondsToMillis, toSeconds, type Millis, type Seconds } from '../wire/time';
import { partsOf, periodContaining, spanFrom, type Span, type Unit } from './local-days';

export interface AskedPeriod {
  readonly unit: Unit;
  readonly period: Span;
  /** Days of the month or months of the year, oldest first; none for a day. */
  readonly parts: readonly Span[];
  /** As given; without `time` the start of the current period. */
  readonly time: Seconds;
}

/** Which period a `time` stands for: the one that holds it, or the one that starts with it. */
type Meaning = typeof periodContaining;

/**
 * As the remote interface reads `time`: any moment of the period (spec.md A). Null where `time` is there but no whole number
 * of seconds between 2010 and 2100. Without it: the current period.
 */
export function askedPeriod(unit: Unit, query: URLSearchParams, now: Millis, timezone: string): AskedPeriod | null {
  return asked(unit, query, now, timezone, periodContaining);
}

/** As the local interface reads `time`, literally: "the start timestamp of the requested period" (spec.md B). */
export function askedSpan(unit: Unit, query: URLSearchParams, now: Millis, timezone: string): AskedPeriod | null {
  return asked(unit, query, now, timezone, spanFrom);
}

function asked(
  unit: Unit,
  query: URLSearchParams,
  now: Millis,
  timezone: string,
  meaning: Meaning,
): AskedPeriod | null {
  const text = query.get('time');
  const given = text !== null && /^\d{1,10}$/.test(text) ? toSeconds(Number(text)) : null;
  if (text !== null && given === null) return null;
  const period =
    given === null ? periodContaining(unit, now, timezone) : meaning(unit, secondsToMillis(given), timezone);
  const parts = unit === 'day' ? [] : partsOf(period, unit === 'month' ? 'day' : 'month', timezone);
  return { unit, period, parts, time: given ?? millisToSeconds(period.start) };
}

export function isUnit(word: string | undefined): word is Unit {
  return word === 'day' || word === 'month' || word === 'year';
}
