/**
 * Days, months and years in a time zone for the simulator, and the local time of each minute of a day. Independent of
 * `src/calendar`, so that tests can compare both.
 */
import { IANAZone } from 'luxon';
import { millis, type Millis, millisToSeconds, type Seconds, secondsToMillis, toSeconds } from '../protocol/time';

export const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** One day: 23, 24 or 25 hours, or 23.5 or 24.5 in zones that change by half an hour. */
export interface LocalDay {
  readonly start: Millis;
  readonly end: Millis;
  /** Number of minutes. */
  readonly minutes: number;
  /** Days from 1970-01-01 to the date, independent of the zone. */
  readonly number: number;
  readonly dayOfYear: number;
  readonly weekend: boolean;
  /** Local time at the start, in minutes after midnight; not 0 if the clocks change at midnight. */
  readonly startLocalMinute: number;
  /** Minute of the day at which the clocks change by `shift` minutes; equals `minutes` if they do not. */
  readonly shiftAt: number;
  readonly shift: number;
}

type Unit = 'day' | 'month' | 'year';

/** Half-open. */
export interface Span {
  readonly start: Millis;
  readonly end: Millis;
}

export function dayContaining(at: Millis, timezone: string): LocalDay {
  const zone = IANAZone.create(timezone);
  const offset = zone.offset(at);
  const number = dayNumber(at, zone);
  const calendar = new Date(number * dayMs);
  const named = {
    number,
    dayOfYear: number - Date.UTC(calendar.getUTCFullYear(), 0, 1) / dayMs + 1,
    weekend: calendar.getUTCDay() % 6 === 0,
  };
  const midnight = millis(number * dayMs - offset * minuteMs);
  if (zone.offset(midnight - 1) === offset && zone.offset(midnight + dayMs) === offset) {
    const end = millis(midnight + dayMs);
    return { ...named, start: midnight, end, minutes: 1440, startLocalMinute: 0, shiftAt: 1440, shift: 0 };
  }
  const start = firstMoment(number, zone);
  const end = firstMoment(number + 1, zone);
  const minutes = (end - start) / minuteMs;
  const shift = zone.offset(end - 1) - zone.offset(start);
  const startLocalMinute = (start + zone.offset(start) * minuteMs - number * dayMs) / minuteMs;
  const shiftAt = shift === 0 ? minutes : minuteOfChange(zone, start, minutes);
  return { ...named, start, end, minutes, startLocalMinute, shiftAt, shift };
}

/** Local time of a minute of the day, in minutes after midnight. */
export function localMinuteAt(day: LocalDay, index: number): number {
  return day.startLocalMinute + index + (index < day.shiftAt ? 0 : day.shift);
}

/** Minute of the day at a local time. For a local time that does not exist, the minute of the change. */
export function minuteAtLocalTime(day: LocalDay, localMinute: number): number {
  const index = localMinute - day.startLocalMinute;
  return index < day.shiftAt ? index : Math.max(day.shiftAt, index - day.shift);
}

export function spanContaining(unit: Unit, at: Millis, timezone: string): Span {
  const zone = IANAZone.create(timezone);
  const today = new Date(dayNumber(at, zone) * dayMs);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const bounds = {
    day: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    month: [Date.UTC(year, month), Date.UTC(year, month + 1)],
    year: [Date.UTC(year, 0), Date.UTC(year + 1, 0)],
  } as const;
  const [first, next] = bounds[unit];
  return { start: firstMoment(first / dayMs, zone), end: firstMoment(next / dayMs, zone) };
}

/** One day, month or year from a moment on, which is rounded down to its minute, day or month. */
function spanFrom(unit: Unit, at: Millis, timezone: string): Span {
  const zone = IANAZone.create(timezone);
  const first = unit === 'day' ? at : spanContaining(unit === 'month' ? 'day' : 'month', at, timezone).start;
  const number = dayNumber(first, zone);
  const date = new Date(number * dayMs);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const next = { day: [year, month, day + 1], month: [year, month + 1, day], year: [year + 1, month, day] } as const;
  const end = firstMoment(Date.UTC(...next[unit]) / dayMs, zone);
  const intoDay = Math.floor((first - firstMoment(number, zone)) / minuteMs) * minuteMs;
  return { start: millis(firstMoment(number, zone) + intoDay), end: millis(end + intoDay) };
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

function dayNumber(at: Millis, zone: IANAZone): number {
  return Math.floor((at + zone.offset(at) * minuteMs) / dayMs);
}

/** First moment of a day, from the offset before it: midnight can be skipped or occur twice. */
function firstMoment(number: number, zone: IANAZone): Millis {
  const utc = number * dayMs;
  const before = zone.offset(utc - zone.offset(utc) * minuteMs - dayMs / 4);
  const midnight = millis(utc - before * minuteMs);
  if (dayNumber(midnight, zone) >= number) return midnight;
  return millis(utc - zone.offset(midnight) * minuteMs);
}

function minuteOfChange(zone: IANAZone, start: Millis, minutes: number): number {
  const before = zone.offset(start);
  let low = 0;
  let high = minutes;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offset(start + middle * minuteMs) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** The period of a request for `data/day`, `data/month`, `data/year` or `totals`. */
export interface RequestedPeriod {
  readonly unit: Unit;
  readonly period: Span;
  /** Days of the month or months of the year, oldest first; none for a day. */
  readonly parts: readonly Span[];
  /** The parameter `time`, or the start of the current period without it. */
  readonly time: Seconds;
}

/** The period of a `time`: the one that contains it, or the one that starts with it. */
type Meaning = typeof spanContaining;

/**
 * The period in the remote Open API, where `time` is any moment of it (http://developer.cemm.nl/api-en/). Without `time`, the
 * current period. Null if `time` is not an integer of seconds between 2010 and 2100.
 */
export function requestedPeriod(
  unit: Unit,
  query: URLSearchParams,
  now: Millis,
  timezone: string,
): RequestedPeriod | null {
  return asked(unit, query, now, timezone, spanContaining);
}

/** The period in the local Open API, where `time` is its start (http://developer.cemm.nl/local-open-api/). */
export function requestedSpan(
  unit: Unit,
  query: URLSearchParams,
  now: Millis,
  timezone: string,
): RequestedPeriod | null {
  return asked(unit, query, now, timezone, spanFrom);
}

function asked(
  unit: Unit,
  query: URLSearchParams,
  now: Millis,
  timezone: string,
  meaning: Meaning,
): RequestedPeriod | null {
  const text = query.get('time');
  const given = text !== null && /^\d{1,10}$/.test(text) ? toSeconds(Number(text)) : null;
  if (text !== null && given === null) return null;
  const period = given === null ? spanContaining(unit, now, timezone) : meaning(unit, secondsToMillis(given), timezone);
  const parts = unit === 'day' ? [] : partsOf(period, unit === 'month' ? 'day' : 'month', timezone);
  return { unit, period, parts, time: given ?? millisToSeconds(period.start) };
}

export function isUnit(word: string | undefined): word is Unit {
  return word === 'day' || word === 'month' || word === 'year';
}
