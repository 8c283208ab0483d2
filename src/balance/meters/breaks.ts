/**
 * Finds the times in which a counter is not continuous: the meter was replaced, a reading is wrong, or the minutes contradict it.
 */
import { largest } from '../../checks/extremes';
import { perKwh, perM3, type Amount, type Quantity } from './amounts';
import { type Counter, listStretches, type PlacedReading, type Stretch } from './readings';
import { type Shape, type Shapes, ShapeWalk } from './shape';
import { hourMs } from '../../time/units';

/** A time over which the difference of two readings does not count. */
export interface Break {
  readonly from: number;
  readonly to: number;
}

/** The readings of a meter by counter, ascending. */
export type Placed = ReadonlyMap<Counter, readonly PlacedReading[]>;

export type Medium = 'electricity' | 'gas' | 'water';

export function findCounterMedium(counter: Counter): Medium {
  return counter === 'gas' || counter === 'water' ? counter : 'electricity';
}

/** kWh or m³. The counters in one response differ by up to 0.01 through rounding, so a smaller fall is ignored. */
const roundingTolerance = 0.05;
/** kW. Largest own use of an inverter: net production falls by it at night. */
const mostOwnUse = 0.05;
/** Largest rate of a house connection in kW, or in m³ per hour. */
const mostRate: Readonly<Record<Medium, number>> = { electricity: 60, gas: 20, water: 20 };

/** A counter may rise by a large amount in normal operation over a longer time, unless its fall took as long. */
const longestRise = 48 * hourMs;

function findCounterUnit(counter: Counter): number {
  return findCounterMedium(counter) === 'electricity' ? perKwh : perM3;
}

function mostFall(counter: Counter, ms: number): Amount {
  return (roundingTolerance + (counter === 'production' ? (mostOwnUse * ms) / hourMs : 0)) * findCounterUnit(counter);
}

function mostRise(counter: Counter, ms: number): Amount {
  return (1 + (mostRate[findCounterMedium(counter)] * ms) / hourMs) * findCounterUnit(counter);
}

/** A house can use the full capacity of its connection for some hours, but not for days. */
function usualRise(counter: Counter, ms: number): Amount {
  const long = Math.max(0, ms - longestRise);
  return (
    mostRise(counter, ms - long) +
    ((unusualRate[findCounterMedium(counter)] * long) / hourMs) * findCounterUnit(counter)
  );
}

/** kW, or m³ per hour. The average of a whole day is rarely higher. */
export const unusualRate: Readonly<Record<Medium, number>> = { electricity: 4, gas: 2, water: 1 };

/** True if a meter can count this change in this time. */
export function isPossible(counter: Counter, change: Amount, ms: number): boolean {
  return change >= -mostFall(counter, ms) && change <= mostRise(counter, ms);
}

/** True for an amount that a house connection can carry in this time, in one direction or the other. */
export function canFlow(quantity: Quantity, amount: Amount, ms: number): boolean {
  return Math.abs(amount) <= mostRise(quantity, ms);
}

/**
 * Finds the times after which a counter returns to its earlier course: a wrong reading, or a temporary other value. All counters
 * of the medium must be continuous across such a time; those of a replaced meter are not.
 */
export function excursionsIn(placed: Placed, medium: Medium): Break[] {
  const lists = [...placed].filter(([counter]) => findCounterMedium(counter) === medium);
  const goesOn = (from: number, to: number): boolean =>
    lists.every(([counter, list]) => {
      const change = computeChange(list, from, to);
      if (change === null) return true;
      return isPossible(counter, change, to - from) && change <= countedAtMost(counter, list, from, to);
    });
  const found: Break[] = [];
  for (const [counter, list] of lists) {
    const stretches = listStretches(list);
    for (const fall of stretches) {
      const { from, to, amount } = fall;
      if (-amount <= mostFall(counter, to - from)) continue;
      const last = found.at(-1);
      if (last !== undefined && last.from <= from && last.to >= to) continue;
      const longest = Math.max(longestRise, 3 * (to - from));
      const rises = stretches.filter(
        (rise) =>
          rise.amount >= -0.9 * amount &&
          rise.to - rise.from <= longest &&
          isReturn(rise, fall, stretches, findCounterUnit(counter)),
      );
      const until = rises.find((rise) => rise.from >= to && goesOn(from, rise.to));
      const since = rises.findLast((rise) => rise.to <= from && goesOn(rise.from, to));
      const times = [
        ...(until === undefined ? [] : [{ from, to: until.to }]),
        ...(since === undefined ? [] : [{ from: since.from, to }]),
      ];
      const [shortest] = times.sort((a, b) => a.to - a.from - (b.to - b.from));
      if (shortest !== undefined) found.push(shortest);
    }
  }
  return found;
}

/** The most that the counter can have counted in such a time: its rises up to the usual amount, which also replaces each fall. */
function countedAtMost(counter: Counter, list: readonly PlacedReading[], from: number, to: number): Amount {
  const inside = listStretches(list).filter((stretch) => stretch.from >= from && stretch.to <= to);
  return inside.reduce(
    (sum, { amount, ...stretch }) => {
      const most = usualRise(counter, stretch.to - stretch.from);
      return sum + (amount < 0 ? most : Math.min(amount, most));
    },
    mostFall(counter, to - from),
  );
}

/**
 * A return rises by the earlier fall and by the usual use. A rise over a long time that the usual use alone explains is no
 * return, because a replaced meter also reaches its old readings again.
 */
