/** Where a counter cannot be followed: the meter was exchanged, a reading is wrong, or the minutes say something else. */
import { PER_KWH, PER_M3, type Amount } from './amounts';
import type { Counter, PlacedReading } from './readings';
import { type Shape, type Shapes, ShapeWalk } from './shape';
import { hourMs } from '../../protocol/time';

/** A time within which a counter cannot be compared. */
export interface Break {
  readonly from: number;
  readonly to: number;
}

/** The readings of a meter by counter, ascending. */
export type Placed = ReadonlyMap<Counter, readonly PlacedReading[]>;

export type Medium = 'electricity' | 'gas' | 'water';

export function mediumOf(counter: Counter): Medium {
  return counter === 'gas' || counter === 'water' ? counter : 'electricity';
}

/** Two readings beside each other. */
interface Step {
  readonly before: PlacedReading;
  readonly after: PlacedReading;
}

function stepsOf(list: readonly PlacedReading[]): Step[] {
  return list.slice(1).flatMap((after, index) => {
    const before = list[index];
    return before === undefined ? [] : [{ before, after }];
  });
}

/** kWh or m³. The members of one answer differ by 0.01 through rounding; so small a fall is none. */
const ROUNDING = 0.05;
/** kW that an inverter takes for itself at most: net production falls by itself at night. */
const MOST_OWN_USE = 0.05;
/** kW that a house connection carries, and m³ in an hour. */
const MOST_RATE: Readonly<Record<Medium, number>> = { electricity: 60, gas: 20, water: 20 };

/** In a longer time a counter rises by as much by itself, unless it fell in as long a time. */
const LONGEST_RISE = 48 * hourMs;

function unitOf(counter: Counter): number {
  return mediumOf(counter) === 'electricity' ? PER_KWH : PER_M3;
}

function mostFall(counter: Counter, ms: number): Amount {
  return (ROUNDING + (counter === 'production' ? (MOST_OWN_USE * ms) / hourMs : 0)) * unitOf(counter);
}

function mostRise(counter: Counter, ms: number): Amount {
  return (1 + (MOST_RATE[mediumOf(counter)] * ms) / hourMs) * unitOf(counter);
}

/** A house takes as much as its connection carries for some hours, not for days. */
function usualRise(counter: Counter, ms: number): Amount {
  const long = Math.max(0, ms - LONGEST_RISE);
  return mostRise(counter, ms - long) + ((UNUSUAL_RATE[mediumOf(counter)] * long) / hourMs) * unitOf(counter);
}

/** kW, and m³ in an hour: rarely as much through a whole day. */
export const UNUSUAL_RATE: Readonly<Record<Medium, number>> = { electricity: 4, gas: 2, water: 1 };

/** A meter can have counted so much in this time. */
export function isPossible(counter: Counter, change: Amount, ms: number): boolean {
  return change >= -mostFall(counter, ms) && change <= mostRise(counter, ms);
}

/**
 * What a counter comes back from: a wrong reading, or some time in which it showed something else. All counters of the medium
 * must go on from each other around it; those of an exchanged meter do not.
 */
export function excursionsIn(placed: Placed, medium: Medium): Break[] {
  const lists = [...placed].filter(([counter]) => mediumOf(counter) === medium);
  const goesOn = (from: number, to: number): boolean =>
    lists.every(([counter, list]) => {
      const change = changeOf(list, from, to);
      if (change === null) return true;
      return isPossible(counter, change, to - from) && change <= countedAtMost(counter, list, from, to);
    });
  const found: Break[] = [];
  for (const [counter, list] of lists) {
    list.forEach((low, index) => {
      const high = list[index - 1];
      if (high === undefined || high.amount - low.amount <= mostFall(counter, low.at - high.at)) return;
      const last = found.at(-1);
      if (last !== undefined && last.from <= high.at && last.to >= low.at) return;
      const back = 0.9 * (high.amount - low.amount);
      const longest = Math.max(LONGEST_RISE, 3 * (low.at - high.at));
      const rises = stepsOf(list).filter(
        (step) =>
          riseOf(step) >= back &&
          msOf(step) <= longest &&
          isReturn(step, { before: high, after: low }, list, unitOf(counter)),
      );
      const until = rises.find(({ before, after }) => before.at >= low.at && goesOn(high.at, after.at));
      const since = rises.findLast(({ before, after }) => after.at <= high.at && goesOn(before.at, low.at));
      const times = [
        ...(until === undefined ? [] : [{ from: high.at, to: until.after.at }]),
        ...(since === undefined ? [] : [{ from: since.before.at, to: low.at }]),
      ];
      const [shortest] = times.sort((a, b) => a.to - a.from - (b.to - b.from));
      if (shortest !== undefined) found.push(shortest);
    });
  }
  return found;
}

/** A counter that shows something else for some time has counted what it showed meanwhile, and what its jumps hide. */
function countedAtMost(counter: Counter, list: readonly PlacedReading[], from: number, to: number): Amount {
  return stepsOf(list)
    .filter(({ before, after }) => before.at >= from && after.at <= to)
    .reduce(
      (sum, step) => {
        const most = usualRise(counter, msOf(step));
        return sum + (riseOf(step) < 0 ? most : Math.min(riseOf(step), most));
      },
      mostFall(counter, to - from),
    );
}

