/** A list of prices by time. */
import { otherMoment, parseDate } from '../../calendar/dates';
import { CalendarError } from '../../calendar/zone';
import { hourMs, type Millis } from '../../protocol/time';
import { isRecord } from '../../record';
import { isAbsent, type Money, moneyOf, onlyNames, wrongPrice } from './price-values';

/** Half-open; in a list they ascend and do not overlap. */
export interface PriceEntry {
  readonly start: number;
  readonly end: number;
  readonly value: Money;
}

/** Two years of quarters of an hour. */
const MOST_ENTRIES = 75_000;

/**
 * Each is valid until its end or the next one, those of a list by the hour or by the quarter for an hour or a quarter at most:
 * the hours that it lacks have no price.
 */
export function entriesOf(input: readonly unknown[], path: string, timezone: string): PriceEntry[] {
  if (input.length === 0 || input.length > MOST_ENTRIES) throw wrongPrice(path);
  const read = input.map((entry, index) => entryOf(entry, `${path}[${index}]`, timezone));
  const given = inRepeatedHours(read).sort((a, b) => a.start - b.start);
  const starts = [...new Set(given.map(({ start }) => start))];
  const usual = usualDistance(starts);
  const lasts = usual <= hourMs ? usual : Infinity;
  if (lasts !== Infinity) refuseHalfHours(given);
  return given.flatMap(({ start, end, path: where, value }, index): PriceEntry[] => {
    const next = given[index + 1]?.start ?? Infinity;
    // Of two that start together the later one in the list counts.
    if (next === start) return [];
    const until = end === null ? start + lasts : momentOf(end, `${where}.end`, timezone, start);
    return [{ start, end: Math.min(until, next), value }];
  });
}

interface GivenEntry {
  readonly path: string;
  readonly start: Millis;
  /** Second moment with the local time of its start. */
  readonly other: Millis | null;
  /** Null: none is given. */
  readonly end: unknown;
  readonly value: Money;
}

function entryOf(input: unknown, path: string, timezone: string): GivenEntry {
  if (!isRecord(input)) throw wrongPrice(path);
  onlyNames(input, ['start', 'end', 'value'], `${path}.`);
  const start = momentOf(input['start'], `${path}.start`, timezone);
  const end = isAbsent(input['end']) ? null : input['end'];
  if (end !== null) momentOf(end, `${path}.end`, timezone, start);
  const value = moneyOf(input['value'], `${path}.value`);
  return { path, start, other: otherMoment(input['start'], timezone, start), end, value };
}

/** @param after it has to be later: of a local time that occurs twice it is the second one, where the first one is not */
function momentOf(input: unknown, path: string, timezone: string, after = -Infinity): Millis {
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

/** Of two entries with one local time that occurs twice, the first one is the earlier. @throws {CemmError} INPUT `prices` where order tells nothing */
function inRepeatedHours(given: readonly GivenEntry[]): GivenEntry[] {
  const seen = new Map<number, number>();
  const entries = given.map((entry): GivenEntry => {
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

/** What stands around a repeated hour has to ascend, by its moments or by its local times. */
function refuseDisorder(given: readonly GivenEntry[], entries: readonly GivenEntry[], first: number): void {
  const ascends = (list: readonly GivenEntry[]): boolean => {
    const near = list.filter(({ start }) => Math.abs(start - first) <= 3 * hourMs);
    return near.every(({ start }, index) => index === 0 || start >= (near[index - 1]?.start ?? start));
  };
  if (ascends(entries) || ascends(given)) return;
  const repeated = given.find(({ start, other }) => start === first && other !== null);
  throw wrongPrice(`${repeated?.path ?? ''}.start`);
}

/** In a list by the hour, one entry for a local time that occurs twice can be either of the two hours. */
function refuseHalfHours(given: readonly GivenEntry[]): void {
  const starts = new Set(given.map(({ start }) => start));
  const half = given.find(({ other, end }) => other !== null && end === null && !starts.has(other));
  if (half !== undefined) throw wrongPrice(`${half.path}.start`);
}

/** The most frequent one, of equally frequent ones the smallest; Infinity for one start alone. */
function usualDistance(starts: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const [index, start] of starts.entries()) {
    const before = starts[index - 1];
    if (before !== undefined) counts.set(start - before, (counts.get(start - before) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return Math.min(...[...counts].flatMap(([distance, count]) => (count === most ? distance : [])));
}
