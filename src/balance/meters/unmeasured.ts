/**
 * Minutes of 0 that stand for nothing. A monitor or the service may show 0 for minutes that it does not have: those that have not
 * arrived yet, and those that it has lost. In a house with a smart meter some power flows at any time, from the grid or from a
 * battery, so a time in which all meters of electricity show 0 was not measured.
 */
import { minuteMs, quarterMs } from '../../time/units';
import { quantities } from './amounts';
import { getEntry } from './entries';
import { type Shapes, toShape, toSlots } from './shape';

/** Members of a response for a series. */
interface MinutesOfDay {
  /** Null for the sums of a month or year. */
  readonly day: { readonly start: number; readonly end: number } | null;
  readonly shapes: Shapes;
  /** False if it was read less than 48 hours after its end. */
  readonly isSettled: boolean;
}

interface Time {
  readonly from: number;
  readonly to: number;
}

/** Times that were not measured. */
interface UnmeasuredOfDay {
  readonly settled: readonly Time[];
  /** In a response that is not settled: a later one of another meter does not show that the minutes of this one had arrived. */
  readonly unsettled: readonly Time[];
}

/** By the start of a day. */
export type Unmeasured = ReadonlyMap<number, UnmeasuredOfDay>;

/** All meters can be 0 for some minutes, when production and use are equal. */
const mostZeroMs = quarterMs;

/**
 * @param grid the responses for the meters of the grid: an inverter alone is 0 all night, so the other days are left out
 * @param others those for the other meters of electricity
 */
export function unmeasuredIn(grid: readonly MinutesOfDay[], others: readonly MinutesOfDay[]): Unmeasured {
  const days = new Set(grid.map(({ day }) => day?.start));
  const used = new Map<number, { readonly all: Uint8Array; readonly unsettled: Uint8Array }>();
  for (const { day, shapes, isSettled } of [...grid, ...others]) {
    if (day === null || !days.has(day.start)) continue;
    const { start, end } = day;
    const count = (end - start) / minuteMs;
    const minutes = used.get(start) ?? { all: new Uint8Array(count), unsettled: new Uint8Array(count) };
    used.set(start, minutes);
    const shown = isSettled ? [minutes.all] : [minutes.all, minutes.unsettled];
    for (const { starts, ends, amounts } of Object.values(shapes)) {
      for (let slot = 0; slot < amounts.length; slot += 1) {
        if (amounts[slot] === 0) continue;
        const [from, to] = [getEntry(starts, slot), getEntry(ends, slot)];
        for (const list of shown) list.fill(1, (from - start) / minuteMs, (to - start) / minuteMs);
      }
    }
  }
  const times = [...used].map(([start, { all, unsettled }]) => {
    return [start, { settled: zerosIn(all, start), unsettled: zerosIn(unsettled, start) }] as const;
  });
  return new Map(times);
}

function zerosIn(minutes: Uint8Array, start: number): Time[] {
  const found: Time[] = [];
  for (let from = minutes.indexOf(0); from >= 0;) {
    const next = minutes.indexOf(1, from);
    const to = next < 0 ? minutes.length : next;
    if ((to - from) * minuteMs > mostZeroMs) found.push({ from: start + from * minuteMs, to: start + to * minuteMs });
    from = minutes.indexOf(0, to);
  }
  return found;
}

/** The shapes of a response without the slots of 0 that were not measured. */
export function measuredShapes({ day, shapes, isSettled }: MinutesOfDay, unmeasured: Unmeasured): Shapes {
  const times = day === null ? [] : (unmeasured.get(day.start)?.[isSettled ? 'settled' : 'unsettled'] ?? []);
  if (times.length === 0) return shapes;
  const known: Shapes = {};
  for (const quantity of quantities) {
    const shape = shapes[quantity];
    if (shape === undefined) continue;
    known[quantity] = toShape(
      toSlots(shape).filter(
        ({ start, amount }) => amount !== 0 || !times.some(({ from, to }) => start >= from && start < to),
      ),
    );
  }
  return known;
}
