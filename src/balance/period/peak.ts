/** The quarter-hour peak, which Belgian and commercial connections pay for: the highest mean import of a clock quarter. */
import { entryOf } from '../meters/entries';
import type { BalancePeak } from '../../model/payload';
import { PER_KWH, type Amount } from '../meters/amounts';
import { isPossible } from '../meters/breaks';
import type { CounterReading } from '../meters/readings';
import type { Shape } from '../meters/shape';

/** All zones are whole quarters of an hour away from UTC, so a clock quarter begins at the same moments everywhere. */
const QUARTER = 900_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** First moment of a quarter → what was taken in it. */
export type Quarters = ReadonlyMap<number, Amount>;

/** The highest of several; of equal ones the first counts. */
export function highestOf(quarters: Iterable<readonly [start: number, amount: Amount]>): BalancePeak | null {
  let peak: { start: number; amount: Amount } | null = null;
  for (const [start, amount] of [...quarters].sort(([a], [b]) => a - b)) {
    if (peak === null || amount > peak.amount) peak = { start, amount };
  }
  return peak === null ? null : { power_w: meanOf(peak.amount, QUARTER), start: peak.start, end: peak.start + QUARTER };
}

/** Of all meters at the grid together: the quarters that each of them knows. */
export function commonQuarters([first, ...others]: readonly Quarters[]): [start: number, amount: Amount][] {
  return [...(first ?? [])].flatMap(([start, amount]): [number, Amount][] => {
    const all = [amount, ...others.flatMap((one) => one.get(start) ?? [])];
    return all.length <= others.length ? [] : [[start, all.reduce((sum, each) => sum + each, 0)]];
  });
}

/** The quarters that minutes know wholly: one of which a minute is missing is no peak. */
export function quartersOfMinutes(shape: Shape | undefined, from: number, until: number): Quarters {
  const totals = new Map<number, { amount: Amount; known: number }>();
  for (let slot = 0; slot < (shape?.starts.length ?? 0); slot += 1) {
    if (shape === undefined) break;
    const [start, end] = [entryOf(shape.starts, slot), entryOf(shape.ends, slot)];
    const quarter = quarterOf(start);
    if (start < from || end > until || end > quarter + QUARTER) continue;
    const total = totals.get(quarter) ?? { amount: 0, known: 0 };
    total.amount += entryOf(shape.amounts, slot);
    total.known += entryOf(shape.known, slot);
    totals.set(quarter, total);
  }
  return new Map([...totals].flatMap(([start, { amount, known }]) => (known === QUARTER ? [[start, amount]] : [])));
}

/** So far from the border of a quarter a reading still bounds it. */
const MOST_BESIDE_BORDER = MINUTE / 2;

/** The quarters of which a counter was read at both ends. */
export function quartersOfReadings(
  readings: readonly CounterReading[],
  from: number,
  until: number,
): ReadonlyMap<number, Amount> {
  const atBorders = new Map<number, CounterReading>();
  for (const reading of readings) {
    const border = Math.round(reading.ts / QUARTER) * QUARTER;
    const distance = Math.abs(reading.ts - border);
    const rival = atBorders.get(border);
    if (reading.counter !== 'import' || distance > MOST_BESIDE_BORDER || border < from || border > until) continue;
    if (rival === undefined || distance < Math.abs(rival.ts - border)) atBorders.set(border, reading);
  }
  return new Map(
    [...atBorders].flatMap(([start, before]): [number, Amount][] => {
      const after = atBorders.get(start + QUARTER);
      if (after === undefined) return [];
      const [change, ms] = [after.amount - before.amount, after.ts - before.ts];
      return change >= 0 && isPossible('import', change, ms) ? [[start, Math.round(change * (QUARTER / ms))]] : [];
    }),
  );
}

/** W. */
function meanOf(amount: Amount, ms: number): number {
  return (amount / PER_KWH) * 1000 * (HOUR / ms);
}

/** The first moment of the clock quarter. */
function quarterOf(moment: number): number {
  return Math.floor(moment / QUARTER) * QUARTER;
}

/** Import at the grid at one moment, all meters together. */
export interface ImportReading {
  readonly ts: number;
  readonly power_w: number;
  /** Null where a meter has no counter. */
  readonly counter: Amount | null;
}

/** What the running quarter has used so far; plain JSON. */
export interface RunningQuarter {
  readonly start: number;
  readonly used: Amount;
  /** It was followed from its beginning. */
  readonly isWhole: boolean;
  readonly last: ImportReading;
}

/** So long a time between two readings leaves open how much of it fell before the border of a quarter. */
const LONGEST_PAUSE = 2 * MINUTE;

/** The next reading; one that is not newer changes nothing. */
export function followQuarter(running: RunningQuarter | null, reading: ImportReading): RunningQuarter {
  const start = quarterOf(reading.ts);
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
  return { start, used: sinceStart, isWhole: used !== null && pause <= LONGEST_PAUSE, last: reading };
}

/** By the counter, else by the mean of both powers; null where neither tells. */
function usedBetween(before: ImportReading, after: ImportReading): Amount | null {
  const counted = before.counter === null || after.counter === null ? null : after.counter - before.counter;
  if (counted !== null && counted >= 0) return counted;
  const pause = after.ts - before.ts;
  if (pause > LONGEST_PAUSE) return null;
  return Math.round(((before.power_w + after.power_w) / 2) * 1000 * (pause / MINUTE));
}

/** What the running quarter will be: what was used so far, and the present power for the rest. */
export function expectedPeak({ start, used, isWhole, last }: RunningQuarter): BalancePeak {
  const end = start + QUARTER;
  const rest = last.power_w * 1000 * ((end - last.ts) / MINUTE);
  return { power_w: null, start, end, expected_w: isWhole ? meanOf(used + rest, QUARTER) : null };
}
