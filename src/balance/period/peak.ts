/** The quarter-hour peak, on which connections in Flanders and commercial ones are billed: the highest mean import of a clock quarter. */
import { getEntry } from '../meters/entries';
import type { InParts } from '../../time/pause';
import type { BalancePeak } from '../../model/payload';
import { perKwh, type Amount } from '../meters/amounts';
import { isPossible } from '../meters/breaks';
import type { BalanceMeter } from '../meters/placed-meters';
import type { CounterReading } from '../meters/readings';
import { emptyShape, type Shape } from '../meters/shape';
import { hourMs, minuteMs, quarterMs } from '../../time/units';

/** All time zones differ from UTC by whole quarter hours, so clock quarters begin at the same moments everywhere. */

/** First moment of a quarter → imported amount. */
type Quarters = ReadonlyMap<number, Amount>;

/** The highest of several; of equal ones the first counts. */
export function findHighestQuarter(quarters: Iterable<readonly [start: number, amount: Amount]>): BalancePeak | null {
  let peak: { start: number; amount: Amount } | null = null;
  for (const [start, amount] of [...quarters].sort(([a], [b]) => a - b)) {
    if (peak === null || amount > peak.amount) peak = { start, amount };
  }
  return peak === null
    ? null
    : { power_w: computeMeanPower(peak.amount, quarterMs), start: peak.start, end: peak.start + quarterMs };
}

export type KnownQuarter = readonly [start: number, amount: Amount];

interface QuartersInput {
  readonly meters: readonly BalanceMeter[];
  readonly slots: 'minutes' | 'delivered';
  readonly oldQuarters?: readonly KnownQuarter[];
  readonly from: number;
  readonly until: number;
}

/** The quarters of a house from minutes, and from readings at both ends of quarters. */
export function* computeQuarters({
  meters,
  slots,
  oldQuarters = [],
  from,
  until,
}: QuartersInput): InParts<KnownQuarter[]> {
  const quarters: Quarters[] = [];
  for (const { role, shapes, readings } of meters) {
    if (role !== 'grid') continue;
    const counted = quartersOfReadings(readings, from, until);
    yield;
    if (slots !== 'minutes') {
      quarters.push(counted);
      continue;
    }
    const all = yield* sumMinutesByQuarter(shapes.import, from, until);
    yield;
    for (const [start, amount] of counted) all.set(start, amount);
    quarters.push(all);
    yield;
  }
  const old = oldQuarters.filter(([start]) => start >= from && start < until);
  return [...old, ...sumCommonTimes(quarters)];
}

/** The sums of all meters, of the times that are known from each of them. */
export function sumCommonTimes<Time>([first, ...others]: readonly ReadonlyMap<Time, Amount>[]): [Time, Amount][] {
  return [...(first ?? [])].flatMap(([time, amount]): [Time, Amount][] => {
    const all = others.flatMap((one) => one.get(time) ?? []);
    return all.length < others.length ? [] : [[time, all.reduce((sum, each) => sum + each, amount)]];
  });
}

/** More of them are added up with a pause. */
const slotsAtOnce = 8000;

/** The quarters with all their minutes: a quarter with a missing minute cannot be a peak. */
export function* sumMinutesByQuarter(
  shape: Shape = emptyShape(0),
  from: number,
  until: number,
): InParts<Map<number, Amount>> {
  const whole = new Map<number, Amount>();
  const divided = new Map<number, { amount: Amount; known: number }>();
  for (let slot = 0; slot < shape.starts.length; slot += 1) {
    if (slot % slotsAtOnce === slotsAtOnce - 1) yield;
    const start = getEntry(shape.starts, slot);
    const end = getEntry(shape.ends, slot);
    const quarter = roundDownToQuarter(start);
    if (start < from || end > until || end > quarter + quarterMs) continue;
    const [amount, known] = [getEntry(shape.amounts, slot), getEntry(shape.known, slot)];
    const total = divided.get(quarter);
    if (total === undefined && known === quarterMs) {
      whole.set(quarter, amount);
    } else {
      const before = total ?? { amount: 0, known: 0 };
      divided.set(quarter, { amount: before.amount + amount, known: before.known + known });
    }
  }
  for (const [start, { amount, known }] of divided) if (known === quarterMs) whole.set(start, amount);
  return whole;
}

/** Largest distance of a reading from the border of a quarter. */
const mostBesideBorderMs = minuteMs / 2;

