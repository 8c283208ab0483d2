/**
 * Minutes of 0 that stand for nothing. A monitor or the service may show 0 for minutes that it does not have: those that have not
 * arrived yet, and those that it has lost. The meters of electricity show until when a day has arrived, because in a house with a
 * smart meter some power flows at any time: from the grid, or from a battery.
 */
import { dayMs, minuteMs } from '../../protocol/time';
import { quantities } from '../meters/amounts';
import { entryOf } from '../meters/entries';
import { type Shape, type Shapes, shapeOf, slotsOf } from '../meters/shape';
import type { BalanceAnswer } from './answers';

/** A day that is read so much later has arrived. */
const wholeMs = 2 * dayMs;
/** All of them can be 0 for some minutes. */
const mostZeroMs = 5 * minuteMs;

/** By the start of a day: the minutes of 0 from this moment on are unknown. */
export type Arrived = ReadonlyMap<number, number>;

/** @param electric the responses for the meters of electricity of a house with a smart meter */
export function arrivedIn(electric: readonly BalanceAnswer[], now: number): Arrived {
  const last = new Map<number, number>();
  for (const { day, asOf, shapes } of electric) {
    if (day === null || asOf === Infinity) continue;
    const used = Math.max(last.get(day.start) ?? day.start, ...Object.values(shapes).map(lastUse));
    const isSettled = used > day.start && asOf >= day.end + wholeMs;
    const isWhole = used > day.start && Math.min(day.end, now) - used <= mostZeroMs;
    last.set(day.start, isSettled || isWhole ? Infinity : used);
  }
  return last;
}

/** The shapes of a response without the minutes that are unknown. */
export function knownShapes({ day, shapes }: BalanceAnswer, arrived: Arrived): Shapes {
  const until = day === null ? Infinity : (arrived.get(day.start) ?? Infinity);
  if (until === Infinity) return shapes;
  const known: Shapes = {};
  for (const quantity of quantities) {
    const shape = shapes[quantity];
    if (shape === undefined) continue;
    known[quantity] = shapeOf(slotsOf(shape).filter(({ start, amount }) => start < until || amount !== 0));
  }
  return known;
}

/** The end of the last slot with an amount. */
function lastUse({ ends, amounts }: Shape): number {
  for (let slot = amounts.length - 1; slot >= 0; slot -= 1)
    if (entryOf(amounts, slot) !== 0) return entryOf(ends, slot);
  return -Infinity;
}
