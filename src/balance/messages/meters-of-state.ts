/** Converts stored messages to the meters of a balance. */
import type { BalanceRole, Quantity } from '../meters/amounts';
import type { BalanceMeter } from '../meters/placed-meters';
import { dayOf } from './kept-messages';
import { type CountedWindows, type FieldState, type MessagesState, type MeterState, type Window } from './state';
import { counters, type CounterReading } from '../meters/readings';
import { deliveredFields } from '../meters/slots';
import { filled, shapeOf, type Shapes, type Slot } from '../meters/shape';
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
    shapes: shapesOf(meter, from, until, timezone),
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

function shapesOf({ role, fields }: MeterState, from: number, until: number, timezone: string): Shapes {
  const shapes: Shapes = {};
  for (const [quantity, parts] of fieldsOf(role)) {
    const lists = parts.flatMap((field) => {
      const known = Object.hasOwn(fields, field) ? fields[field] : undefined;
      return known === undefined ? [] : [slotsOf(known, from, until, timezone)];
    });
    const [first, second] = lists;
    if (first === undefined) continue;
    shapes[quantity] = shapeOf(second === undefined ? first : added(first, second));
  }
  return shapes;
}

/** Production has two fields; the second one is subtracted. */
function fieldsOf(role: BalanceRole): ReadonlyMap<Quantity, readonly string[]> {
  const found = new Map<Quantity, string[]>();
  for (const { quantity, field } of deliveredFields[role]) {
    found.set(quantity, [...(found.get(quantity) ?? []), field]);
  }
  return found;
}

/** The slots that are known in both lists. */
function added(list: readonly Slot[], other: readonly Slot[]): Slot[] {
  const same = new Map(other.map((slot) => [`${slot.start} ${slot.end}`, slot]));
  return list.flatMap((slot): Slot[] => {
    const match = same.get(`${slot.start} ${slot.end}`);
    if (match === undefined) return [];
    return [{ ...slot, amount: slot.amount + match.amount, known: Math.min(slot.known, match.known) }];
  });
}

/** Quarters, and the rest of hours and days in their gaps. */
function slotsOf(field: FieldState, from: number, until: number, timezone: string): Slot[] {
  const within = (list: Record<string, Window>): Slot[] =>
    Object.entries(list)
      .map(([start, [end, amount]]) => ({
        start: Number(start),
        end,
        amount,
        known: end - Number(start),
      }))
      .filter(({ start, end }) => end > from && start < until)
      .sort((a, b) => a.start - b.start);
  const days = [...within(field.days), ...oldDays(field, from, until, timezone)].sort((a, b) => a.start - b.start);
  return filled(days, filled(within(field.hours), within(field.quarters)));
}

/** Days that are kept only as sums and were not delivered as a day. */
function oldDays(field: FieldState, from: number, until: number, timezone: string): Slot[] {
  const starts = new Set([...Object.keys(field.oldQuarters), ...Object.keys(field.oldHours)]);
  return [...starts].flatMap((key): Slot[] => {
    const { start, end } = dayOf(Number(key), timezone);
    if (end <= from || start >= until || field.days[key] !== undefined) return [];
    const quarters = sumOf(field.oldQuarters[key], start, quarterMs);
    const hours = sumOf(field.oldHours[key], start, hourMs);
    const best = hours.known > quarters.known ? hours : quarters;
    return best.known === 0 ? [] : [best];
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