/** The quarters with a reading at both ends. */
export function quartersOfReadings(
  readings: readonly CounterReading[],
  from: number,
  until: number,
): ReadonlyMap<number, Amount> {
  const atBorders = new Map<number, CounterReading>();
  for (const reading of readings) {
    const border = Math.round(reading.ts / quarterMs) * quarterMs;
    const distance = Math.abs(reading.ts - border);
    const rival = atBorders.get(border);
    if (reading.counter !== 'import' || distance > mostBesideBorderMs || border < from || border > until) continue;
    if (rival === undefined || distance < Math.abs(rival.ts - border)) atBorders.set(border, reading);
  }
  return new Map(
    [...atBorders].flatMap(([start, before]): [number, Amount][] => {
      const after = atBorders.get(start + quarterMs);
      if (after === undefined) return [];
      const [change, ms] = [after.amount - before.amount, after.ts - before.ts];
      return change >= 0 && isPossible('import', change, ms) ? [[start, Math.round(change * (quarterMs / ms))]] : [];
    }),
  );
}

/** W. */
function computeMeanPower(amount: Amount, ms: number): number {
  return (amount / perKwh) * 1000 * (hourMs / ms);
}

function roundDownToQuarter(moment: number): number {
  return Math.floor(moment / quarterMs) * quarterMs;
}

/** Import of all grid meters at one moment. */
export interface ImportReading {
  readonly ts: number;
  readonly power_w: number;
  /** Null if a meter has no counter. */
  readonly counter: Amount | null;
}

/** Use of the current quarter so far; plain JSON. */
export interface RunningQuarter {
  readonly start: number;
  readonly used: Amount;
  /** True if it was followed from its start. */
  readonly isWhole: boolean;
  readonly last: ImportReading;
}

/** After a longer time between two readings, the part before the border of a quarter is unknown. */
const longestPauseMs = 2 * minuteMs;

/** Adds the next reading; one that is not newer changes nothing. */
export function followQuarter(running: RunningQuarter | null, reading: ImportReading): RunningQuarter {
  const start = roundDownToQuarter(reading.ts);
  if (running === null) return { start, used: 0, isWhole: reading.ts === start, last: reading };
  const { last } = running;
  if (reading.ts <= last.ts) return running;
  const used = usedBetween(last, reading);
  if (start === running.start) {
    const isWhole = running.isWhole && used !== null;
    return { start, used: running.used + (used ?? 0), isWhole, last: reading };
  }
  const pause = reading.ts - last.ts;
  const sinceStart = Math.round((used ?? 0) * ((reading.ts - start) / pause));
  return { start, used: sinceStart, isWhole: used !== null && pause <= longestPauseMs, last: reading };
}

/** From the counter, otherwise from the mean of both powers; null if neither is known. */
function usedBetween(before: ImportReading, after: ImportReading): Amount | null {
  const counted = before.counter === null || after.counter === null ? null : after.counter - before.counter;
  if (counted !== null && counted >= 0) return counted;
  const pause = after.ts - before.ts;
  if (pause > longestPauseMs) return null;
  return Math.round(((before.power_w + after.power_w) / 2) * 1000 * (pause / minuteMs));
}

/** Forecast of the current quarter: the use so far, and the current power for the rest. */
export function expectedPeak({ start, used, isWhole, last }: RunningQuarter): BalancePeak {
  const end = start + quarterMs;
  const rest = last.power_w * 1000 * ((end - last.ts) / minuteMs);
  return { power_w: null, start, end, expected_w: isWhole ? computeMeanPower(used + rest, quarterMs) : null };
}

/** The highest quarter of the month so far, and the least power that is paid. */
export interface MonthPeak {
  /** Null: not known. */
  readonly power_w: number | null;
  readonly atLeast_w: number;
}

/** In the last minute of a quarter no load can change much any more. */
const leastRestMs = minuteMs;

/** Power that can be added in the rest of a quarter without a new peak of the month, W; null if it is not known. */
export function roomBelow(
  { start, used, isWhole, last }: RunningQuarter,
  { power_w, atLeast_w }: MonthPeak,
): number | null {
  const rest = start + quarterMs - last.ts;
  if (!isWhole || power_w === null || rest <= leastRestMs) return null;
  const free = Math.max(power_w, atLeast_w) * (quarterMs / hourMs) - (used / perKwh) * 1000;
  return free / (rest / hourMs) - last.power_w;
}
