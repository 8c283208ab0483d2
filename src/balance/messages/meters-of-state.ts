/** Converts stored messages to the meters of a balance, in the roles that they have now. */
import { hourMs, quarterMs } from '../../protocol/time';
import type { BalanceRole, Quantity } from '../meters/amounts';
import { countersAt, isVolume } from '../meters/field-readings';
import type { BalanceMeter } from '../meters/placed-meters';
import type { CounterReading } from '../meters/readings';
import { filled, shapeOf, type Shapes, type Slot } from '../meters/shape';
import { deliveredFields } from '../meters/slots';
import type { KnownQuarter } from '../period/peak';
import { dayOf } from './kept-messages';
import type { CountedWindows, FieldState, MessagesState, MeterState, Window } from './state';

/** The role that a meter counts in; null: it does not count. */
export type RoleOfMeter = (name: string) => BalanceRole | null;

/** The meters that count, from `from` to `until` (exclusive). */
export function metersOfState(
  state: MessagesState,
  { from, until, timezone }: { readonly from: number; readonly until: number; readonly timezone: string },
  roleOf: RoleOfMeter,
): BalanceMeter[] {
  return metersInRole(state, roleOf).map(([name, meter, role]) => ({
    ...{ name, role, isReadable: true, net: [] },
    ...(meter.title !== undefined && { title: meter.title }),
    offersExport: role === 'grid' ? (meter.offersExport ?? null) : null,
    readings: readingsOf(meter, role, from, until),
    shapes: shapesOf(meter, role, { from, until, timezone }),
  }));
}

/** The highest quarters of days without quarters. Those of several smart meters were at different times. */
export function oldQuartersOf(state: MessagesState, roleOf: RoleOfMeter): KnownQuarter[] {
  const [only, ...others] = metersInRole(state, roleOf).filter(([, , role]) => role === 'grid');
  return only === undefined || others.length > 0 ? [] : Object.values(only[1].peaks ?? {});
}

function metersInRole({ meters }: MessagesState, roleOf: RoleOfMeter): [string, MeterState, BalanceRole][] {
  return Object.entries(meters).flatMap(([name, meter]): [string, MeterState, BalanceRole][] => {
    const role = roleOf(name);
    return role === null ? [] : [[name, meter, role]];
  });
}

/** A reading may count for a later border, so an hour on both sides is included. */
const margin = hourMs;

function readingsOf(
  { latest, quarters, midnights, breaks = {}, offers }: MeterState,
  role: BalanceRole,
  from: number,
  until: number,
): CounterReading[] {
  const lists = [midnights, quarters, breaks].flatMap((list) => Object.entries(list));
  // A border has readings of at most an hour before it.
  const near = lists.filter(([border]) => Number(border) >= from - margin && Number(border) <= until + 2 * margin);
  const readings = [latest, ...near.map(([, at]) => at)].flatMap((at) => countersAt(at, offers, role));
  const seen = new Set<string>();
  return readings.filter(({ counter, ts, amount }) => {
    const key = `${counter} ${ts} ${amount}`;
    const isNear = ts >= from - margin && ts <= until + margin;
    return isNear && !seen.has(key) && seen.add(key);
  });
}

interface Frame {
  readonly from: number;
  readonly until: number;
  readonly timezone: string;
}

function shapesOf({ fields }: MeterState, role: BalanceRole, frame: Frame): Shapes {
  const shapes: Shapes = {};
  for (const [quantity, parts] of fieldsOf(role)) {
    const lists = parts.flatMap(({ field, sign }) => {
      // A receiver that does not know what a meter counts names its volume `volume_m3`.
      const name = isVolume(field) && !Object.hasOwn(fields, field) ? 'volume_m3' : field;
      const known = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return known === undefined
        ? []
        : [slotsOf(known, frame).map((slot) => ({ ...slot, amount: sign * slot.amount + 0 }))];
    });
    const [first, second] = lists;
    if (first === undefined) continue;
    shapes[quantity] = shapeOf(second === undefined ? first : added(first, second));
  }
  return shapes;
}

type PartOfQuantity = (typeof deliveredFields)[BalanceRole][number];

/** Production has two fields; the second one is subtracted. */
function fieldsOf(role: BalanceRole): ReadonlyMap<Quantity, readonly PartOfQuantity[]> {
  const found = new Map<Quantity, PartOfQuantity[]>();
  for (const part of deliveredFields[role]) found.set(part.quantity, [...(found.get(part.quantity) ?? []), part]);
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
function slotsOf(field: FieldState, frame: Frame): Slot[] {
  const { from, until } = frame;
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
  const days = [...within(field.days), ...oldDays(field, frame)].sort((a, b) => a.start - b.start);
  return filled(days, filled(within(field.hours), within(field.quarters)));
}

/** Days that are kept only as sums and were not delivered as a day. */
function oldDays(field: FieldState, { from, until, timezone }: Frame): Slot[] {
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
