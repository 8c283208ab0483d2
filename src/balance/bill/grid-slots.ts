/** Import and export of a range by the quarter of an hour, and by the hour where quarters are unknown. */
import { type InParts } from '../../time/pause';
import { hourMs } from '../../time/units';
import type { Amount } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import type { PlacedMeter } from '../meters/placed-meters';
import { HouseParts } from '../period/house-parts';
import { divideIntoParts } from '../period/parts';
import type { ReadHouse } from '../period/period-balance';

/** A quarter or an hour. */
export interface GridSlot {
  /** Epoch ms. */
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly taken: Amount;
  readonly given: Amount;
  /** Measured time, ms. */
  readonly known: number;
}

export interface GridSlots {
  /** First moments of the days, and the last past moment. */
  readonly days: readonly number[];
  /** Ascending, without those whose amounts are unknown. */
  readonly slots: readonly GridSlot[];
}

const hoursAtOnce = 500;

/** @param until end of the past part of the period, epoch ms */
export function* gridSlotsOf(
  { period, slots }: Pick<ReadHouse, 'period' | 'slots'>,
  placed: readonly PlacedMeter[],
  until: number,
): InParts<GridSlots> {
  const measureGrid = function* (step: 'PT15M' | 'PT1H'): InParts<MeasuredSlots> {
    const parts = divideIntoParts(period, step, until, []);
    const house = new HouseParts(placed, parts, slots);
    yield;
    const taken = house.measured('import');
    yield;
    const given = house.measured('export');
    yield;
    return { borders: parts.borders, taken, given };
  };
  const quarters = yield* measureGrid('PT15M');
  const hours = yield* measureGrid('PT1H');
  const { days } = divideIntoParts(period, 'P1D', until, []);
  const found: GridSlot[] = [];
  let quarter = 0;
  for (let hour = 0; hour + 1 < hours.borders.length; hour += 1) {
    const end = getEntry(hours.borders, hour + 1);
    const inside: (GridSlot | null)[] = [];
    for (; quarter + 1 < quarters.borders.length && getEntry(quarters.borders, quarter) < end; quarter += 1) {
      inside.push(makeGridSlot(quarters, quarter));
    }
    const whole = inside.includes(null) ? makeGridSlot(hours, hour) : null;
    for (const slot of whole === null ? inside : [whole]) if (slot !== null) found.push(slot);
    if (hour % hoursAtOnce === 0) yield;
  }
  return { days, slots: found };
}

type Measured = ReturnType<HouseParts['measured']>;

interface MeasuredSlots {
  readonly borders: Float64Array;
  readonly taken: Measured;
  readonly given: Measured;
}

/** Null if an amount is unknown, or a share of a longer time. */
function makeGridSlot({ borders, taken, given }: MeasuredSlots, part: number): GridSlot | null {
  if (taken === null || given === null) return null;
  if (taken.estimated[part] === 1 || given.estimated[part] === 1) return null;
  const known = Math.min(getEntry(taken.known, part), getEntry(given.known, part));
  const [start, end] = [getEntry(borders, part), getEntry(borders, part + 1)];
  if (known === 0) return null;
  return {
    start,
    end,
    taken: Math.max(0, getEntry(taken.amounts, part)),
    given: Math.max(0, getEntry(given.amounts, part)),
    known,
  };
}

/** Measured time in slots, ms. */
export function knownIn(slots: readonly GridSlot[]): number {
  return slots.reduce((sum, { known }) => sum + known, 0);
}

/** First moment of the clock hour of a slot, counted from the start of its day. */
export function findClockHour(start: number, dayStart: number): number {
  return dayStart + Math.floor((start - dayStart) / hourMs) * hourMs;
}
