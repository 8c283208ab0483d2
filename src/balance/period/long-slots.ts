/** Amounts of more than an hour, such as a day that the monitor added up, combined with counters for a part of them. */
import { entryOf } from '../meters/entries';
import { filled, shapeOf, slotsOf, type Shape, type Slot } from '../meters/shape';
import { hourMs, minuteMs } from '../../protocol/time';
import type { Stretch } from './allocate';

/**
 * The amount of a long slot is that of the whole slot. Counters for a part of it would leave a guessed rest, so they are ignored.
 */
export function besideLongSlots(counted: readonly Stretch[], { starts, ends }: Shape): readonly Stretch[] {
  const isInside = (at: number): boolean =>
    starts.some((start, slot) => start < at && at < entryOf(ends, slot) && entryOf(ends, slot) - start > hourMs);
  if (!hasLongSlots({ starts, ends })) return counted;
  return counted.filter(({ from, to }) => !isInside(from) && !isInside(to));
}

/**
 * The slots of a meter with what a monitor added up of whole days, months and years: each time that has neither a counter nor a slot
 * gets the rest of the shortest sum around it. Where a counter or a slot reaches beyond a sum, its rest is unknown.
 */
export function withSums(
  shape: Shape | null,
  sums: readonly (readonly Slot[])[],
  counted: readonly Stretch[],
): { readonly shape: Shape; readonly rests: readonly Slot[] } {
  const counts = counted.map(({ from, to, amount }): Slot => ({ start: from, end: to, amount, known: to - from }));
  const [whole, cut]: [Slot[], Slot[]] = [[], []];
  for (const slot of shape === null ? [] : slotsOf(shape)) {
    const parts = partsOutside(slot, counted);
    for (const part of parts) (part === slot ? whole : cut).push(part);
  }
  let known: readonly Slot[] = [...counts, ...whole].sort((a, b) => a.start - b.start);
  const rests: Slot[] = [];
  // The sum of a day knows better than a share of a slot in proportion to time.
  const [days = [], ...longer] = sums;
  for (const level of [days, cut, ...longer]) {
    const ending = level.map((sum) => untilBorder(sum, counted));
    const usable = ending.filter(({ start, end }) => !known.some((one) => crosses(one, start) || crosses(one, end)));
    const before = new Set(known);
    known = filled(usable, known);
    for (const slot of known) if (!before.has(slot)) rests.push(slot);
  }
  return { shape: shapeOf(known), rests };
}

/** The last reading stands for the end of the period, and so does a sum that is as new: their difference is that of their time. */
function untilBorder(sum: Slot, counted: readonly Stretch[]): Slot {
  const last = counted.at(-1);
  if (last === undefined || sum.end <= last.from || sum.end >= last.to) return sum;
  if (last.readAt - sum.end >= minuteMs) return sum;
  return { ...sum, end: last.to, known: sum.known + last.to - sum.end };
}

function crosses({ start, end }: Slot, at: number): boolean {
  return start < at && end > at;
}

/** A slot without the time of the counters, whose amount is in proportion to time. */
function partsOutside(slot: Slot, counted: readonly Stretch[]): Slot[] {
  const inside = counted.filter(({ from, to }) => from < slot.end && to > slot.start);
  if (inside.length === 0) return [slot];
  const length = slot.end - slot.start;
  let from = slot.start;
  return [...inside, { from: slot.end, to: slot.end }].flatMap((stretch): Slot[] => {
    const [start, end] = [from, stretch.from];
    from = Math.max(from, stretch.to);
    if (end <= start) return [];
    const share = (end - start) / length;
    return [{ start, end, amount: Math.round(slot.amount * share), known: Math.round(slot.known * share) }];
  });
}

function hasLongSlots({ starts, ends }: Pick<Shape, 'starts' | 'ends'>): boolean {
  for (let slot = 0; slot < starts.length; slot += 1) {
    if (entryOf(ends, slot) - entryOf(starts, slot) > hourMs) return true;
  }
  return false;
}
