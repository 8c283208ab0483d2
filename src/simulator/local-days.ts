/** Days, months and years on the wall of a time zone, and the wall time of every minute of a day. */
import { IANAZone } from 'luxon';
import { millis, type Millis, millisToSeconds, type Seconds, secondsToMillis, toSeconds } from '../protocol/time';

export const minuteMs = 60_000;
const DAY_MS = 1440 * minuteMs;

/** One day of the zone: 23, 24 or 25 hours (or half an hour aside, where the zone moves by that much). */
export interface LocalDay {
  readonly start: Millis;
  readonly end: Millis;
  /** How many minutes the day has. */
  readonly minutes: number;
  /** Days since 1970-01-01 by the calendar: names the day whatever the zone. */
  readonly number: number;
  readonly dayOfYear: number;
  readonly weekend: boolean;
  /** Minutes after midnight on the wall at the start of the day; not 0 where a zone moves its clocks at midnight. */
  readonly startLocalMinute: number;
  /** From this minute of the day on the wall clock has moved by `shift` minutes; `minutes` on ordinary days. */
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
  const calendar = new Date(number * DAY_MS);
  const named = {
    number,
    dayOfYear: number - Date.UTC(calendar.getUTCFullYear(), 0, 1) / DAY_MS + 1,
    weekend: calendar.getUTCDay() % 6 === 0,
  };
  const midnight = millis(number * DAY_MS - offset * minuteMs);
  if (zone.offset(midnight - 1) === offset && zone.offset(midnight + DAY_MS) === offset) {
    const end = millis(midnight + DAY_MS);
    return { ...named, start: midnight, end, minutes: 1440, startLocalMinute: 0, shiftAt: 1440, shift: 0 };
  }
  const start = firstMoment(number, zone);
  const end = firstMoment(number + 1, zone);
  const minutes = (end - start) / minuteMs;
  const shift = zone.offset(end - 1) - zone.offset(start);
  const startLocalMinute = (start + zone.offset(start) * minuteMs - number * DAY_MS) / minuteMs;
  const shiftAt = shift === 0 ? minutes : minuteOfChange(zone, start, minutes);
  return { ...named, start, end, minutes, startLocalMinute, shiftAt, shift };
}

/** Minutes after midnight that the wall clock shows at a minute of the day. */
export function localMinuteAt(day: LocalDay, index: number): number {
  return day.startLocalMinute + index + (index < day.shiftAt ? 0 : day.shift);
}

/** The minute of the day at which the wall clock shows this; a time that is skipped gives the minute of the change. */
export function minuteAtLocalTime(day: LocalDay, localMinute: number): number {
  const index = localMinute - day.startLocalMinute;
  return index < day.shiftAt ? index : Math.max(day.shiftAt, index - day.shift);
}

export function spanContaining(unit: Unit, at: Millis, timezone: string): Span {
  const zone = IANAZone.create(timezone);
  const today = new Date(dayNumber(at, zone) * DAY_MS);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const bounds = {
    day: [Date.UTC(year, month, day), Date.UTC(year, month, day + 1)],
    month: [Date.UTC(year, month), Date.UTC(year, month + 1)],
    year: [Date.UTC(year, 0), Date.UTC(year + 1, 0)],
  } as const;
  const [first, next] = bounds[unit];
  return { start: firstMoment(first / DAY_MS, zone), end: firstMoment(next / DAY_MS, zone) };
}

/**
 * One day, month or year from a moment on: of a day from its minute, of a month from its day, of a year from its month.
 * From the first moment of a period it is that period.
 */
function spanFrom(unit: Unit, at: Millis, timezone: string): Span {
  const zone = IANAZone.create(timezone);
  const first = unit === 'day' ? at : spanContaining(unit === 'month' ? 'day' : 'month', at, timezone).start;
  const number = dayNumber(first, zone);
  const date = new Date(number * DAY_MS);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  const next = { day: [year, month, day + 1], month: [year, month + 1, day], year: [year + 1, month, day] } as const;
  const end = firstMoment(Date.UTC(...next[unit]) / DAY_MS, zone);
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
  return Math.floor((at + zone.offset(at) * minuteMs) / DAY_MS);
}

/** The first moment of a day, by the offset that holds before it: midnight may be skipped, come twice, or be put off. */
function firstMoment(number: number, zone: IANAZone): Millis {
  const utc = number * DAY_MS;
  const before = zone.offset(utc - zone.offset(utc) * minuteMs - DAY_MS / 4);
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

// The period a history question asks for: `data/day|month|year` and `totals` with `time` in Unix seconds.

export interface RequestedPeriod {
  readonly unit: Unit;
  readonly period: Span;
  /** Days of the month or months of the year, oldest first; none for a day. */
  readonly parts: readonly Span[];
  /** As given; without `time` the start of the current period. */
  readonly time: Seconds;
}

/** Which period a `time` stands for: the one that holds it, or the one that starts with it. */
type Meaning = typeof spanContaining;

/**
 * As the remote interface reads `time`: any moment of the period (spec.md A). Null where `time` is there but no whole number
 * of seconds between 2010 and 2100. Without it: the current period.
 */
export function requestedPeriod(
  unit: Unit,
  query: URLSearchParams,
  now: Millis,
  timezone: string,
): RequestedPeriod | null {
  return asked(unit, query, now, timezone, spanContaining);
}

/** As the local interface reads `time`, literally: "the start timestamp of the requested period" (spec.md B). */
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
