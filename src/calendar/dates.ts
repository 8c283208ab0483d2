/** Dates as people and flows give them. */
import { types } from 'node:util';
import { readDate } from '../limits';
import { millis, type Millis, secondsToMillis, toMillis, toSeconds } from '../protocol/time';
import { CalendarError, fromLocalTime, type LocalTime } from './zone';

/**
 * The moment of a Date, an ISO 8601 text (`2026`, `2026-10`, `2026-10-25`, `2026-10-25T12:00`, with or without offset;
 * what has none is read in the installation's zone) or a number (epoch seconds or milliseconds of 2010 to 2100).
 * Throws CalendarError `not_a_date`, `no_such_date`, `out_of_range` or `no_such_zone`.
 */
export function parseDate(input: unknown, zone: string): Millis {
  if (typeof input === 'number' && Number.isFinite(input)) return fromNumber(input);
  if (typeof input === 'string') return fromText(input, zone);
  // Not `instanceof`: a function node makes its Dates in another realm.
  if (types.isDate(input) && Number.isFinite(input.getTime())) return fromDate(input);
  throw new CalendarError('not_a_date');
}

function fromNumber(input: number): Millis {
  const whole = Math.floor(input);
  const seconds = toSeconds(whole);
  const at = seconds === null ? toMillis(whole) : secondsToMillis(seconds);
  if (at === null) throw new CalendarError('out_of_range');
  return at;
}

function fromText(text: string, zone: string): Millis {
  const written = readDate(text);
  if (typeof written === 'string') throw new CalendarError(written);
  const { localMs, offsetMs } = written;
  return offsetMs === null ? fromLocalTime(zone, localMs as LocalTime) : millis(localMs - offsetMs);
}

function fromDate(date: Date): Millis {
  const at = toMillis(date.getTime());
  if (at === null) throw new CalendarError('out_of_range');
  return at;
}
