/**
 * A meter and those that replaced it (`s01,mb5` in a row of the connection's meters) count as one: each day is the day of one
 * meter, the last of the row that has counted something by then. Slots of its first day that are before its first amount are those of
 * the earlier meter, where it has some.
 */
import type { HouseMeter } from './choice';
import { getEntry } from './entries';
import type { BalanceMeter } from './placed-meters';
import { nearestMinute } from './readings';
import { type Shape, toShape, type Shapes, type Slot, toSlots, type Sums, type TariffSums } from './shape';
import { smallest } from '../../checks/extremes';
import { dayMs } from '../../time/units';
import { quantities } from './amounts';

/** The meters of this moment: of each row the last one that the monitor lists. */
export function presentMeters<Meter extends Pick<HouseMeter, 'succession' | 'isGone'>>(
  meters: readonly Meter[],
): Meter[] {
  const known = meters.filter(({ isGone }) => isGone !== true);
  return known.filter(
    ({ succession }) =>
      succession === undefined ||
      !known.some((other) => other.succession?.row === succession.row && other.succession.order > succession.order),
  );
}

/** @param days borders of the days of the period, ascending */
export function joinReplaced(meters: readonly BalanceMeter[], days: readonly number[]): BalanceMeter[] {
  const rows = new Map<string, BalanceMeter[]>();
  for (const meter of meters) {
    const { row = meter.name } = meter.succession ?? {};
    rows.set(row, [...(rows.get(row) ?? []), meter]);
  }
  return [...rows.values()].map((list) =>
    [...list]
      .sort((one, other) => (one.succession?.order ?? 0) - (other.succession?.order ?? 0))
      .reduce((earlier, later) => joined(earlier, later, days)),
  );
}

function joined(earlier: BalanceMeter, later: BalanceMeter, days: readonly number[]): BalanceMeter {
  const first = firstMoment(later);
  const isReadable = earlier.isReadable || later.isReadable;
  if (first === null) return { ...earlier, isReadable };
  if (firstMoment(earlier) === null) return { ...later, isReadable };
  // Before the period: the later meter has all of its days.
  const handover = days.findLast((day) => day <= first) ?? -Infinity;
  const until = <Part extends { readonly start: number }>({ start }: Part): boolean => start < handover;
  const offersExport = earlier.offersExport === true || later.offersExport === true || (later.offersExport ?? null);
  return {
    ...later,
    isReadable,
    offersExport,
    readings: [
      ...earlier.readings.filter(({ ts }) => nearestMinute(ts) <= handover),
      ...later.readings.filter(({ ts }) => nearestMinute(ts) > handover),
    ],
    shapes: joinedShapes(earlier.shapes, later.shapes, findFirstDay(later.shapes, handover, days)),
    sums: joinedSums(earlier.sums ?? {}, later.sums ?? {}, handover),
    tariffSums: joinedTariffSums(earlier.tariffSums ?? {}, later.tariffSums ?? {}, handover),
    // The day of the exchange has no sum: the own sum of each meter is a part of it.
    net: [
      ...earlier.net.filter((slot) => until(slot) && slot.end <= handover),
      ...later.net.filter(({ start }) => start > handover),
    ],
    exchangedAt: [...(earlier.exchangedAt ?? []), ...(later.exchangedAt ?? []), handover],
  };
}

/** The first reading or amount that is not 0: an input for a meter that is not there yet counts 0. Null if there is none. */
function firstMoment({ readings, shapes, sums = {}, net }: BalanceMeter): number | null {
  const firstStart = (slots: readonly Slot[]) => slots.find(({ amount }) => amount !== 0)?.start ?? [];
  // A month does not show the day.
  const ofDays = net.filter(({ start, end }) => end - start < 2 * dayMs);
  const starts = quantities.flatMap((quantity) => [
    ...firstKnown(shapes[quantity]),
    ...(sums[quantity] ?? []).flatMap(firstStart),
  ]);
  // A reading of midnight ends the day before.
  const moments = [
    ...readings.filter(({ amount }) => amount !== 0).map(({ ts }) => nearestMinute(ts) - 1),
    ...starts,
    ...[ofDays].flatMap(firstStart),
  ];
  return moments.length === 0 ? null : moments.reduce((first, ts) => Math.min(first, ts));
}

function firstKnown(shape: Shape | undefined): number[] {
  if (shape === undefined) return [];
  const slot = shape.amounts.findIndex((amount) => amount !== 0);
  return slot < 0 ? [] : [getEntry(shape.starts, slot)];
}

function joinedSums(earlier: Sums, later: Sums, handover: number): Sums {
  const joined: Sums = {};
  for (const quantity of quantities) {
    const [before, after] = [earlier[quantity] ?? [], later[quantity] ?? []];
    joined[quantity] = Array.from({ length: Math.max(before.length, after.length) }, (_, level) =>
      beforeAndAfter(before[level], after[level], handover),
    );
  }
  return joined;
}

function joinedTariffSums(earlier: TariffSums, later: TariffSums, handover: number): TariffSums {
  const joined = (direction: keyof TariffSums) => beforeAndAfter(earlier[direction], later[direction], handover);
  return { import: joined('import'), export: joined('export') };
}

function beforeAndAfter<One extends Slot>(
  earlier: readonly One[] = [],
  later: readonly One[] = [],
  handover: number,
): One[] {
  return [...earlier.filter(({ end }) => end <= handover), ...later.filter(({ start }) => start >= handover)];
}

/** The first day of the later meter, and its first amount on that day; the start of the day where slots show none. */
interface FirstDay {
  readonly start: number;
  readonly firstAmount: number;
}

function findFirstDay(later: Shapes, start: number, days: readonly number[]): FirstDay {
  const end = days.find((day) => day > start) ?? Infinity;
  const inDay = quantities.flatMap((quantity) => firstKnown(later[quantity])).filter((ts) => ts >= start && ts < end);
  return { start, firstAmount: inDay.length === 0 ? start : smallest(inDay) };
}

function joinedShapes(earlier: Shapes, later: Shapes, { start, firstAmount }: FirstDay): Shapes {
  const shapes: Shapes = {};
  for (const quantity of quantities) {
    const [before, after] = [slotsIn(earlier[quantity]), slotsIn(later[quantity])];
    const hasMorning = before.some((slot) => slot.start >= start && slot.start < firstAmount);
    const border = hasMorning ? firstAmount : start;
    const slots = [
      ...before.filter((slot) => slot.start < border),
      ...after
        .filter((slot) => slot.start >= border)
        .map((slot) => (hasMorning && slot.start === border ? withEarlier(slot, before) : slot)),
    ];
    if (slots.length > 0) shapes[quantity] = toShape(slots);
  }
  return shapes;
}

/** In the slot of the exchange both meters may have counted. */
function withEarlier(slot: Slot, before: readonly Slot[]): Slot {
  const same = before.find(({ start, end }) => start === slot.start && end === slot.end);
  return same === undefined ? slot : { ...slot, amount: slot.amount + same.amount };
}

function slotsIn(shape: Shape | undefined): Slot[] {
  return shape === undefined ? [] : toSlots(shape);
}
