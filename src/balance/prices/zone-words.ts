/**
 * The words of prices by the clock: months, days and hours, as evcc writes them (`Nov-Mar`, `Mon-Fri,Sun`, `17-22` or `17:30-22`;
 * https://docs.evcc.io/en/docs/tariffs). Also runs in a browser.
 */

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
/** In the order of `Date.getUTCDay`. */
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

export const minutesOfDay = 1440;

/** Part of a day in minutes since midnight by the clock. Where `to` is not after `from`, it goes on after midnight. */
export interface MinuteRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** @returns 0 (January) to 11; null for other words */
export function parseMonths(words: unknown): ReadonlySet<number> | null {
  return parseNames(words, monthNames);
}

/** @returns 0 (Sunday) to 6; null for other words */
export function parseDays(words: unknown): ReadonlySet<number> | null {
  return parseNames(words, dayNames);
}

/** @returns null for other words */
export function parseHours(words: unknown): MinuteRange[] | null {
  const ranges = splitList(words).map((range): MinuteRange | null => {
    const [from, to, ...others] = range.split('-').map(parseTime);
    const isWhole = typeof from === 'number' && typeof to === 'number' && others.length === 0;
    return isWhole && from !== to && from < minutesOfDay ? { from, to } : null;
  });
  return everyKnown(ranges);
}

/** Minutes since midnight, up to 24:00. */
function parseTime(text: string): number | null {
  const [, hours = '', minutes = '0'] = /^(\d{1,2})(?::([0-5]\d))?$/.exec(text.trim()) ?? [];
  const time = Number(hours) * 60 + Number(minutes);
  return hours === '' || time > minutesOfDay ? null : time;
}

/** Single names, and ranges that include both ends and may go over the end of the list. */
function parseNames(words: unknown, names: readonly string[]): ReadonlySet<number> | null {
  const found = splitList(words).map((range): readonly number[] | null => {
    const [first = -1, last = first, ...others] = range.split('-').map((name) => names.indexOf(name.trim()));
    if (first < 0 || last < 0 || others.length > 0) return null;
    const length = ((last - first + names.length) % names.length) + 1;
    return Array.from({ length }, (_, index) => (first + index) % names.length);
  });
  const all = everyKnown(found);
  return all === null ? null : new Set(all.flat());
}

/** More text than all names and ranges take. */
const mostCharacters = 200;

function splitList(words: unknown): string[] {
  return typeof words === 'string' && words.length <= mostCharacters ? words.split(',') : [''];
}

/** Null if one is null. */
function everyKnown<Value>(list: readonly (Value | null)[]): Value[] | null {
  const known: Value[] = [];
  for (const value of list) {
    if (value === null) return null;
    known.push(value);
  }
  return known;
}
