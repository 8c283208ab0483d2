/** Dates as people and flows give them (contract.md section 1). */
import { types } from 'node:util';
import {
  earliestMoment,
  latestMoment,
  millis,
  type Millis,
  secondsToMillis,
  toMillis,
  toSeconds,
} from '../protocol/time';
import { CalendarError, fromLocalTime, type LocalTime } from './zone';

const ISO =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;

/**
 * The moment of a Date, an ISO 8601 text (`2026`, `2026-10`, `2026-10-25`, `2026-10-25T12:00`, with or without offset;
 * what has none is read in the installation's zone) or a number (epoch seconds or milliseconds of 2010 to 2100).
 * Throws CalendarError `not_a_date`, `no_such_date`, `out_of_range` or `no_such_zone`.
 */
export function parseDate(input: unknown, zone: string): Millis {
  const at = momentOf(input, zone);
  if (at < earliestMoment || at >= latestMoment) throw new CalendarError('out_of_range');
  return at;
}

function momentOf(input: unknown, zone: string): Millis {
  if (typeof input === 'number' && Number.isFinite(input)) return fromNumber(input);
  if (typeof input === 'string') return fromText(input.trim(), zone);
  // Not `instanceof`: a function node makes its Dates in another realm.
  if (types.isDate(input) && Number.isFinite(input.getTime())) return millis(input.getTime());
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
  const match = ISO.exec(text);
  if (!match) throw new CalendarError('not_a_date');
  const [year, month, day, hour, minute, second] = [1, 2, 3, 4, 5, 6].map((group) => digits(match[group]));
  const local = checkedWallTime([year ?? 0, month ?? 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0]);
  const precise = (local + Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))) as LocalTime;
  const offset = match[8];
  return offset === undefined ? fromLocalTime(zone, precise) : millis(precise - offsetMs(offset));
}

type Fields = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** `Date.UTC` lets 30 February run over into March, and takes the year 26 for 1926. */
function checkedWallTime([year, month, day, hour, minute, second]: Fields): LocalTime {
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(local);
  const isDate = back.getUTCFullYear() === year && back.getUTCMonth() === month - 1;
  if (!isDate || hour > 23 || minute > 59 || second > 59) throw new CalendarError('no_such_date');
  return local as LocalTime;
}

function offsetMs(offset: string): number {
  if (offset.toUpperCase() === 'Z') return 0;
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3).replace(':', '') || 0);
  if (hours > 14 || minutes > 59) throw new CalendarError('no_such_date');
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function digits(group: string | undefined): number | undefined {
  return group === undefined ? undefined : Number(group);
}