/**
 * A counter that comes back rises by what it fell, and by what it counts as usual. It is no return where it rises by as much
 * without that in a long time: a meter that was exchanged reaches its old readings again as well.
 */
function isReturn(rise: Step, fall: Step, list: readonly PlacedReading[], unit: number): boolean {
  const isLong = msOf(rise) > LONGEST_RISE;
  const rates = stepsOf(list)
    .filter((other) => other.after.at !== rise.after.at && riseOf(other) > 0)
    .map((other) => riseOf(other) / msOf(other));
  if (rates.length === 0) return !isLong;
  // Days differ from each other by more than months.
  const most = (isLong ? 1.5 : 3) * Math.max(...rates);
  if (isLong && riseOf(rise) <= most * msOf(rise)) return false;
  return riseOf(rise) + 1.1 * riseOf(fall) <= most * (msOf(rise) + msOf(fall)) + unit;
}

function riseOf({ before, after }: Step): Amount {
  return after.amount - before.amount;
}

function msOf({ before, after }: Step): number {
  return after.at - before.at;
}

/** Without the readings in the middle of these times. */
export function without(placed: Placed, medium: Medium, excursions: readonly Break[]): Placed {
  if (excursions.length === 0) return placed;
  const isKept = ({ at }: PlacedReading): boolean => !excursions.some(({ from, to }) => at > from && at < to);
  return new Map(
    [...placed].map(([counter, list]) => [counter, mediumOf(counter) === medium ? list.filter(isKept) : list]),
  );
}

/** Where one of the counters of a medium breaks off, none of that meter tells anything. */
export function breaksOf(placed: Placed, shapes: Shapes, medium: Medium): Break[] {
  return [...placed].flatMap(([counter, list]) =>
    mediumOf(counter) === medium
      ? stepsOf(list)
          .filter(({ before, after }) => !isPossible(counter, after.amount - before.amount, after.at - before.at))
          .map(({ before, after }) => ({ from: before.at, to: after.at }))
          .concat(contradictionsIn(placed, shapes, counter))
      : [],
  );
}

/** The counters whose amounts minutes tell as well. Of gas the unit of the minutes is assumed. */
const inMinutes = ['import', 'export', 'production', 'water'] as const;
const opposites: Readonly<Partial<Record<Counter, 'import' | 'export'>>> = { import: 'export', export: 'import' };

/** Minutes and counters may differ by so much: kWh or m³, and the share of what flowed. */
const TOLERANCE = { amount: 0.5, share: 0.1 } as const;
/** Of both directions, when import and export change within the minutes. */
const CANCELLED = { amount: 1, share: 0.5 } as const;
/** kW or m³ in an hour, while a reading is older than the border that it stands for. */
const RATE_AT_BORDER = 25;

/** Where counters contradict the minutes: what minutes do not know may be as much as the connection carries. */
function contradictionsIn(placed: Placed, shapes: Shapes, counter: Counter): Break[] {
  const named = inMinutes.find((one) => one === counter);
  const shape = named === undefined ? undefined : shapes[named];
  const opposite = opposites[counter];
  if (shape === undefined) return [];
  const walk = new ShapeWalk(shape);
  const other = opposite === undefined ? null : walkOf(shapes[opposite]);
  const unit = unitOf(counter);
  return stepsOf(placed.get(counter) ?? []).flatMap(({ before, after }) => {
    const [from, to] = [before.at, after.at];
    const [own, counterpart] = [walk.between(from, to), other?.between(from, to) ?? null];
    const known = Math.min(own.known, counterpart?.known ?? own.known);
    if (known === 0) return [];
    const flowed = Math.abs(own.amount) + Math.abs(counterpart?.amount ?? 0);
    const late = Math.abs(from - before.ts) + Math.abs(to - after.ts);
    const unsure =
      TOLERANCE.share * flowed +
      (TOLERANCE.amount + (RATE_AT_BORDER * late) / hourMs) * unit +
      mostFall(counter, to - from);
    const unknown = ((MOST_RATE[mediumOf(counter)] * (to - from - known)) / hourMs) * unit;
    const cancelled = counterpart === null ? 0 : CANCELLED.amount * unit + CANCELLED.share * flowed;
    const excess = after.amount - before.amount - own.amount;
    const opposed = opposite === undefined ? null : changeOf(placed.get(opposite), from, to);
    const isOutside = excess < -unsure || excess > unsure + unknown + cancelled;
    const net = opposed === null || counterpart === null ? null : excess - (opposed - counterpart.amount);
    return isOutside || (net !== null && Math.abs(net) > unsure + unknown) ? [{ from, to }] : [];
  });
}

function walkOf(shape: Shape | undefined): ShapeWalk | null {
  return shape === undefined ? null : new ShapeWalk(shape);
}

function changeOf(list: readonly PlacedReading[] = [], from: number, to: number): Amount | null {
  const [before, after] = [from, to].map((at) => list.find((reading) => reading.at === at));
  return before === undefined || after === undefined ? null : after.amount - before.amount;
}
