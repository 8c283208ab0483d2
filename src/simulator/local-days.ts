/** Days, months and years on the wall of a time zone, and the wall time of every minute of a day. */
import { DateTime, IANAZone } from 'luxon';
import { millis, type Millis } from '../wire/time';

export const MINUTE_MS = 60_000;

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
  readonly startWall: number;
  /** From this minute of the day on the wall clock has moved by `shift` minutes; `minutes` on ordinary days. */
  readonly shiftAt: number;
  readonly shift: number;
}

export type Unit = 'day' | 'month' | 'year';

/** Half-open. */
export interface Span {
  readonly start: Millis;
  readonly end: Millis;
}

export function dayContaining(at: Millis, timezone: string): LocalDay {
  const first = DateTime.fromMillis(at, { zone: timezone }).startOf('day');
  const start = millis(first.toMillis());
  const end = millis(first.plus({ day: 1 }).startOf('day').toMillis());
  const minutes = (end - start) / MINUTE_MS;
  const zone = IANAZone.create(timezone);
  const shift = minutes === 1440 ? 0 : zone.offset(end - 1) - zone.offset(start);
  return {
    start,
    end,
    minutes,
    number: Math.round(Date.UTC(first.year, first.month - 1, first.day) / 86_400_000),
    dayOfYear: first.ordinal,
    weekend: first.weekday >= 6,
    startWall: first.hour * 60 + first.minute,
    shiftAt: shift === 0 ? minutes : minuteOfChange(zone, start, minutes),
    shift,
  };
}

/** Minutes after midnight that the wall clock shows at a minute of the day. */
export function wallMinute(day: LocalDay, index: number): number {
  return day.startWall + index + (index < day.shiftAt ? 0 : day.shift);
}

/** The minute of the day at which the wall clock shows this; a time that is skipped gives the minute of the change. */
export function minuteAtWall(day: LocalDay, wall: number): number {
  const index = wall - day.startWall;
  return index < day.shiftAt ? index : Math.max(day.shiftAt, index - day.shift);
}

export function periodContaining(unit: Unit, at: Millis, timezone: string): Span {
  const start = DateTime.fromMillis(at, { zone: timezone }).startOf(unit);
  const end = start.plus({ [unit]: 1 }).startOf(unit);
  return { start: millis(start.toMillis()), end: millis(end.toMillis()) };
}

/** The days of a month or the months of a year, oldest first. */
export function partsOf(period: Span, part: 'day' | 'month', timezone: string): readonly Span[] {
  const parts: Span[] = [];
  for (let start = period.start; start < period.end;) {
    const span = periodContaining(part, start, timezone);
    parts.push(span);
    start = span.end;
  }
  return parts;
}

function minuteOfChange(zone: IANAZone, start: Millis, minutes: number): number {
  const before = zone.offset(start);
  let low = 0;
  let high = minutes;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offset(start + middle * MINUTE_MS) === before) low = middle;
    else high = middle;
  }
  return high;
}
