/**
 * Minutes of 0 that stand for nothing. A monitor or the service may show 0 for minutes that it does not have: those that have not
 * arrived yet, and those that it has lost. In a house with a smart meter some power flows at any time, from the grid or from a
 * battery, so a time in which all meters of electricity show 0 was not measured.
 */
import type { SeriesRead } from '../../model/read-options';
import { minuteMs, quarterMs } from '../../time/units';
import { quantities } from './amounts';
import { weighBothWays } from './both-ways';
import { getEntry } from './entries';
import { type Shapes, toShape, toSlots } from './shape';

/** Members of a response for a series. */
interface MinutesOfDay {
  /** Null for the sums of a month or year. */
  readonly day: { readonly start: number; readonly end: number } | null;
  readonly shapes: Shapes;
  /** Null for what is not kept. */
  readonly read: SeriesRead | null;
}

interface Time {
  readonly from: number;
  readonly to: number;
}

/** By the start of a day: the times that were not measured in a response that was read so. */
export type Unmeasured = ReadonlyMap<number, (read: SeriesRead | null) => readonly Time[]>;

/** All meters can be 0 for some minutes, when production and use are equal; not at midnight, where what was lost or is late ends. */
const mostZeroMs = quarterMs;
/** One question reads all meters of a house within this time. */
const oneReadMs = quarterMs;

/**
 * @param grid the responses for the meters of the grid: an inverter alone is 0 all night, so the other days are left out
 * @param others those for the other meters of electricity
 */
export function unmeasuredIn(grid: readonly MinutesOfDay[], others: readonly MinutesOfDay[]): Unmeasured {
  const counts = new Map(
    grid.flatMap(({ day }) => (day === null ? [] : [[day.start, (day.end - day.start) / minuteMs] as const])),
  );
  const shown = new Map<number, Shown[]>();
  for (const { day, shapes, read } of [...grid, ...others]) {
    const count = day === null ? undefined : counts.get(day.start);
    if (day === null || count === undefined) continue;
    const minutes = new Uint8Array(count);
    for (const { starts, ends, amounts } of quantities.flatMap((quantity) => shapes[quantity] ?? [])) {
      for (let slot = 0; slot < amounts.length; slot += 1) {
        if (amounts[slot] === 0) continue;
        const [from, to] = [getEntry(starts, slot), getEntry(ends, slot)];
        minutes.fill(1, (from - day.start) / minuteMs, (to - day.start) / minuteMs);
      }
    }
    shown.set(day.start, [...(shown.get(day.start) ?? []), { read, minutes }]);
  }
  return new Map([...counts].map(([start, count]) => [start, createFinder(shown.get(start) ?? [], start, count)]));
}

/** The minutes in which a response shows power. */
interface Shown {
  readonly read: SeriesRead | null;
  readonly minutes: Uint8Array;
}

function createFinder(
  shown: readonly Shown[],
  start: number,
  count: number,
): (read: SeriesRead | null) => readonly Time[] {
  // Nearly always all of them show the minutes of all others.
  const found = new Map<string, readonly Time[]>();
  return (own) => {
    const showing = shown.filter(({ read }) => showsMinutes(read, own));
    const key = shown.map((one) => Number(showing.includes(one))).join('');
    const known = found.get(key);
    if (known !== undefined) return known;
    const all = Uint8Array.from({ length: count }, (_, minute) =>
      Number(showing.some(({ minutes }) => minutes[minute] === 1)),
    );
    const times = zerosIn(all, start);
    found.set(key, times);
    return times;
  };
}

/**
 * True if power in one response shows that the monitor had the minutes of another one when that was read: they had arrived,
 * and it had not forgotten them.
 */
function showsMinutes(shown: SeriesRead | null, own: SeriesRead | null): boolean {
  if (shown === null || own === null) return true;
  const { asOf, forgotAt = Infinity } = shown;
  const hadArrived = own.isSettled || asOf <= own.asOf + oneReadMs;
  const isRememberedAgain = asOf > forgotAt && own.asOf > asOf - oneReadMs;
  const hadForgotten = own.asOf > forgotAt - oneReadMs && !isRememberedAgain;
  return hadArrived && !hadForgotten;
}

function zerosIn(minutes: Uint8Array, start: number): Time[] {
  const found: Time[] = [];
  for (let from = minutes.indexOf(0); from >= 0;) {
    const next = minutes.indexOf(1, from);
    const to = next < 0 ? minutes.length : next;
    const isAtEdge = from === 0 || to === minutes.length;
    if (isAtEdge || (to - from) * minuteMs > mostZeroMs)
      found.push({ from: start + from * minuteMs, to: start + to * minuteMs });
    from = minutes.indexOf(0, to);
  }
  return found;
}

/** The shapes of a response without the slots of 0 that were not measured. */
export function measuredShapes({ day, shapes, read }: MinutesOfDay, unmeasured: Unmeasured): Shapes {
  const times = day === null ? [] : (unmeasured.get(day.start)?.(read) ?? []);
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
  return weighBothWays(known);
}
