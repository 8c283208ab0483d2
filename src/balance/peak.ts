/** The quarter-hour peak, which Belgian and commercial connections pay for: the highest mean import of a clock quarter. */
import { entryOf } from './entries';
import type { BalancePeak } from '../model/payload';
import { PER_KWH, type Amount } from './amounts';
import type { Shape } from './shape';

/** All zones are whole quarters of an hour away from UTC, so a clock quarter begins at the same moments everywhere. */
const QUARTER = 900_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/**
 * Of all meters at the grid together. A quarter of which a minute is missing is no peak; of equal ones the first counts. Null
 * where no quarter was wholly measured.
 */
export function highestQuarter(imports: readonly Shape[], from: number, until: number): BalancePeak | null {
  const totals = new Map<number, { amount: Amount; known: number }>();
  for (const shape of imports) addQuarters(totals, shape, from, until);
  let peak: { start: number; amount: Amount } | null = null;
  for (const [start, { amount, known }] of [...totals].sort(([a], [b]) => a - b)) {
    if (known !== QUARTER * imports.length) continue;
    if (peak === null || amount > peak.amount) peak = { start, amount };
  }
  return peak === null ? null : { power_w: meanOf(peak.amount, QUARTER), start: peak.start, end: peak.start + QUARTER };
}

function addQuarters(
  totals: Map<number, { amount: Amount; known: number }>,
  { starts, ends, amounts, known }: Shape,
  from: number,
  until: number,
): void {
  for (let slot = 0; slot < starts.length; slot += 1) {
    const [start, end] = [entryOf(starts, slot), entryOf(ends, slot)];
    const quarter = quarterOf(start);
    if (start < from || end > until || end > quarter + QUARTER) continue;
    const total = totals.get(quarter) ?? { amount: 0, known: 0 };
    total.amount += entryOf(amounts, slot);
    total.known += entryOf(known, slot);
    totals.set(quarter, total);
  }
}

/** W. */
function meanOf(amount: Amount, ms: number): number {
  return (amount / PER_KWH) * 1000 * (HOUR / ms);
}

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
