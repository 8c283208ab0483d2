/** Distributes counted amounts over the parts of a period, in the shape of the minutes. */
import { minuteMs } from '../../time/units';
import { getEntry } from '../meters/entries';
import { split, type Amount } from '../meters/amounts';
import type { Parts } from './parts';
import type { Break } from '../meters/breaks';
import { type Counter, listStretches, type PlacedReading, type Stretch } from '../meters/readings';
import { type Shape, ShapeWalk } from '../meters/shape';

/** Known amounts of one quantity in each part of a period. */
export interface Allocated {
  /** NaN if unknown. */
  readonly amounts: Float64Array;
  /** Measured ms, by minutes or by counters around them. */
  readonly known: Float64Array;
  /** 1 for a share without a measurement of that time. */
  readonly estimated: Uint8Array;
  /** Not 0 if the amount belongs to a longer time and this part's share of it is unknown (`endOfSharing`). */
  readonly shared: Uint8Array;
  /** The times without minutes between two readings. */
  readonly gaps: readonly Gap[];
}

/** The mark of a share of an amount. */
const isShare = 1;
/** The mark of a share whose amount also has one in the next part. */
const goesOn = 2;

/** The end (exclusive) of the parts that share an amount with this one. Not shared: the part alone. */
export function endOfSharing(shared: Uint8Array, first: number): number {
  let end = first + 1;
  while (((shared[end - 1] ?? 0) & goesOn) !== 0 && (shared[end] ?? 0) !== 0) end += 1;
  return end;
}

/** The marks of parts in another order. Shares that were not neighbours before count as those of one amount. */
export function reorderShared(shared: Uint8Array, order: readonly number[]): Uint8Array {
  return Uint8Array.from(order, (part, place) => {
    const mark = shared[part] ?? 0;
    return mark === 0 || order[place + 1] === part + 1 ? mark : isShare | goesOn;
  });
}

/** The parts of a stretch in which minutes are missing, and what counters give to them: they do not show when it flowed. */
export interface Gap {
  readonly parts: readonly number[];
  readonly amounts: readonly Amount[];
}

/** The stretches between readings, without those with a break of a counter. */
export function findStretches(
  readings: readonly PlacedReading[],
  breaks: readonly Break[],
  counter: Counter,
): Stretch[] {
  const whole = listStretches(readings).filter(
    ({ from, to }) => !breaks.some((broken) => broken.from < to && broken.to > from),
  );
  return counter === 'production' ? whole : whole.map((one) => ({ ...one, amount: Math.max(0, one.amount) }));
}

/** ms. */
export function sumLengths(list: readonly Stretch[]): number {
  return list.reduce((sum, { from, to }) => sum + to - from, 0);
}

export function sumStretches(list: readonly Stretch[]): Amount {
  return list.reduce((sum, { amount }) => sum + amount, 0);
}

export interface AllocatedMeter extends Allocated {
  /** Parts that share an amount in unknown proportions. */
  readonly ties: readonly (readonly number[])[];
}

/** For one meter: counted stretches in the shape of the slots, and the slots alone in between. */
export function allocate(
  { borders, stepOf }: Pick<Parts, 'borders' | 'stepOf'>,
  counted: readonly Stretch[],
  shape: Shape | null,
): AllocatedMeter {
  const count = borders.length - 1;
  const gaps: Gap[] = [];
  const result: Allocated = {
    amounts: new Float64Array(count).fill(NaN),
    known: new Float64Array(count),
    estimated: new Uint8Array(count),
    shared: new Uint8Array(count),
    gaps,
  };
  const ties: number[][] = [];
  const walk = new ShapeWalk(shape);
  let [from, part] = [getEntry(borders, 0), 0];
  const until = getEntry(borders, count);
  /** @param extra amount of the seconds since the last slot */
  const advance = (to: number, amount: Amount | null, extra: Amount = 0): void => {
    const pieces: Piece[] = [];
    for (; part < count; part += 1) {
      const border = borders[part + 1] ?? NaN;
      const start = Math.max(from, borders[part] ?? NaN);
      const end = Math.min(to, border);
      if (end > start)
        pieces.push({ part, step: stepOf[part] ?? NaN, length: end - start, ...walk.between(start, end) });
      if (border > to) break;
    }
    const last = pieces.at(-1);
    if (last !== undefined) pieces[pieces.length - 1] = { ...last, amount: last.amount + extra };
    if (amount === null) addMeasured(result, pieces);
    else ties.push(addCounted(result, pieces, amount, gaps));
    from = to;
  };
  for (const stretch of counted) {
    if (stretch.from > from) advance(stretch.from, null);
    advance(stretch.to, stretch.amount, estimateSecondsOfNow(shape, stretch));
  }
  if (until > from) advance(until, null);
  return { ...result, ties };
}

/**
 * The amount of the seconds between the last minute and a reading of now, as much as that minute had in this time: without it the hours
 * that are over would change with these seconds.
 */
function estimateSecondsOfNow(shape: Shape | null, { to, readAt, isUntilNow = false }: Stretch): Amount {
  if (!isUntilNow) return 0;
  const { amount, known } = new ShapeWalk(shape).between(to - minuteMs, to);
  return known === 0 ? 0 : Math.round((amount * (readAt - to)) / known);
}

