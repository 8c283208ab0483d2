import { IANAZone } from 'luxon';
import { millis, type Millis } from '../protocol/time';

/** Why a date, label, range or zone cannot be used. Words for machines; the node turns them into sentences. */
export type CalendarReason =
  'no_such_zone' | 'not_a_date' | 'no_such_date' | 'out_of_range' | 'not_a_label' | 'wrong_order' | 'too_many_periods';

const SENTENCES: Record<CalendarReason, string> = {
  no_such_zone: 'not an IANA time zone',
  not_a_date: 'not a Date, an ISO 8601 text or an epoch number',
  no_such_date: 'a day or time that no calendar has',
  out_of_range: 'not between 2010 and 2100',
  not_a_label: 'not of the form 2026-10-25, 2026-10 or 2026',
  wrong_order: 'the range ends before it starts',
  too_many_periods: 'the range holds too many periods',
};

/** Thrown by this folder, and nothing else is. Never quotes the input: it may come from a stranger's message. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError';

  constructor(readonly reason: CalendarReason) {
    super(SENTENCES[reason]);
  }
}

// Local time in an IANA zone, by arithmetic on offsets: never the host's zone.

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A clock reading without a zone (`Date.UTC(year, month, day, …)` of what the clock on the wall shows). */
export type LocalTime = number & { readonly __wall: 'ms' };

/** True for a name of the IANA database that this Node.js knows (`Europe/Amsterdam`, `UTC`); false for `+02:00`. */
export function isTimezone(zone: unknown): zone is string {
  return typeof zone === 'string' && /^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone);
}

/** What the clock on the wall shows at the moment. Throws CalendarError `no_such_zone`. */
export function toLocalTime(zone: string, at: Millis): LocalTime {
  return (at + offset(zoneOf(zone), at)) as LocalTime;
}

/**
 * The moment at which the clock on the wall shows this. A reading that occurs twice (clocks set back) is the first of
 * the two; one that never occurs (clocks set forward) is as much later as the clocks skip (RFC 5545, 3.3.5).
 * Throws CalendarError `no_such_zone`.
 */
export function fromLocalTime(zone: string, local: LocalTime): Millis {
  const iana = zoneOf(zone);
  // No zone is more than a day away from UTC, and none changes its clocks twice in two days.
  const before = offset(iana, local - DAY);
  const after = offset(iana, local + DAY);
  const first = local - before;
  if (before === after || offset(iana, first) === before) return millis(first);
  const second = local - after;
  return millis(offset(iana, second) === after ? second : first);
}

function zoneOf(name: string): IANAZone {
  const zone = IANAZone.create(name);
  if (!zone.isValid) throw new CalendarError('no_such_zone');
  return zone;
}

function offset(zone: IANAZone, at: number): number {
  return zone.offset(at) * MINUTE;
}
