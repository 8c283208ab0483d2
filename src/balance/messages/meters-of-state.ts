/** Converts stored messages to the meters of a balance, in the roles that they have now. */
import { hourMs, minuteMs, quarterMs } from '../../time/units';
import { type BalanceRole, perKwh, type Quantity } from '../meters/amounts';
import { countersAt, isVolume } from '../meters/field-readings';
import type { BalanceMeter } from '../meters/placed-meters';
import type { CounterReading } from '../meters/readings';
import { filled, toShape, type Shapes, type Slot, type Sums, type TariffSlot, type TariffSums } from '../meters/shape';
import { deliveredFields } from '../meters/slots';
import type { KnownQuarter } from '../period/peak';
import { findDay } from './kept-messages';
import { midnightsBySums } from './midnights-by-sums';
import {
  unknownSince,
  type CountedWindows,
  type FieldState,
  type MessagesState,
  type MeterState,
  type Sum,
  type Window,
} from './state';

/** The role that a meter counts in; null: it does not count. */
export type RoleOfMeter = (name: string) => BalanceRole | null;

/** A time, epoch ms, half-open. */
interface Frame {
  readonly from: number;
  readonly until: number;
  readonly timezone: string;
}

/** The meters that count, with what is known of a time. */
export function metersOfState(state: MessagesState, frame: Frame, roleOf: RoleOfMeter): BalanceMeter[] {
  const counted = metersInRole(state, roleOf).map(([name, meter, role]) => ({
    name,
    role,
    isReadable: true,
    net: [],
    ...(meter.title !== undefined && { title: meter.title }),
    offersExport: role === 'grid' ? (meter.offersExport ?? null) : null,
    readings: collectReadings(meter, role, frame),
    ...collectSlots(meter, role, frame),
    ...(role === 'grid' && { tariffSums: collectTariffSums(meter, frame) }),
  }));
  return [...counted, ...uncountedSources(state, frame.from, roleOf)];
}

