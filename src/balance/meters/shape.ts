/** Amounts of slots such as minutes. They distribute the counted amount over a day, and replace it if there are no counters. */
import { minuteMs } from '../../time/units';
import { amountOfAverage, quantities, split, type Amount, type Quantity } from './amounts';
import { getEntry } from './entries';

/** Slots in ascending order, without overlap. The time between them is unknown. */
export interface Shape {
  /** Start of each slot, epoch ms. */
  readonly starts: Float64Array;
  /** End of each slot (exclusive), epoch ms. */
  readonly ends: Float64Array;
  readonly amounts: Float64Array;
  /** Measured ms of each slot. */
  readonly known: Float64Array;
}

const columns = ['starts', 'ends', 'amounts', 'known'] as const satisfies readonly (keyof Shape)[];

/** `bothWays`: the weight of each slot of the grid in what flowed in both directions within its minutes (both-ways.ts). */
const columnNames = [...quantities, 'bothWays'] as const;
export type Shapes = Partial<Record<(typeof columnNames)[number], Shape>>;

/** A whole amount, and what each tariff has of it. */
export interface TariffSlot extends Slot {
  readonly t1: Amount;
  readonly t2: Amount;
}

/** The delivered days, then months, then years of each direction. */
export type TariffSums = Partial<Record<'import' | 'export', readonly TariffSlot[]>>;

/**
 * Amounts that a monitor added up itself, of quarters, hours, days, months and years: those of each length in ascending order, the
 * shortest length first.
 */
export type Sums = Partial<Record<Quantity, readonly (readonly Slot[])[]>>;

export interface Slot {
  readonly start: number;
  readonly end: number;
  readonly amount: Amount;
  readonly known: number;
}

/** @param slots ascending, without overlap */
export function toShape(slots: readonly Slot[]): Shape {
  const shape = emptyShape(slots.length);
  slots.forEach(({ start, end, amount, known }, slot) => {
    shape.starts[slot] = start;
    shape.ends[slot] = end;
    shape.amounts[slot] = amount;
    shape.known[slot] = known;
  });
  return shape;
}

/** Zeros. The columns share their memory, which is requested once. */
export function emptyShape(count: number): Shape {
  const all = new Float64Array(4 * count);
  const columnAt = (index: number): Float64Array => all.subarray(index * count, (index + 1) * count);
  return { starts: columnAt(0), ends: columnAt(1), amounts: columnAt(2), known: columnAt(3) };
}

/** The first slots of a shape that has room for more, without the memory of the others. */
export function firstSlots(shape: Shape, count: number): Shape {
  if (count === shape.starts.length) return shape;
  const first = emptyShape(count);
  for (const column of columns) first[column].set(shape[column].subarray(0, count));
  return first;
}

export function toSlots({ starts, ends, amounts, known }: Shape): Slot[] {
  const slots: Slot[] = [];
  starts.forEach((start, slot) => {
    slots.push({ start, end: ends[slot] ?? NaN, amount: amounts[slot] ?? NaN, known: known[slot] ?? NaN });
  });
  return slots;
}

/** Measured time of an amount whose age is unknown. */
export const leastKnown = minuteMs;

/** Limits the measured time of the current slot to the last reading (null: none); later slots get the least measured time. */
export function knownUntil(last: number | null, shape: Shape): Shape {
  const newest = shape.starts.length - 1;
  const slots = Array.from(shape.starts, (start, slot): Slot => {
    const end = getEntry(shape.ends, slot);
    const amount = getEntry(shape.amounts, slot);
    if (last !== null && last > start)
      return { start, end: Math.min(end, last), amount, known: Math.min(end, last) - start };
    const isOld = last !== null || slot === newest;
    return { start, end, amount, known: isOld ? Math.min(leastKnown, end - start) : end - start };
  });
  return toShape(slots);
}

/** True if the last slot was not over when it was read, and its age is unknown. */
export function isOpenEnded({ starts, ends, known }: Shape): boolean {
  const newest = starts.length - 1;
  return newest >= 0 && getEntry(known, newest) < getEntry(ends, newest) - getEntry(starts, newest);
}

/**
 * Joins the minutes of each clock quarter or hour that is known completely; other slots stay. A year of minutes takes 17 MB.
 * @param dayStart first moment of the day, from which the quarters and hours are counted
 */
export function joinedSlots(shapes: Shapes, dayStart: number, length: number): Shapes {
  const joined: Shapes = {};
  for (const name of columnNames) {
    const shape = shapes[name];
    if (shape !== undefined) joined[name] = inSlots(shape, dayStart, length);
  }
  return joined;
}

function inSlots({ starts, ends, amounts, known }: Shape, dayStart: number, length: number): Shape {
  const isFirst = (start: number): boolean => (start - dayStart) % length === 0;
  const joined = emptyShape(starts.length);
  let count = 0;
  // The first one of the joined slots that can become one, with the sums of them.
  let [first, amount, measured] = [0, 0, 0];
  starts.forEach((start, slot) => {
    if (isFirst(start)) [first, amount, measured] = [count, 0, 0];
    joined.starts[count] = start;
    joined.ends[count] = ends[slot] ?? NaN;
    joined.amounts[count] = amounts[slot] ?? NaN;
    joined.known[count] = known[slot] ?? NaN;
    amount += amounts[slot] ?? NaN;
    measured += known[slot] ?? NaN;
    count += 1;
    const begin = joined.starts[first] ?? NaN;
    const isWhole = begin === (ends[slot] ?? NaN) - length && isFirst(begin) && measured === length;
    if (!isWhole) return;
    joined.ends[first] = ends[slot] ?? NaN;
    joined.amounts[first] = amount;
    joined.known[first] = length;
    count = first + 1;
    [first, amount, measured] = [count, 0, 0];
  });
  return firstSlots(joined, count);
}

