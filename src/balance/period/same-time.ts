/** Finds the steps in which the meters of a house were measured at the same time, so their amounts can be combined. */
import { allocate } from './allocate';
import { perKwh, type Amount } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import type { Stretch } from '../meters/readings';
import type { InParts } from '../../time/pause';
import { type Parts, sortMoments } from './parts';
import type { Shape } from '../meters/shape';

export interface MeasuredMeter {
  readonly counted: readonly Stretch[];
  readonly shape: Shape | null;
}

/** Largest share of the flow of a step that may come from a time without another meter, and the absolute limit. */
const mostShare = 0.01;
const mostAmount: Amount = 0.05 * perKwh;

/** 1 for each step whose amounts are simultaneous. */
export function* stepsInCommon(
  { borders, steps, stepOf }: Parts,
  meters: readonly MeasuredMeter[],
): InParts<Uint8Array> {
  const usable = new Uint8Array(steps.length).fill(1);
  const [first, last] = [getEntry(borders, 0), getEntry(borders, borders.length - 1)];
  const gaps = meters.flatMap((meter) => bordersOfGaps(meter)).filter((moment) => moment > first && moment < last);
  if (steps.length === 0 || (gaps.length === 0 && meters.length < 2)) return usable;
  const fine = finerParts({ borders, stepOf }, gaps);
  const found = yield* allocateEach(fine, meters);
  const [flowed, mixed] = [new Float64Array(steps.length), new Float64Array(steps.length)];
  fine.stepOf.forEach((step, part) => {
    const length = getEntry(fine.borders, part + 1) - getEntry(fine.borders, part);
    const known = found.map((one) => getEntry(one.known, part));
    const amount = found.reduce((sum, { amounts }) => sum + Math.abs(orZero(getEntry(amounts, part))), 0);
    // A share of a measured slot has no time of its own.
    const isOfOneTime = known.every((ms) => ms === 0) || known.every((ms) => ms >= length - 1);
    flowed[step] = getEntry(flowed, step) + amount;
    if (!isOfOneTime) mixed[step] = getEntry(mixed, step) + amount;
  });
  yield;
  mixed.forEach((amount, step) => {
    if (isTooMuch(amount, getEntry(flowed, step))) usable[step] = 0;
  });
  const ties = found.flatMap((one) => one.ties.map((parts) => parts.map((part) => getEntry(fine.stepOf, part))));
  // A step without a value takes those with it that share an amount with it in unknown proportions.
  spread(usable, ties, 0);
  return usable;
}

/**
 * 1 for each step whose amounts are known only together with those of other steps: a meter counted across a border while its
 * minutes are missing and another meter was measured by itself. In such a step their amounts are of different times.
 */
export function* stepsOnlyTogether(
  { borders, steps, stepOf }: Parts,
  meters: readonly MeasuredMeter[],
): InParts<Uint8Array> {
  const marked = new Uint8Array(steps.length);
  if (meters.length < 2) return marked;
  const [first, last] = [getEntry(borders, 0), getEntry(borders, borders.length - 1)];
  const cuts = meters.flatMap(({ shape }) => bordersOfGaps({ counted: [], shape }));
  const fine = finerParts(
    { borders, stepOf },
    cuts.filter((moment) => moment > first && moment < last),
  );
  const stepAt = (part: number): number => getEntry(fine.stepOf, part);
  const found = yield* allocateEach(fine, meters);
  const gaps = found.map((one) =>
    one.gaps.filter(({ parts: [begin = 0, ...others] }) => others.some((part) => stepAt(part) !== stepAt(begin))),
  );
  if (gaps.every((list) => list.length === 0)) return marked;
  const isIn = gaps.map((list) => new Set(list.flatMap(({ parts }) => parts)));
  const [flowed, mixed] = [new Float64Array(steps.length), new Float64Array(steps.length)];
  fine.stepOf.forEach((step, part) => {
    const known = found.map(({ amounts }) => Math.abs(orZero(getEntry(amounts, part))));
    flowed[step] = getEntry(flowed, step) + known.reduce((sum, amount) => sum + amount, 0);
    if (isIn.every((parts) => parts.has(part))) return;
    const inGap = known.filter((_, meter) => isIn[meter]?.has(part) === true);
    mixed[step] = getEntry(mixed, step) + inGap.reduce((sum, amount) => sum + amount, 0);
  });
  yield;
  mixed.forEach((amount, step) => {
    if (isTooMuch(amount, getEntry(flowed, step))) marked[step] = 1;
  });
  const ties = gaps.flatMap((list) => list.map(({ parts }) => parts.map(stepAt)));
  spread(marked, ties, 1);
  return marked;
}

/** The flow through each meter. */
function* allocateEach(
  parts: ReturnType<typeof finerParts>,
  meters: readonly MeasuredMeter[],
): InParts<ReturnType<typeof allocate>[]> {
  const found: ReturnType<typeof allocate>[] = [];
  for (const { counted, shape } of meters) {
    yield;
    found.push(allocate(parts, counted, shape));
  }
  yield;
  return found;
}

function isTooMuch(mixed: Amount, flowed: Amount): boolean {
  return mixed > mostShare * flowed + mostAmount;
}

/** Gives all steps that share an amount the mark that one of them has. */
function spread(steps: Uint8Array, ties: readonly (readonly number[])[], mark: 0 | 1): void {
  for (let changed = true; changed;) {
    changed = false;
    for (const tied of ties) {
      if (!tied.some((step) => steps[step] === mark) || tied.every((step) => steps[step] === mark)) continue;
      for (const step of tied) steps[step] = mark;
      changed = true;
    }
  }
}

/** Start and end of each time without a measurement of the meter. */
function bordersOfGaps({ counted, shape }: MeasuredMeter): number[] {
  const times = counted.map(({ from, to }): [number, number] => [from, to]);
  if (shape !== null) for (const run of joinAdjacentSlots(shape)) times.push(run);
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
function joinAdjacentSlots({ starts, ends }: Shape): [number, number][] {
  const runs: [number, number][] = [];
  if (starts.length === 0) return runs;
  let first = getEntry(starts, 0);
  for (let slot = 1; slot < starts.length; slot += 1) {
    const before = getEntry(ends, slot - 1);
    const start = getEntry(starts, slot);
    if (start === before) continue;
    runs.push([first, before]);
    first = start;
  }
  return [...runs, [first, getEntry(ends, ends.length - 1)]];
}

function finerParts({ borders, stepOf }: Pick<Parts, 'borders' | 'stepOf'>, cuts: readonly number[]) {
  const finer = sortMoments([...borders, ...cuts]);
  const steps = new Int32Array(Math.max(0, finer.length - 1));
  let index = 0;
  for (let part = 0; part < steps.length; part += 1) {
    while (getEntry(borders, index + 1) <= getEntry(finer, part)) index += 1;
    steps[part] = getEntry(stepOf, index);
  }
  return { borders: finer, stepOf: steps };
}

function orZero(amount: Amount): Amount {
  return Number.isNaN(amount) ? 0 : amount;
}