/** A stretch within one part. */
interface Piece {
  readonly part: number;
  readonly step: number;
  readonly length: number;
  /** Amount of the slots, and their measured ms. */
  readonly amount: Amount;
  readonly known: number;
  /** True if a slot crosses a border of the part. */
  readonly cut: boolean;
  /** True if a slot crosses the border to the next part. */
  readonly goesOn: boolean;
}

function addMeasured(result: Allocated, pieces: readonly Piece[]): void {
  for (const { part, amount, known, cut, ...piece } of pieces) {
    if (known > 0) give(result, part, amount, known);
    if (!cut) continue;
    result.estimated[part] = 1;
    markShare(result, part, piece.goesOn);
  }
}

/** A stretch within one step is the amount of that step, whatever its shape. Returns the parts with an unknown share. */
function addCounted(result: Allocated, pieces: readonly Piece[], amount: Amount, gaps: Gap[]): number[] {
  const isOfOnePart = pieces.length === 1;
  const isOfOneStep = pieces[0]?.step === pieces.at(-1)?.step;
  const { amounts, estimated, inGap } = isOfOnePart
    ? { amounts: [amount], estimated: [false], inGap: [0] }
    : computeSlotShares(pieces, amount);
  const missing = pieces.flatMap(({ length, known }, index) => (length > known ? index : []));
  if (!isOfOnePart && missing.length > 0) {
    gaps.push({
      parts: missing.map((index) => pieces[index]?.part ?? NaN),
      amounts: missing.map((index) => getEntry(inGap, index)),
    });
  }
  const hasShape = pieces.some(({ known }) => known > 0);
  pieces.forEach(({ part, length, cut, ...piece }, index) => {
    give(result, part, getEntry(amounts, index), length);
    if (isOfOnePart) return;
    if (cut || !hasShape) markShare(result, part, piece.goesOn || index < pieces.length - 1);
    if (!isOfOneStep && (cut || estimated[index] === true)) result.estimated[part] = 1;
  });
  const isTied = ({ cut }: Piece, index: number): boolean => cut || !hasShape || estimated[index] === true;
  return isOfOnePart ? [] : pieces.filter(isTied).map(({ part }) => part);
}

function markShare({ shared }: Allocated, part: number, isNextToo: boolean): void {
  shared[part] = (shared[part] ?? 0) | isShare | (isNextToo ? goesOn : 0);
}

function give({ amounts, known }: Allocated, part: number, amount: Amount, ms: number): void {
  const before = amounts[part] ?? NaN;
  amounts[part] = (Number.isNaN(before) ? 0 : before) + amount;
  known[part] = (known[part] ?? NaN) + ms;
}

interface Shares {
  readonly amounts: readonly Amount[];
  readonly estimated: readonly boolean[];
  /** The amounts given to missing time. */
  readonly inGap: readonly Amount[];
}

/**
 * Without a gap, each slot is scaled. With a gap, or if the slots sum to 0, the missing amount is spread evenly over the missing
 * time (otherwise over all of it). Slots that sum to more than the counted amount are always scaled: no result is negative.
 */
function computeSlotShares(pieces: readonly Piece[], amount: Amount): Shares {
  const sums = pieces.map((piece) => piece.amount);
  const missing = pieces.map(({ length, known }) => length - known);
  const [sum, gap] = [total(sums), total(missing)];
  const lack = amount - sum;
  const none = { estimated: pieces.map(() => false), inGap: pieces.map(() => 0) };
  if (lack === 0) return { ...none, amounts: sums };
  if (gap > 0 && (lack > 0 || !canScale(sums, amount))) {
    const inGap = split(lack, missing);
    return { ...given(sums, inGap, missing), inGap };
  }
  if (canScale(sums, amount)) {
    return { ...none, amounts: scaled(sums, amount), estimated: missing.map((ms) => ms > 0) };
  }
  const lengths = pieces.map(({ length }) => length);
  return { ...none, ...given(sums, split(lack, lengths), lengths) };
}

function given(sums: readonly Amount[], extra: readonly Amount[], weights: readonly number[]) {
  return {
    amounts: sums.map((sum, index) => sum + getEntry(extra, index)),
    estimated: weights.map((weight) => weight > 0),
  };
}

/** Net production is partly negative: the delivery of an inverter is scaled, its own use at night is not. */
function canScale(sums: readonly Amount[], amount: Amount): boolean {
  const negative = total(sums.filter((sum) => sum < 0));
  const positive = total(sums) - negative;
  return positive > 0 && amount - negative >= 0;
}

function scaled(sums: readonly Amount[], amount: Amount): Amount[] {
  const negative = total(sums.filter((sum) => sum < 0));
  const shares = split(
    amount - negative,
    sums.map((sum) => Math.max(0, sum)),
  );
  return sums.map((sum, index) => (sum < 0 ? sum : getEntry(shares, index)));
}

function total(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0);
}

/** The sum of the known ones of the amounts from `first` to `end` (exclusive); null if none is known. */
export function sumKnown(amounts: Float64Array, first = 0, end = amounts.length): Amount | null {
  let sum: Amount | null = null;
  for (let index = first; index < end; index += 1) {
    const amount = getEntry(amounts, index);
    if (!Number.isNaN(amount)) sum = (sum ?? 0) + amount;
  }
  return sum;
}