/** Joins the shapes of several days. The first shape of a day counts. */
export function joinShapes(days: readonly Shapes[]): Shapes {
  const joined: Shapes = {};
  for (const name of columnNames) {
    const parts = days.flatMap((day) => day[name] ?? []).filter(({ starts }) => starts.length > 0);
    if (parts.length > 0) joined[name] = joinInOrder(parts);
  }
  return joined;
}

function joinInOrder(parts: readonly Shape[]): Shape {
  const sorted = [...parts].sort((a, b) => getEntry(a.starts, 0) - getEntry(b.starts, 0));
  const apart: Shape[] = [];
  for (const part of sorted) {
    const end = apart.at(-1)?.ends.at(-1) ?? -Infinity;
    if (getEntry(part.starts, 0) >= end) apart.push(part);
  }
  const [only, ...others] = apart;
  if (only !== undefined && others.length === 0) return only;
  const joined = emptyShape(apart.reduce((sum, { starts }) => sum + starts.length, 0));
  let from = 0;
  for (const part of apart) {
    for (const column of columns) joined[column].set(part[column], from);
    from += part.starts.length;
  }
  return joined;
}

/** Reads a shape once, in ascending order. */
export class ShapeWalk {
  private slot = 0;

  constructor(private readonly shape: Shape | null) {}

  /**
   * The amount in a time that is not before the previous one. A slot across its borders is divided in proportion to time.
   * @returns `cut` true if a slot crosses one of the borders, `goesOn` if one crosses the second border
   */
  between(from: number, to: number): { amount: Amount; known: number; cut: boolean; goesOn: boolean } {
    let amount: Amount = 0;
    let known = 0;
    let cut = false;
    let goesOn = false;
    const { shape } = this;
    if (shape === null) return { amount, known, cut, goesOn };
    const { starts, ends, amounts, known: knownOf } = shape;
    // A year has half a million slots: the loop makes no object for any of them, and reads each array by itself.
    for (; this.slot < starts.length; this.slot += 1) {
      const start = starts[this.slot] ?? NaN;
      const end = ends[this.slot] ?? NaN;
      if (start >= to) break;
      const length = end - start;
      const a = Math.max(from, start) - start;
      const b = Math.min(to, end) - start;
      if (b > a) {
        const whole = amounts[this.slot] ?? NaN;
        const measured = knownOf[this.slot] ?? NaN;
        if (b - a === length) {
          amount += Math.round(whole);
          known += Math.round(measured);
        } else {
          amount += Math.round(whole * (b / length)) - Math.round(whole * (a / length));
          known += Math.round(measured * (b / length)) - Math.round(measured * (a / length));
          cut = true;
        }
      }
      if (end > to) {
        goesOn = true;
        break;
      }
    }
    return { amount, known, cut, goesOn };
  }
}

/**
 * Fills the gaps between the fine slots, and their own unknown time, evenly with the rest of the coarse slots. A rest that cannot be counts
 * as 0.
 */
export function filled(coarse: readonly Slot[], fine: readonly Slot[], limit: RestLimit = limitRest): Slot[] {
  const all: Slot[] = [];
  let index = 0;
  const takeUntil = (end: number): Slot[] => {
    const first = index;
    for (; (fine[index]?.start ?? Infinity) < end; index += 1);
    return fine.slice(first, index);
  };
  for (const slot of coarse) {
    for (const before of takeUntil(slot.start)) all.push(before);
    for (const part of filledSlot(slot, takeUntil(slot.end), limit)) all.push(part);
  }
  for (const after of takeUntil(Infinity)) all.push(after);
  return all.sort((a, b) => a.start - b.start);
}

/** The rest of a sum in the ms that lack in its parts, or 0 if it cannot be. */
export type RestLimit = (rest: Amount, sum: Amount, ms: number) => Amount;

/** An amount of one direction has no part of the other one. */
export function limitRest(rest: Amount, sum: Amount): Amount {
  return sum >= 0 ? Math.max(0, rest) : Math.min(0, rest);
}

/** Most power that an inverter takes, W. */
const mostOwnUse = 100;

/** Production is net: at night an inverter takes something, and in the morning it gives more than it has taken. */
export function limitRestOfProduction(rest: Amount, _sum: Amount, ms: number): Amount {
  return rest < amountOfAverage(-mostOwnUse, 'production', ms) ? 0 : rest;
}

/** The slots inside a sum and the gaps between them, with its rest. Slots that are wholly known stay. */
function filledSlot(sum: Slot, inside: readonly Slot[], limit: RestLimit): readonly Slot[] {
  const parts = withGaps(sum, inside);
  const lacking = parts.map(({ start, end, known }) => Math.max(0, end - start - known));
  const missing = lacking.reduce((total, ms) => total + ms, 0);
  if (missing <= 0) return inside;
  const rest = inside.reduce((left, { amount }) => left - amount, sum.amount);
  const shares = split(limit(rest, sum.amount, missing), lacking);
  const measured = inside.reduce((left, { known }) => left - known, sum.known);
  const known = split(Math.max(0, measured), lacking);
  return parts.map((part, index) =>
    lacking[index] === 0
      ? part
      : { ...part, amount: part.amount + getEntry(shares, index), known: part.known + getEntry(known, index) },
  );
}

function withGaps({ start, end }: Slot, inside: readonly Slot[]): Slot[] {
  const parts: Slot[] = [];
  let from = start;
  for (const slot of inside) {
    if (slot.start > from) parts.push({ start: from, end: slot.start, amount: 0, known: 0 });
    parts.push(slot);
    from = Math.max(from, slot.end);
  }
  if (end > from) parts.push({ start: from, end, amount: 0, known: 0 });
  return parts;
}