/** The inverters and batteries whose deliveries have nothing that counts: without them the use of the house is unknown. */
function uncountedSources(
  { meters, delivered = {} }: MessagesState,
  from: number,
  roleOf: RoleOfMeter,
): BalanceMeter[] {
  return Object.entries(delivered).flatMap(([name, { last }]): BalanceMeter[] => {
    const role = roleOf(name);
    if (Object.hasOwn(meters, name) || last < from || (role !== 'production' && role !== 'battery')) return [];
    return [{ name, role, isReadable: true, readings: [], shapes: {}, net: [] }];
  });
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

function collectReadings(meter: MeterState, role: BalanceRole, { from, until }: Frame): CounterReading[] {
  const { latest, quarters, midnights, breaks = {}, offers } = meter;
  const lists = [midnights, quarters, breaks, midnightsBySums(meter, from - margin)].flatMap((list) =>
    Object.entries(list),
  );
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

/** Quarters and hours as slots, and the amounts of each length. */
function collectSlots(
  { fields }: MeterState,
  role: BalanceRole,
  frame: Frame,
): { readonly shapes: Shapes; readonly sums: Sums } {
  const shapes: Shapes = {};
  const sums: Sums = {};
  for (const [quantity, parts] of groupFieldsByQuantity(role)) {
    const known = parts.flatMap(({ field, sign }) => {
      // A receiver that does not know what a meter counts names its volume `volume_m3`.
      const name = isVolume(field) && !Object.hasOwn(fields, field) ? 'volume_m3' : field;
      const windows = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return windows === undefined ? [] : [{ windows, sign }];
    });
    if (known.length === 0) continue;
    shapes[quantity] = toShape(inAll(known.map(({ windows, sign }) => signed(shortSlots(windows, frame), sign))));
    const levels = known.map(({ windows, sign }) =>
      [slotsIn(windows.quarters, frame), slotsIn(windows.hours, frame), ...chooseWholeSums(windows, frame)].map(
        (list) => signed(list, sign),
      ),
    );
    sums[quantity] = [0, 1, 2, 3, 4].map((level) => inAll(levels.map((ofField) => ofField[level] ?? [])));
  }
  return { shapes, sums };
}

/** Three values of three decimals differ by as much. */
const tariffTolerance = 0.0022 * perKwh;

/** The days, months and years of which both tariffs and the whole were added up over the same time, and agree. */
function collectTariffSums({ fields }: MeterState, frame: Frame): TariffSums {
  const sumsOf = (field: string): readonly Slot[] => {
    const windows = Object.hasOwn(fields, field) ? fields[field] : undefined;
    return windows === undefined ? [] : chooseWholeSums(windows, frame).flat();
  };
  const collect = (direction: keyof TariffSums): TariffSlot[] => {
    const [low, high] = (['t1', 't2'] as const).map(
      (tariff) => new Map(sumsOf(`energy_${direction}_${tariff}_kwh`).map((slot) => [slotKey(slot), slot])),
    );
    return sumsOf(`energy_${direction}_kwh`).flatMap((slot): TariffSlot[] => {
      const [t1, t2] = [low?.get(slotKey(slot)), high?.get(slotKey(slot))];
      if (t1 === undefined || t2 === undefined) return [];
      if (Math.abs(t1.amount + t2.amount - slot.amount) > tariffTolerance) return [];
      return [{ ...slot, known: Math.min(slot.known, t1.known, t2.known), t1: t1.amount, t2: t2.amount }];
    });
  };
  return { import: collect('import'), export: collect('export') };
}

/** Adding 0 turns -0 into 0. */
function signed(slots: readonly Slot[], sign: 1 | -1): Slot[] {
  return slots.map((slot) => ({ ...slot, amount: sign * slot.amount + 0 }));
}

type PartOfQuantity = (typeof deliveredFields)[BalanceRole][number];

/** Production has two fields; the second one is subtracted. */
function groupFieldsByQuantity(role: BalanceRole): ReadonlyMap<Quantity, readonly PartOfQuantity[]> {
  const found = new Map<Quantity, PartOfQuantity[]>();
  for (const part of deliveredFields[role]) found.set(part.quantity, [...(found.get(part.quantity) ?? []), part]);
  return found;
}

/** The slots that are known in all lists. */
function inAll([first = [], ...others]: readonly (readonly Slot[])[]): Slot[] {
  return others.reduce<Slot[]>((list, other) => added(list, other), [...first]);
}

function added(list: readonly Slot[], other: readonly Slot[]): Slot[] {
  const same = new Map(other.map((slot) => [slotKey(slot), slot]));
  return list.flatMap((slot): Slot[] => {
    const match = same.get(slotKey(slot));
    if (match === undefined) return [];
    return [{ ...slot, amount: slot.amount + match.amount, known: Math.min(slot.known, match.known) }];
  });
}

function slotKey({ start, end }: Slot): string {
  return `${start} ${end}`;
}

/** Quarters, and the rest of hours in their gaps. */
function shortSlots({ hours, quarters }: FieldState, frame: Frame): Slot[] {
  return filled(slotsIn(hours, frame), slotsIn(quarters, frame));
}

function slotsIn(list: Record<string, Window>, { from, until }: Frame): Slot[] {
  return sortWindows(list).filter(({ start, end }) => end > from && start < until);
}

/** A sum that began at an unknown time of its month or year is that of an unknown time, and is left out. */
function sortWindows(list: Record<string, Window | Sum>): Slot[] {
  return Object.entries(list)
    .filter(([start, [, , since]]) => since !== Number(start) + unknownSince)
    .map(([start, [end, amount, since = Number(start)]]) => ({ start: since, end, amount, known: end - since }))
    .sort((a, b) => a.start - b.start);
}

/** A monitor's clock may be ahead by as much. */
const mostAheadMs = hourMs;

/** Days, months and years that are wholly within a time; a part of a sum is unknown. */
function chooseWholeSums(field: FieldState, frame: Frame): Slot[][] {
  const { days, months = {}, years = {} } = field;
  const { from, until, timezone } = frame;
  // A time that ends at a midnight is over: a sum beyond it has a part of the next day.
  const last = findDay(until, timezone).start === until ? until : until + mostAheadMs;
  // A balance goes to the last whole minute. The sum is of the whole time so far, also where its time was rounded up.
  const past = Math.floor(until / minuteMs) * minuteMs;
  return [chooseDays(days, oldDays(field, frame)), sortWindows(months), sortWindows(years)].map((list) =>
    list.flatMap((slot): Slot[] => {
      if (slot.start < from || slot.end > last || slot.start >= past) return [];
      const end = Math.min(slot.end, past);
      return [{ ...slot, end, known: Math.min(slot.known, end - slot.start) }];
    }),
  );
}

/** A day that was not delivered until its end may be known better from its old quarters and hours. */
function chooseDays(delivered: Record<string, Window>, old: readonly (Slot & { readonly day: number })[]): Slot[] {
  const known = new Map(sortWindows(delivered).map((slot) => [slot.start, slot]));
  for (const { day, ...slot } of old) if (slot.known > (known.get(day)?.known ?? 0)) known.set(day, slot);
  return [...known.values()].sort((a, b) => a.start - b.start);
}

/** Days whose quarters or hours are kept only as sums. */
function oldDays(field: FieldState, { from, until, timezone }: Frame): (Slot & { readonly day: number })[] {
  const starts = new Set([...Object.keys(field.oldQuarters), ...Object.keys(field.oldHours)]);
  return [...starts].flatMap((key) => {
    const { start, end } = findDay(Number(key), timezone);
    if (end <= from || start >= until) return [];
    const quarters = sumWindows(field.oldQuarters[key], start, quarterMs);
    const hours = sumWindows(field.oldHours[key], start, hourMs);
    const best = hours.known > quarters.known ? hours : quarters;
    return best.known === 0 ? [] : [{ ...best, day: start }];
  });
}

/** The sum from its first window to its last one; it does not cover the time around them. */
function sumWindows(counted: CountedWindows | undefined, start: number, length: number): Slot {
  if (counted === undefined) return { start, end: start, amount: 0, known: 0 };
  // The last digit is the first window of the day.
  const seen = BigInt(`0x${counted.seen}`).toString(2);
  const first = seen.length - 1 - seen.lastIndexOf('1');
  const known = seen.replaceAll('0', '').length * length;
  return { start: start + first * length, end: start + seen.length * length, amount: counted.sum, known };
}
