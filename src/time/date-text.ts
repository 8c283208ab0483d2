/** Dates as texts, shared by dialog and runtime. Imports nothing, because dialogs check dates too. */
/** 2010-01-01 and 2100-01-01 UTC, in ms: no monitor is older, and inside them seconds and milliseconds cannot be confused. */
export const earliestMs = 1_262_304_000_000;
export const latestMs = 4_102_444_800_000;

export function isInRange(ms: number): boolean {
  return ms >= earliestMs && ms < latestMs;
}

export interface WrittenDate {
  /** Local time of that moment, as if it were UTC. */
  readonly localMs: number;
  /** Null: the text has none, so the time zone of the connection applies. */
  readonly offsetMs: number | null;
}

export type DateFlaw = 'not_a_date' | 'no_such_date' | 'out_of_range';

const isoDate =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;

const isoWeek = /^(\d{4})-?W(\d{2})$/i;

/** Reads an ISO 8601 text: `2026`, `2026-10`, `2026-W43`, `2026-10-25`, `2026-10-25T12:00`, with or without offset. */
export function readDate(text: string): WrittenDate | DateFlaw {
  const week = isoWeek.exec(text.trim());
  if (week !== null) return readWeek(Number(week[1]), Number(week[2]));
  const parts = isoDate.exec(text.trim());
  if (parts === null) return 'not_a_date';
  const number = (group: number, absent: number): number =>
    parts[group] === undefined ? absent : Number(parts[group]);
  const [year, month, day] = [number(1, 0), number(2, 1), number(3, 1)];
  const [hour, minute, second] = [number(4, 0), number(5, 0), number(6, 0)];
  const whole = Date.UTC(year, month - 1, day, hour, minute, second);
  // `Date.UTC` turns 30 February into a day of March, and the year 26 into 1926.
  const back = new Date(whole);
  const isDay = back.getUTCFullYear() === year && back.getUTCMonth() === month - 1;
  if (!isDay || hour > 23 || minute > 59 || second > 59) return 'no_such_date';
  const offsetMs = readOffset(parts[8]);
  if (offsetMs === undefined) return 'no_such_date';
  const localMs = whole + Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return isInRange(localMs - (offsetMs ?? 0)) ? { localMs, offsetMs } : 'out_of_range';
}

function readWeek(year: number, week: number): WrittenDate | DateFlaw {
  const localMs = mondayOfWeek(year, week);
  // A year has 52 or 53 weeks.
  if (week < 1 || localMs >= mondayOfWeek(year + 1, 1)) return 'no_such_date';
  return isInRange(localMs) ? { localMs, offsetMs: null } : 'out_of_range';
}

const day = 86_400_000;

/** The first date of an ISO week, as the number that `Date.UTC` returns for it: a Monday. Week 1 is the one with 4 January. */
export function mondayOfWeek(year: number, week: number): number {
  return mondayBefore(Date.UTC(year, 0, 4)) + (week - 1) * 7 * day;
}

/** The Monday of the week that contains the date. */
export function mondayBefore(date: number): number {
  return date - ((new Date(date).getUTCDay() + 6) % 7) * day;
}

/** Null if the text has none, undefined if no time zone has it. */
function readOffset(offset: string | undefined): number | null | undefined {
  if (offset === undefined) return null;
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || 0);
  if (hours > 14 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
