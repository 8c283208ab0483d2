/** Local dates of Amsterdam by Temporal, without code of src/calendar. */
import { Temporal } from '@js-temporal/polyfill';

const hourMs = 3_600_000;

export const quarterMs = hourMs / 4;

/** The changes of the clock, ascending: the moment, and local time minus UTC from then on. */
const changes = changesBetween(2010, 2040);

function changesBetween(first: number, last: number): readonly (readonly [moment: number, offset: number])[] {
  const end = Date.UTC(last, 0);
  let at = Temporal.Instant.fromEpochMilliseconds(Date.UTC(first, 0)).toZonedDateTimeISO('Europe/Amsterdam');
  const found: [number, number][] = [];
  while (at.epochMilliseconds < end) {
    found.push([at.epochMilliseconds, at.offsetNanoseconds / 1e6]);
    const next = at.getTimeZoneTransition('next');
    if (next === null) break;
    at = next;
  }
  return found;
}

/** The time without a change that holds the latest moment: most moments follow each other. */
let latest = { from: 0, end: 0, offset: 0 };

/** Local time minus UTC at a moment. */
function findOffset(moment: number): number {
  if (moment < latest.from || moment >= latest.end) {
    const index = changes.findLastIndex(([from]) => from <= moment);
    const [from, offset] = changes[index] ?? [];
    if (from === undefined || offset === undefined)
      throw new Error(`${new Date(moment).toISOString()} is before the first change`);
    latest = { from, end: changes[index + 1]?.[0] ?? Infinity, offset };
  }
  return latest.offset;
}

/** The moment of a local time that exists once. */
export function findLocalMoment(year: number, month: number, day: number, hour = 0, minute = 0): number {
  const local = Date.UTC(year, month - 1, day, hour, minute);
  return findOffset(local - 2 * hourMs) === 2 * hourMs ? local - 2 * hourMs : local - hourMs;
}

/** A local date or time such as `2027-03-28` or `2027-03-28T06:00`; a number is epoch ms. */
export function momentIn(written: string | number): number {
  if (typeof written === 'number') return written;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = written.split(/[-T:]/).map(Number);
  return findLocalMoment(year, month, day, hour, minute);
}

export interface LocalTime {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  /** 0: Sunday. */
  readonly weekday: number;
}

export function localTime(moment: number): LocalTime {
  const local = new Date(moment + findOffset(moment));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    weekday: local.getUTCDay(),
  };
}

type Unit = 'day' | 'month' | 'year';

/** The start of the local day, month or year that holds a moment, or of one before or after it. */
export function findUnitStart(unit: Unit, moment: number, shift = 0): number {
  const { year, month, day } = localTime(moment);
  if (unit === 'year') return findLocalMoment(year + shift, 1, 1);
  return unit === 'month' ? findLocalMoment(year, month + shift, 1) : findLocalMoment(year, month, day + shift);
}

/** The first moments of the local days from `from` to `to`, and `to`. */
export function midnights(from: number, to: number): number[] {
  const found: number[] = [];
  for (let day = findUnitStart('day', from); day < to; day = findUnitStart('day', day, 1)) {
    if (day >= from) found.push(day);
  }
  return [...found, to];
}

/** First moment and end of a year, month or day such as `2027`, `2027-03` and `2027-03-28`. */
export function spanOf(label: string): readonly [from: number, to: number] {
  const [year = 0, month, day] = label.split('-').map(Number);
  if (month === undefined) return [findLocalMoment(year, 1, 1), findLocalMoment(year + 1, 1, 1)];
  if (day === undefined) return [findLocalMoment(year, month, 1), findLocalMoment(year, month + 1, 1)];
  return [findLocalMoment(year, month, day), findLocalMoment(year, month, day + 1)];
}

export function daysOfYear(year: number): number {
  return (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / (24 * hourMs);
}
