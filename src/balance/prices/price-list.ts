import { isDeepStrictEqual } from 'node:util';
import { largest, smallest } from '../../checks/extremes';
import { otherMoment, parseDate } from '../../calendar/dates';
import { CalendarError, toLocalTime } from '../../calendar/zone';
import { hourMs, millis, type Millis } from '../../time/units';
import { isAbsent, isRecord } from '../../checks/record';
import type { InParts } from '../../time/pause';
import { type Money, onlyNames, type UnitPrice, wrongPrice } from './price-values';

/** Half-open; in a list they ascend and do not overlap. */
interface PriceEntry<Value = UnitPrice> {
  readonly start: number;
  readonly end: number;
  readonly value: Value;
}

export interface PriceEntries<Value = UnitPrice> {
  readonly entries: readonly PriceEntry<Value>[];
  /** By the hour or a shorter time. */
  readonly isHourly: boolean;
}

type ReadValue<Value> = (input: unknown, path: string) => Value;

/** Two years of quarter hours. */
const mostEntries = 75_000;

/** More of them are read with a pause. */
const entriesAtOnce = 1000;

/**
 * An entry is valid until its end or the next entry. In a list by the hour or quarter hour it is valid for that long at most:
 * missing hours have no price. Two entries with one start have one price.
 */
export function* readEntries<Value>(
  input: readonly unknown[],
  path: string,
  timezone: string,
  readValue: ReadValue<Value>,
): InParts<PriceEntries<Value>> {
  if (input.length === 0 || input.length > mostEntries) throw wrongPrice(path);
  const read: GivenEntry<Value>[] = [];
  for (const [index, entry] of input.entries()) {
    if (index % entriesAtOnce === 0) yield;
    read.push(parseEntry(entry, `${path}[${index}]`, timezone, readValue));
  }
  const given = inRepeatedHours(read).sort((a, b) => a.start - b.start);
  yield;
  const starts = [...new Set(given.map(({ start }) => start))];
  const usual = usualDistance(starts);
  yield;
  const isHourly = usual <= hourMs;
  const lasts = isHourly ? usual : Infinity;
  if (isHourly) refuseHalfHours(given);
  const entries: PriceEntry<Value>[] = [];
  for (const [index, { start, end, path: where, value }] of given.entries()) {
    if (index % entriesAtOnce === 0) yield;
    const next = given[index + 1]?.start ?? Infinity;
    if (next === start) {
      if (!isDeepStrictEqual(value, given[index + 1]?.value)) throw wrongPrice(`${where}.start`);
      continue;
    }
    const until = end === null ? start + lasts : parseMoment(end, `${where}.end`, timezone, start);
    entries.push({ start, end: Math.min(until, next), value });
  }
  return { entries, isHourly };
}

/**
 * The mean of each clock hour, for contracts by the hour on a market of quarter hours. An hour that has no price for a part of it has
 * none. A list of longer times stays as it is.
 */
export function* averageByHour(list: PriceEntries, timezone: string): InParts<PriceEntries> {
  if (!list.isHourly) return list;
  const hours = new Map<number, { known: bigint; t1: Money; t2: Money; byTariff: boolean }>();
  for (const [index, { start, end, value }] of list.entries.entries()) {
    if (index % entriesAtOnce === 0) yield;
    for (let from = start; from < end;) {
      const hour = startOfHour(from, timezone);
      const to = Math.min(end, hour + hourMs);
      const sums = hours.get(hour) ?? { known: 0n, t1: 0n, t2: 0n, byTariff: false };
      const length = BigInt(to - from);
      const { t1, t2 } = typeof value === 'bigint' ? { t1: value, t2: value } : value;
      hours.set(hour, {
        known: sums.known + length,
        t1: sums.t1 + t1 * length,
        t2: sums.t2 + t2 * length,
        byTariff: sums.byTariff || typeof value !== 'bigint',
      });
      from = to;
    }
  }
  const whole = BigInt(hourMs);
  const entries = [...hours].flatMap(([start, { known, t1, t2, byTariff }]): PriceEntry[] => {
    if (known < whole) return [];
    return [{ start, end: start + hourMs, value: byTariff ? { t1: t1 / whole, t2: t2 / whole } : t1 / whole }];
  });
  return { entries, isHourly: true };
}

/**
 * The entries with those that were read before, which count where both have one.
 * @param before ascending, without overlaps
 */
