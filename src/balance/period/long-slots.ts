/** Amounts of more than an hour, such as a day that the monitor added up, combined with counters for a part of them. */
import { countBefore, getEntry } from '../meters/entries';
import {
  filled,
  limitRest,
  type RestLimit,
  toShape,
  toSlots,
  type Shape,
  type Slot,
  type TariffSlot,
} from '../meters/shape';
import { type Amount, split } from '../meters/amounts';
import { hourMs, minuteMs } from '../../time/units';
import type { Break } from '../meters/breaks';
import type { Stretch } from '../meters/readings';
import type { Tariffs } from '../prices/costs';

/**
 * The amount of a long slot is that of the whole slot. Counters for a part of it would leave a guessed rest, so they are ignored, unless
 * those beside them count the rest: then they are one difference of counters for the whole slot.
 */
export function besideLongSlots(counted: readonly Stretch[], { starts, ends }: Shape): readonly Stretch[] {
  const isInsideLongSlot = (at: number): boolean =>
    starts.some((start, slot) => start < at && at < getEntry(ends, slot) && getEntry(ends, slot) - start > hourMs);
  if (!hasLongSlots({ starts, ends })) return counted;
  return joinedAt(counted, isInsideLongSlot).filter(({ from, to }) => !isInsideLongSlot(from) && !isInsideLongSlot(to));
}

/** Neighbouring stretches that meet at such a moment, as one. */
function joinedAt(counted: readonly Stretch[], isWithin: (at: number) => boolean): Stretch[] {
  const joined: Stretch[] = [];
  for (const next of counted) {
    const before = joined.at(-1);
    if (before?.to !== next.from || !isWithin(next.from)) joined.push(next);
    else joined[joined.length - 1] = { ...next, from: before.from, amount: before.amount + next.amount };
  }
  return joined;
}

/** Rest of an amount beside its parts: the slots among which it is divided evenly. */
export interface Rest {
  readonly slots: readonly Slot[];
  /** The amount is that of a day or more. */
  readonly isOfDays: boolean;
}

/**
 * The slots of a meter, of which each time is known by the shortest amount around it: counters, and in what these leave the rest of a
 * quarter, hour, day, month and year. The rest of an amount whose start or end is inside a shorter one is unknown.
 */
export function withSums(
  shape: Shape | null,
  [quarters = [], hours = [], days = [], ...longer]: readonly (readonly Slot[])[],
  counted: readonly Stretch[],
  limit: RestLimit = limitRest,
): { readonly shape: Shape; readonly rests: readonly Rest[] } {
  const rests: Rest[] = [];
  const counts = counted.map(({ from, to, amount }): Slot => ({ start: from, end: to, amount, known: to - from }));
  const withRests = (known: readonly Slot[], level: readonly Slot[], isOfDays: boolean): readonly Slot[] => {
    const ending = level
      .map((slot) => untilBorder(slot, counted))
      .filter(({ start, end }) => !isInside(known, start) && !isInside(known, end));
    const all = filled(ending, known, limit);
    for (const slots of findRests(ending, known, all)) {
      // A quarter or an hour that is wholly a rest is its amount.
      if (isOfDays || slots.length > 1) rests.push({ slots, isOfDays });
    }
    return all;
  };
  const slots = shape === null ? [] : toSlots(shape);
  const outside = (some: readonly Slot[]) => some.flatMap((slot) => partsOutside(slot, counted, limit));
  const isCrossed = ({ start, end }: Slot): boolean =>
    counted.some(({ from, to }) => (from < start && to > start) || (from < end && to > end));
  const whole = outside(slots.filter((slot) => !isCrossed(slot)));
  const shares = outside(slots.filter(isCrossed));
  let known = withRests(withRests(counts, quarters, false), hours, false);
  known = withRests(withRests(known, days, true), whole, false);
  // A longer sum that lacks nothing else knows better than a share of a slot in proportion to time, as the sum of a day does.
  const all = [...known, ...shares].sort((a, b) => a.start - b.start);
  const complete = longer.map((level) => level.filter((sum) => covers(all, untilBorder(sum, counted))));
  for (const level of [...complete, shares, ...longer]) known = withRests(known, level, level !== shares);
  return { shape: toShape(known), rests };
}

/**
 * The sums without those of a monitor that was reset and has begun again: a counter breaks off in their time, and has counted more on
 * both sides of the break.
 * @param unit one kWh or one m³
 */
export function withoutBegunAgain(
  sums: readonly (readonly Slot[])[],
  counted: readonly Stretch[],
  breaks: readonly Break[],
  unit: Amount,
): readonly (readonly Slot[])[] {
  if (breaks.length === 0) return sums;
  const goesOn = ({ start, end, amount }: Slot): boolean => {
    if (!breaks.some(({ from, to }) => from < end && to > start)) return true;
    const beside = counted
      .filter(({ from, to }) => from >= start && to <= end)
      .reduce((sum, one) => sum + one.amount, 0);
    return beside - amount <= mostMoreCounted.share * beside + mostMoreCounted.amount * unit;
  };
  return sums.map((list) => list.filter(goesOn));
}

