/** Local time in an IANA zone, by arithmetic on offsets: never the host's zone. */
import { IANAZone } from 'luxon';
import { millis, type Millis } from '../wire/time';
import { CalendarError } from './calendar-error';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** A clock reading without a zone (`Date.UTC(year, month, day, …)` of what the clock on the wall shows). */
export type WallTime = number & { readonly __wall: 'ms' };

/** True for a name of the IANA database that this Node.js knows (`Europe/Amsterdam`, `UTC`); false for `+02:00`. */
export function isTimezone(zone: unknown): zone is string {
  return typeof zone === 'string' && /^[A-Za-z]/.test(zone) && IANAZone.isValidZone(zone);
}

/** What the clock on the wall shows at the moment. Throws CalendarError `no_such_zone`. */
export function toWallTime(zone: string, at: Millis): WallTime {
  return (at + offset(zoneOf(zone), at)) as WallTime;
}

/**
 * The moment at which the clock on the wall shows this. A reading that occurs twice (clocks set back) is the first of
 * the two; one that never occurs (clocks set forward) is as much later as the clocks skip (RFC 5545, 3.3.5).
 * Throws CalendarError `no_such_zone`.
 */
export function fromWallTime(zone: string, wall: WallTime): Millis {
  const iana = zoneOf(zone);
  // No zone is more than a day away from UTC, and none changes its clocks twice in two days.
  const before = offset(iana, wall - DAY);
  const after = offset(iana, wall + DAY);
  const first = wall - before;
  if (before === after || offset(iana, first) === before) return millis(first);
  const second = wall - after;
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
