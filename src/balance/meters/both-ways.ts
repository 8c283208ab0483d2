/**
 * Import and export within one minute. The smart meter counts what flows in both directions twice; the mean of the minute has only
 * the difference. A house with a battery has hours of it: the battery follows the use some seconds later. It belongs to the minutes with
 * little power at the grid. If import and export were scaled to their counters instead, it would all go to the few hours that have import
 * or export anyway, and the house would use less than nothing there.
 */
import { smallest } from '../../checks/extremes';
import { minuteMs } from '../../time/units';
import { amountOfAverage, split } from './amounts';
import { getEntry } from './entries';
import type { Stretch } from './readings';
import { type Shape, type Shapes, ShapeWalk } from './shape';

/** W: a minute with more of it in one direction has nothing of the other one. */
const most = 500;
/** Without export so near to it, a minute has none: the use of a house at night is small as well. */
const near = 15 * minuteMs;

/** The shapes of a day with the weights of its minutes, if it has minutes of both directions. */
export function weighBothWays(shapes: Shapes): Shapes {
  const { import: taken, export: given } = shapes;
  if (taken === undefined || given === undefined || !hasSameSlots(taken, given)) return shapes;
  const { starts, ends } = given;
  const limit = amountOfAverage(most, 'export', minuteMs);
  const canExport = minutesNearExport(taken, given);
  const amounts = given.amounts.map((amount, slot) => {
    const flowed = Math.max(amount, getEntry(taken.amounts, slot));
    const isMinute = getEntry(ends, slot) - getEntry(starts, slot) === minuteMs;
    return isMinute && canExport[slot] === 1 ? Math.max(0, limit - flowed) : 0;
  });
  return { ...shapes, bothWays: { starts, ends, amounts, known: given.known } };
}

/** 1 for a minute with export, or with no power at all, soon before or after it. */
function minutesNearExport(taken: Shape, given: Shape): Uint8Array {
  const { starts } = given;
  const marked = new Uint8Array(starts.length);
  let [first, last] = [0, 0];
  starts.forEach((start, slot) => {
    if (getEntry(given.amounts, slot) === 0 && getEntry(taken.amounts, slot) !== 0) return;
    while (getEntry(starts, first) < start - near) first += 1;
    last = Math.max(last, slot);
    while (last < starts.length && getEntry(starts, last) <= start + near) last += 1;
    marked.fill(1, first, last);
  });
  return marked;
}

type Counted = Pick<Stretch, 'from' | 'to' | 'amount'>;

/**
 * Import and export with what flowed both ways: of each time that is measured minute by minute, the amount by which both counters
 * exceed the minutes, the same in both. The net amount of each slot stays.
 */
export function withBothWays(shapes: Shapes, taken: readonly Counted[], given: readonly Counted[]): Shapes {
  const { import: taking, export: giving, bothWays } = shapes;
  if (taking === undefined || giving === undefined || bothWays === undefined) return shapes;
  if (!hasSameSlots(taking, giving) || !hasSameSlots(taking, bothWays)) return shapes;
  const [walks, exports] = [
    [taking, giving].map((shape) => new ShapeWalk(shape)),
    new Map(given.map((one) => [one.from, one])),
  ];
  const added = new Float64Array(bothWays.starts.length);
  let slot = 0;
  for (const { from, to, amount } of taken) {
    const other = exports.get(from);
    if (other?.to !== to) continue;
    const lacks = walks.map((walk, way) => {
      const measured = walk.between(from, to);
      const isWhole = measured.known === to - from && !measured.cut;
      return isWhole ? (way === 0 ? amount : other.amount) - measured.amount : 0;
    });
    const both = smallest(lacks);
    while (slot < added.length && getEntry(bothWays.starts, slot) < from) slot += 1;
    const first = slot;
    while (slot < added.length && getEntry(bothWays.ends, slot) <= to) slot += 1;
    if (both > 0) added.set(split(both, Array.from(bothWays.amounts.subarray(first, slot))), first);
  }
  const more = (shape: Shape): Shape => ({
    ...shape,
    amounts: shape.amounts.map((amount, index) => amount + getEntry(added, index)),
  });
  return { ...shapes, import: more(taking), export: more(giving) };
}

function hasSameSlots(one: Shape, other: Shape): boolean {
  return one.starts.length === other.starts.length && one.starts.every((start, slot) => start === other.starts[slot]);
}
