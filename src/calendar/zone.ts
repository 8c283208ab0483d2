/** Local time in an IANA time zone, computed from its offsets. The time zone of the host is never used. */
import { IANAZone } from 'luxon';
import { dayMs, millis, type Millis, minuteMs } from '../protocol/time';

/** Why a date, label, range or time zone is invalid. */
export type CalendarReason =
  'no_such_zone' | 'not_a_date' | 'no_such_date' | 'out_of_range' | 'not_a_label' | 'wrong_order' | 'too_many_periods';

const sentences: Record<CalendarReason, string> = {
  no_such_zone: 'not an IANA time zone',
  not_a_date: 'not a Date, an ISO 8601 text or an epoch number',
  no_such_date: 'a day or time that does not exist',
  out_of_range: 'not between 2010 and 2100',
  not_a_label: 'not of the form 2026-10-25, 2026-10 or 2026',
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
  return typeof zone === 'string' && /^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone);
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
  const iana = zoneOf(zone);
  // No zone is more than a day away from UTC, and none changes its clocks twice in two days.
  const before = offset(iana, local - dayMs);
  const after = offset(iana, local + dayMs);
  const first = local - before;
  if (before === after || offset(iana, first) === before) return millis(first);
  const second = local - after;
  return millis(offset(iana, second) === after ? second : first);
}

/** The second moment with the local time of this one (clocks set back); null if there is none. */
export function secondMoment(zone: string, first: Millis): Millis | null {
  const iana = zoneOf(zone);
  const local = first + offset(iana, first);
  const after = offset(iana, local + dayMs);
  const second = local - after;
  return second > first && offset(iana, second) === after ? millis(second) : null;
}

function zoneOf(name: string): IANAZone {
  const zone = IANAZone.create(name);
  if (!zone.isValid) throw new CalendarError('no_such_zone');
  return zone;
}

/** Offsets are cached by the minute, because clocks change at whole minutes and Luxon formats a date for every offset. */
const mostOffsets = 20_000;
const offsets = new Map<string, Map<number, number>>();

/** UTC offset in ms. */
function offset(zone: IANAZone, at: number): number {
  let ofZone = offsets.get(zone.name);
  if (ofZone === undefined || ofZone.size >= mostOffsets) {
    ofZone = new Map();
    offsets.set(zone.name, ofZone);
  }
  const minute = Math.floor(at / minuteMs);
  let found = ofZone.get(minute);
  if (found === undefined) {
    found = zone.offset(at) * minuteMs;
    ofZone.set(minute, found);
  }
  return found;
}
