/** Joins two states of one house, such as those of two processes, or what is kept with what came since. */
import { keepReading, keepSum, keepWindow } from './add-message';
import { joinDelivered } from './delivered-role';
import { readState } from './stored-state';
import {
  type CountedWindows,
  emptyField,
  emptyMeter,
  emptyState,
  type FieldState,
  type MessagesState,
  type MeterState,
  type Readings,
  type Sum,
  type Window,
} from './state';

/** Every border has the nearest reading of both, and every window one amount. An invalid state counts as none. */
export function joinStates(one: unknown, other: unknown): MessagesState {
  const [first, second] = [readState(one), readState(other)];
  if (first === null || second === null) return second ?? first ?? emptyState();
  const [older, newer] = first.newest <= second.newest ? [first, second] : [second, first];
  const delivered = joinDelivered(older.delivered, newer.delivered);
  return {
    version: 2,
    newest: newer.newest,
    meters: joinRecords(older.meters, newer.meters, joinMeters),
    ...(delivered !== undefined && { delivered }),
  };
}

function joinMeters(older: MeterState = emptyMeter(), newer: MeterState = emptyMeter()): MeterState {
  const breaks = joinBorders(older.breaks, newer.breaks);
  const peaks = joinRecords(older.peaks ?? {}, newer.peaks ?? {}, (a, b) =>
    a === undefined || (b !== undefined && b[1] > a[1]) ? b : a,
  );
  const hasExport = older.offersExport === true || newer.offersExport;
  return {
    ...older,
    ...newer,
    offers: [...new Set([...older.offers, ...newer.offers])].sort(),
    ...(hasExport !== undefined && { offersExport: hasExport }),
    latest: joinReadings(older.latest, newer.latest, Infinity),
    quarters: joinBorders(older.quarters, newer.quarters),
    midnights: joinBorders(older.midnights, newer.midnights),
    ...(Object.keys(breaks).length > 0 && { breaks }),
    ...(Object.keys(peaks).length > 0 && { peaks }),
    fields: joinRecords(older.fields, newer.fields, joinFields),
  };
}

function joinFields(one: FieldState = emptyField(), other: FieldState = emptyField()): FieldState {
  const [months, years] = [joinSums(one.months, other.months), joinSums(one.years, other.years)];
  return {
    ...(months !== null && { months }),
    ...(years !== null && { years }),
    quarters: joinWindows(one.quarters, other.quarters),
    hours: joinWindows(one.hours, other.hours),
    days: joinWindows(one.days, other.days),
    oldQuarters: joinRecords(one.oldQuarters, other.oldQuarters, withMore),
    oldHours: joinRecords(one.oldHours, other.oldHours, withMore),
  };
}

function joinWindows(one: Record<string, Window>, other: Record<string, Window>): Record<string, Window> {
  const joined = { ...one };
  for (const [start, window] of Object.entries(other)) keepWindow(joined, start, window);
  return joined;
}

/** Null for none. */
function joinSums(one: Record<string, Sum> = {}, other: Record<string, Sum> = {}): Record<string, Sum> | null {
  const joined = { ...one };
  for (const [start, sum] of Object.entries(other)) keepSum(joined, start, sum);
  return Object.keys(joined).length === 0 ? null : joined;
}

function joinBorders(
  one: Record<string, Readings> = {},
  other: Record<string, Readings> = {},
): Record<string, Readings> {
  return joinRecords(one, other, (a, b, border) => joinReadings(a, b, Number(border)));
}

function joinReadings(one: Readings = {}, other: Readings = {}, border: number): Readings {
  const joined: Readings = { ...one };
  for (const [field, reading] of Object.entries(other)) keepReading(joined, field, reading, border);
  return joined;
}

/** The sum of more windows. */
function withMore(one: CountedWindows | undefined, other: CountedWindows | undefined): CountedWindows | undefined {
  return one === undefined || (other !== undefined && countIn(other) > countIn(one)) ? other : one;
}

function countIn({ seen }: CountedWindows): number {
  return BigInt(`0x${seen}`).toString(2).replaceAll('0', '').length;
}

function joinRecords<Value>(
  one: Readonly<Record<string, Value>>,
  other: Readonly<Record<string, Value>>,
  join: (one: Value | undefined, other: Value | undefined, name: string) => Value | undefined,
): Record<string, Value> {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const own = (from: Readonly<Record<string, Value>>, name: string): Value | undefined =>
    Object.hasOwn(from, name) ? from[name] : undefined;
  const joined = [...names].flatMap((name): [string, Value][] => {
    const value = join(own(one, name), own(other, name), name);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(joined);
}
