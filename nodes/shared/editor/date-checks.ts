/** Checks of dates that are written in a node. They accept what src/calendar/parse-date.ts accepts (a test compares them). */
import type { Verdict } from './checks';

const iso =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;

const years = { first: 2010, last: 2099 } as const;

/** ISO 8601: a year, a month, a day or a moment of the years 2010 to 2099. */
export function date(text: string): Verdict {
  return wallTime(text) === null ? { key: 'check.date' } : true;
}

/** Whether the end of a range lies before its start; false where one of them is not a date. */
export function endsBeforeStart(from: string, to: string): boolean {
  const start = wallTime(from);
  const end = wallTime(to);
  return start !== null && end !== null && end < start;
}

/** The clock time that is written, as if it were UTC: the connection's zone is not needed to put two of them in order. */
function wallTime(text: string): number | null {
  const parts = iso.exec(text.trim());
  if (parts === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(time);
  // 30 February runs over into March: what does not come back as it went in does not exist.
  const exists =
    back.getUTCFullYear() === year &&
    back.getUTCMonth() === month - 1 &&
    back.getUTCDate() === day &&
    back.getUTCHours() === hour &&
    back.getUTCMinutes() === minute &&
    back.getUTCSeconds() === second;
  return exists && hasKnownOffset(parts[7]) && year >= years.first && year <= years.last ? time : null;
}

function hasKnownOffset(offset: string | undefined): boolean {
  if (offset === undefined || offset.toUpperCase() === 'Z') return true;
  return Number(offset.slice(1, 3)) <= 14 && Number(offset.slice(3).replace(':', '')) <= 59;
}
