/** Slots of more than an hour, such as the day that a monitor adds up itself, beside what counters tell of a part of them. */
import { entryOf } from '../meters/entries';
import { filled, shapeOf, type Shape, type Slot } from '../meters/shape';
import type { Stretch } from './allocate';

const HOUR = 3_600_000;

/** A day or month that the monitor adds up itself is whole: without what counters say of a part of it, the rest would be a guess. */
export function besideLongSlots(counted: readonly Stretch[], { starts, ends }: Shape): readonly Stretch[] {
  const isInside = (at: number): boolean =>
    starts.some((start, slot) => start < at && at < entryOf(ends, slot) && entryOf(ends, slot) - start > HOUR);
  if (!starts.some((start, slot) => entryOf(ends, slot) - start > HOUR)) return counted;
  return counted.filter(({ from, to }) => !isInside(from) && !isInside(to));
}

/**
 * In a slot of more than an hour, what counters leave open is the rest of its amount, and not a share by time. Where they count
 * beyond the slot, the rest is not known.
 */
export function withRests(shape: Shape, counted: readonly Stretch[]): Shape {
  const slots = Array.from(shape.starts, (start, index): Slot => {
    const [end, amount, known] = [shape.ends, shape.amounts, shape.known].map((column) => entryOf(column, index));
    return { start, end: end ?? start, amount: amount ?? 0, known: known ?? 0 };
  });
  const pieces = slots.flatMap((slot): Slot[] => {
    if (slot.end - slot.start <= HOUR) return [slot];
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