function isReturn(rise: Stretch, fall: Stretch, all: readonly Stretch[], unit: number): boolean {
  const [duration, ofFall] = [rise.to - rise.from, fall.to - fall.from];
  const isLong = duration > longestRise;
  const rates = all
    .filter(({ to, amount }) => to !== rise.to && amount > 0)
    .map(({ from, to, amount }) => amount / (to - from));
  if (rates.length === 0) return !isLong;
  // Rates of days vary more than rates of months.
  const most = (isLong ? 1.5 : 3) * largest(rates);
  if (isLong && rise.amount <= most * duration) return false;
  return rise.amount + 1.1 * fall.amount <= most * (duration + ofFall) + unit;
}

/** Removes the readings inside these times. */
export function without(placed: Placed, medium: Medium, excursions: readonly Break[]): Placed {
  if (excursions.length === 0) return placed;
  const isKept = ({ at }: PlacedReading): boolean => !excursions.some(({ from, to }) => at > from && at < to);
  return new Map(
    [...placed].map(([counter, list]) => [counter, findCounterMedium(counter) === medium ? list.filter(isKept) : list]),
  );
}

/** The breaks of a medium. A break of one counter invalidates all counters of this medium in the same meter. */
export function breaksOf(placed: Placed, shapes: Shapes, medium: Medium): Break[] {
  return [...placed].flatMap(([counter, list]) =>
    findCounterMedium(counter) === medium
      ? listStretches(list)
          .filter(({ from, to, amount }) => !isPossible(counter, amount, to - from))
          .map(({ from, to }) => ({ from, to }))
          .concat(contradictionsIn(placed, shapes, counter))
      : [],
  );
}

/** The counters that minutes can verify. Gas is left out, because the unit of its minutes is an assumption. */
const inMinutes = ['import', 'export', 'production', 'water', 'charged', 'discharged'] as const;
const opposites: Readonly<Partial<Record<Counter, 'import' | 'export' | 'charged' | 'discharged'>>> = {
  import: 'export',
  export: 'import',
  charged: 'discharged',
  discharged: 'charged',
};

/** Permitted difference between minutes and counters: kWh or m³, and a share of the flow. */
const tolerance = { amount: 0.5, share: 0.1 } as const;
/** Both directions: import and export may cancel each other within a minute. */
const cancellation = { amount: 1, share: 0.5 } as const;
/** kW, or m³ per hour, for the time between a reading and its border. */
const rateAtBorder = 25;

/** Times in which counters contradict the minutes. The full rate of the connection is allowed for missing minutes. */
function contradictionsIn(placed: Placed, shapes: Shapes, counter: Counter): Break[] {
  const named = inMinutes.find((one) => one === counter);
  const shape = named === undefined ? undefined : shapes[named];
  const opposite = opposites[counter];
  if (shape === undefined) return [];
  const walk = new ShapeWalk(shape);
  const other = opposite === undefined ? null : createWalk(shapes[opposite]);
  const unit = findCounterUnit(counter);
  return listStretches(placed.get(counter) ?? []).flatMap(({ from, to, amount, begunAt, readAt }) => {
    const [own, counterpart] = [walk.between(from, to), other?.between(from, to) ?? null];
    const known = Math.min(own.known, counterpart?.known ?? own.known);
    if (known === 0) return [];
    const flowed = Math.abs(own.amount) + Math.abs(counterpart?.amount ?? 0);
    const late = Math.abs(from - begunAt) + Math.abs(to - readAt);
    const unsure =
      tolerance.share * flowed +
      (tolerance.amount + (rateAtBorder * late) / hourMs) * unit +
      mostFall(counter, to - from);
    const unknown = ((mostRate[findCounterMedium(counter)] * (to - from - known)) / hourMs) * unit;
    const cancelled = counterpart === null ? 0 : cancellation.amount * unit + cancellation.share * flowed;
    const excess = amount - own.amount;
    const opposed = opposite === undefined ? null : computeChange(placed.get(opposite), from, to);
    const isOutside = excess < -unsure || excess > unsure + unknown + cancelled;
    const net = opposed === null || counterpart === null ? null : excess - (opposed - counterpart.amount);
    return isOutside || (net !== null && Math.abs(net) > unsure + unknown) ? [{ from, to }] : [];
  });
}

function createWalk(shape: Shape | undefined): ShapeWalk | null {
  return shape === undefined ? null : new ShapeWalk(shape);
}

/** The change between two moments; null without a reading at one of them. */
export function computeChange(list: readonly PlacedReading[] = [], from: number, to: number): Amount | null {
  const [before, after] = [from, to].map((at) => list.find((reading) => reading.at === at));
  return before === undefined || after === undefined ? null : after.amount - before.amount;
}

/**
 * The times between a last reading of a meter and the first one of the meter that replaced it; from the day of the exchange on where
 * the earlier meter has no reading.
 */
export function exchangesIn(list: readonly { readonly at: number }[], exchangedAt: readonly number[] = []): Break[] {
  return list.flatMap((after, index): Break[] => {
    const before = list[index - 1]?.at ?? -Infinity;
    const exchange = exchangedAt.find((at) => Number.isFinite(at) && before <= at && after.at > at);
    return exchange === undefined ? [] : [{ from: Number.isFinite(before) ? before : exchange, to: after.at }];
  });
}
