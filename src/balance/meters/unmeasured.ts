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
  /** It can have what had arrived then, epoch ms; Infinity if it was read 48 hours or more after its end. */
  readonly asOf: number;
}

interface Time {
  readonly from: number;
  readonly to: number;
}

/** By the start of a day: the times that were not measured in a response of that `asOf`. */
export type Unmeasured = ReadonlyMap<number, (asOf: number) => readonly Time[]>;

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
  const used = new Map<number, Map<number, Uint8Array>>();
  for (const { day, shapes, asOf } of [...grid, ...others]) {
    const count = day === null ? undefined : counts.get(day.start);
    if (day === null || count === undefined) continue;
    const { start } = day;
    const ofDay = used.get(start) ?? new Map<number, Uint8Array>();
    used.set(start, ofDay);
    const minutes = ofDay.get(asOf) ?? new Uint8Array(count);
    ofDay.set(asOf, minutes);
    for (const { starts, ends, amounts } of Object.values(shapes)) {
      for (let slot = 0; slot < amounts.length; slot += 1) {
        if (amounts[slot] === 0) continue;
        const [from, to] = [getEntry(starts, slot), getEntry(ends, slot)];
        minutes.fill(1, (from - start) / minuteMs, (to - start) / minuteMs);
      }
    }
  }
  return new Map([...counts].map(([start, count]) => [start, createFinder(used.get(start), start, count)]));
}

/** A response that was read later than another one does not show that the minutes of that one had arrived. */
function createFinder(
  used: ReadonlyMap<number, Uint8Array> | undefined,
  start: number,
  count: number,
): (asOf: number) => readonly Time[] {
  const found = new Map<number, readonly Time[]>();
  return (asOf) => {
    const known = found.get(asOf);
    if (known !== undefined) return known;
    const earlier = [...(used ?? [])].flatMap(([other, minutes]) => (other <= asOf + oneReadMs ? [minutes] : []));
    const all = Uint8Array.from({ length: count }, (_, minute) =>
      Number(earlier.some((minutes) => minutes[minute] === 1)),
    );
    const times = zerosIn(all, start);
    found.set(asOf, times);
    return times;
  };
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
export function measuredShapes({ day, shapes, asOf }: MinutesOfDay, unmeasured: Unmeasured): Shapes {
  const times = day === null ? [] : (unmeasured.get(day.start)?.(asOf) ?? []);
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
