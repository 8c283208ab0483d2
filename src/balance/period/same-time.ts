/** Finds the steps in which the meters of a house were measured at the same time, so their amounts can be combined. */
import { allocate, type Stretch } from './allocate';
import { perKwh, type Amount } from '../meters/amounts';
import { entryOf } from '../meters/entries';
import type { Parts } from './parts';
import type { Shape } from '../meters/shape';

export interface MeasuredMeter {
  readonly counted: readonly Stretch[];
  readonly shape: Shape | null;
}

/** Largest share of the flow of a step that may come from a time without another meter, and the absolute limit. */
const mostShare = 0.01;
const mostAmount: Amount = 0.05 * perKwh;

/** 1 for each step whose amounts are simultaneous. */
export function stepsInCommon({ borders, steps, stepOf }: Parts, meters: readonly MeasuredMeter[]): Uint8Array {
  const usable = new Uint8Array(steps.length).fill(1);
  const [first, last] = [entryOf(borders, 0), entryOf(borders, borders.length - 1)];
  const gaps = meters.flatMap((meter) => bordersOfGaps(meter)).filter((moment) => moment > first && moment < last);
  if (steps.length === 0 || (gaps.length === 0 && meters.length < 2)) return usable;
  const fine = finerParts({ borders, stepOf }, gaps);
  const found = meters.map(({ counted, shape }) => allocate(fine, counted, shape));
  const [flowed, mixed] = [new Float64Array(steps.length), new Float64Array(steps.length)];
  fine.stepOf.forEach((step, part) => {
    const length = entryOf(fine.borders, part + 1) - entryOf(fine.borders, part);
    const known = found.map((one) => entryOf(one.known, part));
    const amount = found.reduce((sum, { amounts }) => sum + Math.abs(orZero(entryOf(amounts, part))), 0);
    // A share of a measured slot has no time of its own.
    const isOfOneTime = known.every((ms) => ms === 0) || known.every((ms) => ms >= length - 1);
    flowed[step] = entryOf(flowed, step) + amount;
    if (!isOfOneTime) mixed[step] = entryOf(mixed, step) + amount;
  });
  mixed.forEach((amount, step) => {
    if (amount > mostShare * entryOf(flowed, step) + mostAmount) usable[step] = 0;
  });
  const ties = found.flatMap((one) => one.ties.map((parts) => parts.map((part) => entryOf(fine.stepOf, part))));
  dropTied(usable, ties);
  return usable;
}

/** Drops all steps that share an amount in unknown proportions, unless all of them are usable. */
function dropTied(usable: Uint8Array, ties: readonly (readonly number[])[]): void {
  for (let changed = true; changed;) {
    changed = false;
    for (const steps of ties) {
      if (!steps.some((step) => usable[step] === 0) || steps.every((step) => usable[step] === 0)) continue;
      for (const step of steps) usable[step] = 0;
      changed = true;
    }
  }
}

/** Start and end of each time without a measurement of the meter. */
function bordersOfGaps({ counted, shape }: MeasuredMeter): number[] {
  const times = counted.map(({ from, to }): [number, number] => [from, to]);
  if (shape !== null) for (const run of runsOf(shape)) times.push(run);
  times.sort(([a], [b]) => a - b);
  const borders: number[] = [];
  let end: number | null = null;
  for (const [from, to] of times) {
    if (end === null) borders.push(from);
    else if (from > end) borders.push(end, from);
    end = Math.max(end ?? to, to);
  }
  return end === null ? borders : [...borders, end];
}

/** Slots without a gap between them as one time. */
function runsOf({ starts, ends }: Shape): [number, number][] {
  const runs: [number, number][] = [];
  if (starts.length === 0) return runs;
  let first = entryOf(starts, 0);
  for (let slot = 1; slot < starts.length; slot += 1) {
    const before = entryOf(ends, slot - 1);
    const start = entryOf(starts, slot);
    if (start === before) continue;
    runs.push([first, before]);
    first = start;
  }
  return [...runs, [first, entryOf(ends, ends.length - 1)]];
}

function finerParts({ borders, stepOf }: Pick<Parts, 'borders' | 'stepOf'>, cuts: readonly number[]) {
  const finer = Float64Array.from(new Set([...borders, ...cuts])).sort();
  const steps = new Int32Array(Math.max(0, finer.length - 1));
  let index = 0;
  for (let part = 0; part < steps.length; part += 1) {
    while (entryOf(borders, index + 1) <= entryOf(finer, part)) index += 1;
    steps[part] = entryOf(stepOf, index);
  }
  return { borders: finer, stepOf: steps };
}

function orZero(amount: Amount): Amount {
  return Number.isNaN(amount) ? 0 : amount;
}
