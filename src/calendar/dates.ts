/** Reads a date from a user or a flow, in any of the forms of `docs/nodes/cemm-series.md`. */
import { types } from 'node:util';
import { readDate } from '../time/date-text';
import { millis, type Millis, secondsToMillis, toMillis, toSeconds } from '../time/units';
import { CalendarError, fromLocalTime, type LocalTime, secondMoment } from './zone';

/**
 * Reads a Date, an ISO 8601 text (`2026`, `2026-10`, `2026-10-25`, `2026-10-25T12:00`, with or without an offset) or a
 * number (Unix seconds or milliseconds).
 * @param zone IANA time zone of a text without an offset
 * @returns Unix milliseconds, from 2010 to 2100
 * @throws {CalendarError} `not_a_date`, `no_such_date`, `out_of_range` or `no_such_zone`
 */
export function parseDate(input: unknown, zone: string): Millis {
  if (typeof input === 'number' && Number.isFinite(input)) return fromNumber(input);
  if (typeof input === 'string') return fromText(input, zone);
  // Not `instanceof`, because a function node creates a Date in another realm.
  if (types.isDate(input) && Number.isFinite(input.getTime())) return fromDate(input);
  throw new CalendarError('not_a_date');
}

/**
 * The second moment of a text without an offset, if its local time occurs twice (clocks set back); null otherwise.
 * @param first the result of parseDate for the input
 */
export function otherMoment(input: unknown, zone: string, first: Millis): Millis | null {
  if (typeof input !== 'string') return null;
  const written = readDate(input);
  return typeof written === 'string' || written.offsetMs !== null ? null : secondMoment(zone, first);
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