/** Counters may be read up to an hour before a midnight for which they count, and the sum may be older than they are. */
const mostMoreCounted = { share: 0.01, amount: 0.1 } as const;

/** For each sum, the slots that have got a share of it. */
function findRests(sums: readonly Slot[], before: readonly Slot[], after: readonly Slot[]): Slot[][] {
  const known = new Set(before);
  const rests: Slot[][] = sums.map(() => []);
  let index = 0;
  for (const slot of after) {
    if (known.has(slot)) continue;
    while ((sums[index]?.end ?? Infinity) <= slot.start) index += 1;
    rests[index]?.push(slot);
  }
  return rests.filter((slots) => slots.length > 0);
}

/** The last reading stands for the end of the period, and so does a sum that is as new: their difference is that of their time. */
function untilBorder<Sum extends Slot>(sum: Sum, counted: readonly Stretch[]): Sum {
  const last = counted.at(-1);
  if (last === undefined || sum.end <= last.from || sum.end >= last.to) return sum;
  if (last.readAt - sum.end >= minuteMs) return sum;
  return { ...sum, end: last.to, known: sum.known + last.to - sum.end };
}

/** True if these slots, in the order of their starts, leave no time of a sum. */
function covers(slots: readonly Slot[], { start, end }: Slot): boolean {
  let at = start;
  for (const slot of slots) {
    if (slot.end <= at) continue;
    if (slot.start > at || at >= end) break;
    at = slot.end;
  }
  return at >= end;
}

/** True if the moment is within one of these slots, which are ascending and do not overlap. */
function isInside(slots: readonly Slot[], at: number): boolean {
  const begun = countBefore(slots, ({ start }) => start < at);
  return (slots[begun - 1]?.end ?? -Infinity) > at;
}

/** A slot without the time of the counters. What a counter across its start or end has in it is a share by time. */
function partsOutside(slot: Slot, counted: readonly Stretch[], limit: RestLimit): Slot[] {
  const inside = counted.filter(({ from, to }) => from < slot.end && to > slot.start);
  if (inside.length === 0) return [slot];
  const counts = inside.map(({ from, to, amount }): Amount => {
    const within = Math.min(to, slot.end) - Math.max(from, slot.start);
    return Math.round((amount * within) / (to - from));
  });
  const rest = counts.reduce((left, amount) => left - amount, slot.amount);
  const times: { start: number; end: number }[] = [];
  let from = slot.start;
  for (const stretch of [...inside, { from: slot.end, to: slot.end }]) {
    if (stretch.from > from) times.push({ start: from, end: stretch.from });
    from = Math.max(from, stretch.to);
  }
  const lengths = times.map(({ start, end }) => end - start);
  const missing = lengths.reduce((sum, ms) => sum + ms, 0);
  const shares = split(limit(rest, slot.amount, missing), lengths);
  const known = slot.known / (slot.end - slot.start);
  return times.map(({ start, end }, index) => ({
    start,
    end,
    amount: getEntry(shares, index),
    known: Math.round((end - start) * known),
  }));
}

function hasLongSlots({ starts, ends }: Pick<Shape, 'starts' | 'ends'>): boolean {
  for (let slot = 0; slot < starts.length; slot += 1) {
    if (getEntry(ends, slot) - getEntry(starts, slot) > hourMs) return true;
  }
  return false;
}

/**
 * The delivered sums by tariff inside a time, of each moment the longest one; null if there is none.
 * @param stretches of the counter of the whole
 */
export function sumTariffs(
  sums: readonly TariffSlot[],
  stretches: readonly Stretch[],
  time: Break,
): (Tariffs & { readonly counted: number }) | null {
  const inside = sums
    .map((sum) => untilBorder(sum, stretches))
    .filter(({ start, end }) => start >= time.from && end <= time.to)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  let [t1, t2, counted, last] = [0, 0, 0, time.from];
  for (const sum of inside) {
    if (sum.start < last) continue;
    [t1, t2, counted, last] = [t1 + sum.t1, t2 + sum.t2, counted + sum.known, sum.end];
  }
  return counted === 0 ? null : { t1, t2, counted };
}

/** The stretches inside a time; null if one of them crosses an end of it. */
export function within(list: readonly Stretch[], time: Break): readonly Stretch[] | null {
  const touched = list.filter(({ from, to }) => from < time.to && to > time.from);
  return touched.every(({ from, to }) => from >= time.from && to <= time.to) ? touched : null;
}
