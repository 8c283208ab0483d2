/** A day of a household, from the calendar of the library, and the local time of each of its minutes. */
import { startOfDate } from '../calendar/periods';
import { toLocalTime } from '../calendar/zone';
import { dayMs, millis, type Millis, minuteMs } from '../time/units';

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

export function dayContaining(at: Millis, timezone: string): LocalDay {
  const date = Math.floor(toLocalTime(timezone, at) / dayMs);
  // If clocks are set back over midnight, the date of yesterday occurs once more after today has begun.
  const number = at < startOfDay(date + 1, timezone) ? date : date + 1;
  const [start, end] = [startOfDay(number, timezone), startOfDay(number + 1, timezone)];
  const minutes = (end - start) / minuteMs;
  const calendar = new Date(number * dayMs);
  const shift = offsetAt(end - 1, timezone) - offsetAt(start, timezone);
  return {
    start,
    end,
    minutes,
    number,
    dayOfYear: number - Date.UTC(calendar.getUTCFullYear(), 0, 1) / dayMs + 1,
    weekend: calendar.getUTCDay() % 6 === 0,
    startLocalMinute: (toLocalTime(timezone, start) - number * dayMs) / minuteMs,
    shiftAt: shift === 0 ? minutes : (firstMomentOfNewOffset(timezone, start, end) - start) / minuteMs,
    shift,
  };
}

/** First moment of a date. @param number days since 1970-01-01 */
export function startOfDay(number: number, timezone: string): Millis {
  return startOfDate(timezone, 1970, 0, 1 + number);
}

/** Minutes east of UTC. */
export function offsetAt(at: number, timezone: string): number {
  return (toLocalTime(timezone, at as Millis) - at) / minuteMs;
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

/** The first moment with another offset than `before`, up to `after`. */
export function firstMomentOfNewOffset(timezone: string, before: Millis, after: Millis): Millis {
  const old = offsetAt(before, timezone);
  let [low, high] = [before, after];
  while (high - low > 1) {
    const middle = millis(Math.floor((low + high) / 2));
    if (offsetAt(middle, timezone) === old) low = middle;
    else high = middle;
  }
  return high;
}
