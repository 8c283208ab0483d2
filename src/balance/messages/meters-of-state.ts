/** Converts stored messages to the meters of a balance. */
import type { BalanceRole, Quantity } from '../meters/amounts';
import type { BalanceMeter } from '../meters/placed-meters';
import { dayOf } from './kept-messages';
import {
  type CountedWindows,
  type FieldState,
  type MessagesState,
  type MeterState,
  type Sum,
  type Window,
} from './state';
import { counters, type CounterReading } from '../meters/readings';
import { deliveredFields } from '../meters/slots';
import { filled, shapeOf, type Shapes, type Slot, type Sums } from '../meters/shape';
import { hourMs, quarterMs } from '../../protocol/time';

/** The meters from `from` to `until` (exclusive). */
export function metersOfState(state: MessagesState, from: number, until: number, timezone: string): BalanceMeter[] {
  return Object.entries(state.meters).map(([name, meter]) => ({
    name,
    role: meter.role,
    ...(meter.title !== undefined && { title: meter.title }),
    isReadable: true,
    offersExport: meter.offersExport ?? null,
    readings: readingsOf(meter, from, until),
    ...slotsOf(meter, from, until, timezone),
    net: [],
  }));
}

/** A reading may count for a later border, so an hour on both sides is included. */
const margin = hourMs;

function readingsOf(
  { latest, quarters, midnights, breaks = {} }: MeterState,
  from: number,
  until: number,
): CounterReading[] {
  const kept = [latest, ...Object.values(midnights), ...Object.values(quarters), ...Object.values(breaks)];
  const readings = kept.flatMap((readings) =>
    counters.flatMap((counter): CounterReading[] => {
      const [ts, amount] = readings[counter] ?? [NaN, 0];
      return ts >= from - margin && ts <= until + margin ? [{ counter, ts, amount }] : [];
    }),
  );
  const seen = new Set<string>();
  return readings.filter(({ counter, ts, amount }) => {
    const key = `${counter} ${ts} ${amount}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

/** Quarters and hours as slots, and the sums of longer times. */
function slotsOf(
  { role, fields }: MeterState,
  from: number,
  until: number,
  timezone: string,
): { readonly shapes: Shapes; readonly sums: Sums } {
  const shapes: Shapes = {};
  const sums: Sums = {};
  for (const [quantity, parts] of fieldsOf(role)) {
    const known = parts.flatMap((field) => (Object.hasOwn(fields, field) ? (fields[field] ?? []) : []));
    if (known.length === 0) continue;
    shapes[quantity] = shapeOf(inAll(known.map((field) => shortSlots(field, from, until))));
    const levels = known.map((field) => sumsOf(field, from, until, timezone));
    sums[quantity] = [0, 1, 2].map((level) => inAll(levels.map((ofField) => ofField[level] ?? [])));
  }
  return { shapes, sums };
}

/** Production has two fields; the second one is subtracted. */
function fieldsOf(role: BalanceRole): ReadonlyMap<Quantity, readonly string[]> {
  const found = new Map<Quantity, string[]>();
  for (const { quantity, field } of deliveredFields[role]) {
    found.set(quantity, [...(found.get(quantity) ?? []), field]);
  }
  return found;
}

/** The slots that are known in all lists. */
function inAll([first = [], ...others]: readonly (readonly Slot[])[]): Slot[] {
  return others.reduce<Slot[]>((list, other) => added(list, other), [...first]);
}

function added(list: readonly Slot[], other: readonly Slot[]): Slot[] {
  const same = new Map(other.map((slot) => [`${slot.start} ${slot.end}`, slot]));
  return list.flatMap((slot): Slot[] => {
    const match = same.get(`${slot.start} ${slot.end}`);
    if (match === undefined) return [];
    return [{ ...slot, amount: slot.amount + match.amount, known: Math.min(slot.known, match.known) }];
  });
}

/** Quarters, and the rest of hours in their gaps. */
function shortSlots(field: FieldState, from: number, until: number): Slot[] {
  const within = (list: Record<string, Window>): Slot[] =>
    inOrder(list).filter(({ start, end }) => end > from && start < until);
  return filled(within(field.hours), within(field.quarters));
}

function inOrder(list: Record<string, Window | Sum>): Slot[] {
  return Object.entries(list)
    .map(([start, [end, amount, since = Number(start)]]) => ({ start: since, end, amount, known: end - since }))
    .sort((a, b) => a.start - b.start);
}

/** A monitor's clock may be ahead by as much. */
const mostAheadMs = hourMs;

/** Days, months and years that are wholly within a time; a part of a sum is unknown. */
function sumsOf(field: FieldState, from: number, until: number, timezone: string): Slot[][] {
  const { days, months = {}, years = {} } = field;
  // A time that ends at a midnight is over: a sum beyond it has a part of the next day.
  const last = dayOf(until, timezone).start === until ? until : until + mostAheadMs;
  return [daysOf(days, oldDays(field, from, until, timezone)), inOrder(months), inOrder(years)].map((list) =>
    list.flatMap((slot): Slot[] => {
      if (slot.start < from || slot.end > last || slot.start >= until) return [];
      const end = Math.min(slot.end, until);
      return [{ ...slot, end, known: Math.min(slot.known, end - slot.start) }];
    }),
  );
}

/** A day that was not delivered until its end may be known better from its old quarters and hours. */
function daysOf(delivered: Record<string, Window>, old: readonly (Slot & { readonly day: number })[]): Slot[] {
  const known = new Map(inOrder(delivered).map((slot) => [slot.start, slot]));
  for (const { day, ...slot } of old) if (slot.known > (known.get(day)?.known ?? 0)) known.set(day, slot);
  return [...known.values()].sort((a, b) => a.start - b.start);
}

/** Days whose quarters or hours are kept only as sums. */
function oldDays(
  field: FieldState,
  from: number,
  until: number,
  timezone: string,
): (Slot & { readonly day: number })[] {
  const starts = new Set([...Object.keys(field.oldQuarters), ...Object.keys(field.oldHours)]);
  return [...starts].flatMap((key) => {
    const { start, end } = dayOf(Number(key), timezone);
    if (end <= from || start >= until) return [];
    const quarters = sumOf(field.oldQuarters[key], start, quarterMs);
    const hours = sumOf(field.oldHours[key], start, hourMs);
    const best = hours.known > quarters.known ? hours : quarters;
    return best.known === 0 ? [] : [{ ...best, day: start }];
  });
}

/** The sum from its first window to its last one; it does not cover the time around them. */
function sumOf(counted: CountedWindows | undefined, start: number, length: number): Slot {
  if (counted === undefined) return { start, end: start, amount: 0, known: 0 };
  // The last digit is the first window of the day.
  const seen = BigInt(`0x${counted.seen}`).toString(2);
  const first = seen.length - 1 - seen.lastIndexOf('1');
  const known = seen.replaceAll('0', '').length * length;
  return { start: start + first * length, end: start + seen.length * length, amount: counted.sum, known };
}
