/** Local time in an IANA time zone, computed from its offsets. The time zone of the host is never used. */
import { dayMs, hourMs, millis, type Millis, minuteMs } from '../time/units';

/** Why a date, label, range or time zone is invalid. */
export type CalendarReason =
  'no_such_zone' | 'not_a_date' | 'no_such_date' | 'out_of_range' | 'not_a_label' | 'wrong_order' | 'too_many_periods';

const sentences: Record<CalendarReason, string> = {
  no_such_zone: 'not an IANA time zone',
  not_a_date: 'not a Date, an ISO 8601 text or an epoch number',
  no_such_date: 'a day or time that does not exist',
  out_of_range: 'not between 2010 and 2100',
  not_a_label: 'not of the form 2026-10-25, 2026-W43, 2026-10 or 2026',
  wrong_order: 'the range ends before it starts',
  too_many_periods: 'the range holds too many periods',
};

/** The only error of the calendar functions. Its message does not quote the input. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError';

  constructor(readonly reason: CalendarReason) {
    super(sentences[reason]);
  }
}

/** Year, month, day and time of day without a time zone, as the number that `Date.UTC` returns for them. */
export type LocalTime = number & { readonly __local: 'ms' };

/** True for a name of the IANA database that this Node.js has (`Europe/Amsterdam`, `UTC`); false for `+02:00`. */
export function isTimezone(zone: unknown): zone is string {
  return typeof zone === 'string' && findZone(zone) !== null;
}

/** @throws {CalendarError} `no_such_zone` */
export function toLocalTime(zone: string, at: Millis): LocalTime {
  return (at + offset(zoneOf(zone), at)) as LocalTime;
}

/**
 * The moment of a local time. If the local time occurs twice (clocks set back), the first one. If it does not occur (clocks
 * set forward), it is moved forward by the length of the gap (RFC 5545, section 3.3.5).
 * @throws {CalendarError} `no_such_zone`
 */
export function fromLocalTime(zone: string, local: LocalTime): Millis {
  const found = zoneOf(zone);
  // No zone is more than a day away from UTC, and none changes its clocks twice in two days.
  const before = offset(found, local - dayMs);
  const after = offset(found, local + dayMs);
  const first = local - before;
  if (before === after || offset(found, first) === before) return millis(first);
  const second = local - after;
  return millis(offset(found, second) === after ? second : first);
}

/** The second moment with the local time of this one (clocks set back); null if there is none. */
export function secondMoment(zone: string, first: Millis): Millis | null {
  const found = zoneOf(zone);
  const local = first + offset(found, first);
  const after = offset(found, local + dayMs);
  const second = local - after;
  return second > first && offset(found, second) === after ? millis(second) : null;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** Minute since 1970 → offset in ms. */
  readonly offsets: Map<number, number>;
}

/** Formatters are slow to make. A flow may name any zone, so neither they nor their offsets are kept without limit. */
const mostZones = 100;
const mostOffsets = 20_000;
const zones = new Map<string, Zone>();

function zoneOf(name: string): Zone {
  const zone = findZone(name);
  if (zone === null) throw new CalendarError('no_such_zone');
  return zone;
}

/** Null for `+02:00` as well, which newer versions of Node.js take for a zone. */
function findZone(name: string): Zone | null {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const format = /^[A-Za-z]/.test(name) ? createFormat(name) : null;
  if (format === null) return null;
  if (zones.size >= mostZones) zones.clear();
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
}

function createFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    // With the minute alone the text before the offset is short.
    return new Intl.DateTimeFormat('en-US', { timeZone, minute: 'numeric', timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}

/** Since then all zones change their clocks at whole minutes, and are whole minutes away from UTC (Liberia was the last). */
const wholeMinutes = Date.UTC(1973, 0);

/** UTC offset in ms, cached by the minute. */
function offset({ format, offsets }: Zone, at: number): number {
  if (at < wholeMinutes) return readOffset(format.format(at));
  const minute = Math.floor(at / minuteMs);
  const known = offsets.get(minute);
  if (known !== undefined) return known;
  if (offsets.size >= mostOffsets) offsets.clear();
  const found = readOffset(format.format(at));
  offsets.set(minute, found);
  return found;
}

/** Reads the end of `0 GMT`, `0 GMT+01:00` and `0 GMT-00:44:30`. */
function readOffset(text: string): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(text) ?? [];
  const length = Number(hours) * hourMs + Number(minutes) * minuteMs + Number(seconds) * 1000;
  return sign === '-' ? -length : length;
}