export function withEarlier({ entries, isHourly }: PriceEntries, before: readonly PriceEntry[]): PriceEntries {
  const rest: PriceEntry[] = [];
  let index = 0;
  for (const { start, end, value } of entries) {
    while ((before[index]?.end ?? Infinity) <= start) index += 1;
    let from = start;
    for (let next = index; (before[next]?.start ?? Infinity) < end; next += 1) {
      const other = before[next];
      if (other === undefined) break;
      if (other.start > from) rest.push({ start: from, end: other.start, value });
      from = Math.max(from, other.end);
    }
    if (from < end) rest.push({ start: from, end, value });
  }
  const isFine = before.some((entry) => entry.end - entry.start <= hourMs);
  return { entries: [...before, ...rest].sort((a, b) => a.start - b.start), isHourly: isHourly || isFine };
}

/** Clock hours of some zones begin at half past of UTC. */
function startOfHour(at: number, timezone: string): number {
  return at - (toLocalTime(timezone, millis(at)) % hourMs);
}

interface GivenEntry<Value> {
  readonly path: string;
  readonly start: Millis;
  /** The second moment with the same local time, if it occurs twice. */
  readonly other: Millis | null;
  /** Null if absent. */
  readonly end: unknown;
  readonly value: Value;
}

function parseEntry<Value>(
  input: unknown,
  path: string,
  timezone: string,
  readValue: ReadValue<Value>,
): GivenEntry<Value> {
  if (!isRecord(input)) throw wrongPrice(path);
  onlyNames(input, ['start', 'end', 'value'], `${path}.`);
  const start = parseMoment(input['start'], `${path}.start`, timezone);
  const end = isAbsent(input['end']) ? null : input['end'];
  if (end !== null) parseMoment(end, `${path}.end`, timezone, start);
  const value = readValue(input['value'], `${path}.value`);
  return { path, start, other: otherMoment(input['start'], timezone, start), end, value };
}

/** @param after earliest moment (exclusive): a local time that occurs twice is the second one if the first is not later */
function parseMoment(input: unknown, path: string, timezone: string, after = -Infinity): Millis {
  try {
    const moment = parseDate(input, timezone);
    if (moment > after) return moment;
    const other = otherMoment(input, timezone, moment);
    if (other !== null && other > after) return other;
  } catch (error) {
    if (!(error instanceof CalendarError)) throw error;
  }
  throw wrongPrice(path);
}

/**
 * The first of two entries with the same repeated local time is the earlier one.
 * @throws {CemmError} INPUT `prices` if the order is ambiguous
 */
function inRepeatedHours<Value>(given: readonly GivenEntry<Value>[]): GivenEntry<Value>[] {
  const seen = new Map<number, number>();
  const entries = given.map((entry): GivenEntry<Value> => {
    const { start, other, path } = entry;
    if (other === null) return entry;
    const count = (seen.get(start) ?? 0) + 1;
    seen.set(start, count);
    if (count > 2) throw wrongPrice(`${path}.start`);
    return count === 2 ? { ...entry, start: other } : entry;
  });
  for (const [first, count] of seen) if (count === 2) refuseDisorder(given, entries, first);
  return entries;
}

/** The entries around a repeated hour must ascend, by their moments or by their local times. */
function refuseDisorder(
  given: readonly GivenEntry<unknown>[],
  entries: readonly GivenEntry<unknown>[],
  first: number,
): void {
  const ascends = (list: readonly GivenEntry<unknown>[]): boolean => {
    const near = list.filter(({ start }) => Math.abs(start - first) <= 3 * hourMs);
    return near.every(({ start }, index) => index === 0 || start >= (near[index - 1]?.start ?? start));
  };
  if (ascends(entries) || ascends(given)) return;
  const repeated = given.find(({ start, other }) => start === first && other !== null);
  throw wrongPrice(`${repeated?.path ?? ''}.start`);
}

/** In a list by the hour, a single entry for a repeated local time could be either hour. */
function refuseHalfHours(given: readonly GivenEntry<unknown>[]): void {
  const starts = new Set(given.map(({ start }) => start));
  const half = given.find(({ other, end }) => other !== null && end === null && !starts.has(other));
  if (half !== undefined) throw wrongPrice(`${half.path}.start`);
}

/** The most frequent distance, or the smallest of several; Infinity for a single start. */
function usualDistance(starts: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const [index, start] of starts.entries()) {
    const before = starts[index - 1];
    if (before !== undefined) counts.set(start - before, (counts.get(start - before) ?? 0) + 1);
  }
  const most = largest(counts.values());
  return smallest([...counts].flatMap(([distance, count]) => (count === most ? distance : [])));
}
