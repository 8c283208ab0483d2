/** Slots of more than an hour, such as a day from the monitor's own sums, combined with counters for a part of them. */
import { entryOf } from '../meters/entries';
import { filled, shapeOf, slotsOf, type Shape, type Slot } from '../meters/shape';
import { hourMs } from '../../protocol/time';
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
 * In a slot of more than an hour, the time without counters gets the rest of the amount, not a share by time. If the counters
 * reach beyond the slot, the rest is unknown.
 */
export function withRests(shape: Shape, counted: readonly Stretch[]): Shape {
  if (!hasLongSlots(shape)) return shape;
  const pieces = slotsOf(shape).flatMap((slot): Slot[] => {
    if (slot.end - slot.start <= hourMs) return [slot];
    const inside = counted.filter(({ from, to }) => from < slot.end && to > slot.start);
    if (inside.length === 0) return [slot];
    const isWithin = inside.every(({ from, to }) => from >= slot.start && to <= slot.end);
    const told = inside.map(({ from, to, amount }): Slot => {
      const [start, end] = [Math.max(from, slot.start), Math.min(to, slot.end)];
      return { start, end, amount: Math.round(amount * ((end - start) / (to - from))), known: end - start };
    });
    return isWithin ? filled([slot], told) : told;
  });
  return shapeOf(pieces);
}

function hasLongSlots({ starts, ends }: Pick<Shape, 'starts' | 'ends'>): boolean {
  for (let slot = 0; slot < starts.length; slot += 1) {
    if (entryOf(ends, slot) - entryOf(starts, slot) > hourMs) return true;
  }
  return false;
}
