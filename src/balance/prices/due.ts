/**
 * The amount that is paid by a contract: the total, with netted electricity in the times in which export is netted. Each of these times is settled as
 * one period. The months of a bill are the growth of what is paid, so they add up to it.
 */
import type { BalanceMissing } from '../../model/payload';
import type { InParts } from '../../time/pause';
import { countBefore } from '../meters/entries';
import type { Time } from './contracts';
import { type CostInput, type CostParts, costsOfExport, type Item, type Items } from './costs';
import { type Sum, sumOfKnown, toNumber } from './exact';
import { peakCost } from './fixed-costs';
import { computeNettedCost } from './netted';
import { hasPeakPrice, isByTheHour } from './prices';

export interface Due {
  readonly due: number | null;
  /** One per month, in their order. */
  readonly months: readonly { readonly total: number | null; readonly due: number | null }[];
  /** Why `due` is null, or the total without netting. */
  readonly missing: BalanceMissing | null;
  /**
   * Why a month is null although the whole is known: a month is the growth between two midnights, and without readings by tariff at one of them the
   * energy around it belongs to either month. To divide it by days would give two amounts that nobody pays.
   */
  readonly missingMonth: BalanceMissing | null;
}

/**
 * @param netted ascending, without overlaps; their ends are starts of parts
 * @param monthStarts first moments of the months of the period, the first one at its start
 */
export function* computeDue(
  input: CostInput,
  parts: CostParts,
  netted: readonly Time[],
  monthStarts: readonly number[],
): InParts<Due> {
  const calculation = new DueCalculation(input, parts, netted);
  const ends = monthStarts.map((_, index) => {
    const next = monthStarts[index + 1];
    return next === undefined ? input.starts.length : calculation.partAt(next);
  });
  const months: { total: number | null; due: number | null }[] = [];
  const nothing: Reached = { sum: 0n, missing: null };
  let before = { total: nothing, due: nothing };
  let missingMonth: BalanceMissing | null = null;
  for (const end of ends) {
    const after = { total: calculation.totalUntil(end), due: yield* calculation.dueUntil(end) };
    const growth = (name: 'total' | 'due'): number | null => {
      const [from, to] = [before[name].sum, after[name].sum];
      return from === null || to === null ? null : toNumber(to - from);
    };
    months.push({ total: growth('total'), due: growth('due') });
    if (end < input.starts.length) missingMonth ??= after.total.missing ?? after.due.missing;
    before = after;
    yield;
  }
  const { sum, missing } = before.due;
  return {
    due: toNumber(ends.length === 0 ? null : sum),
    months,
    missing: missing ?? calculation.unnetted,
    missingMonth,
  };
}

export interface DueSums {
  /** Without netting; null if nothing is known. */
  readonly total: Sum | null;
  readonly due: Sum | null;
  readonly missing: BalanceMissing | null;
}

/** The whole period of computeDue, exactly. */
export function* dueSums(input: CostInput, parts: CostParts, netted: readonly Time[]): InParts<DueSums> {
  const calculation = new DueCalculation(input, parts, netted);
  const { length } = input.starts;
  const total = calculation.totalUntil(length).sum;
  yield;
  const { sum: due, missing } = yield* calculation.dueUntil(length);
  return { total, due, missing: missing ?? calculation.unnetted };
}

/** A sum from the first part to another one. */
interface Reached {
  readonly sum: Sum | null;
  /** Why the sum is null. */
  readonly missing: BalanceMissing | null;
}

class DueCalculation {
  private readonly items: Items;
  private readonly fixed: readonly (Sum | null)[];
  private readonly netted: readonly Time[];
  /** Why nothing is netted although the contract says so. */
  readonly unnetted: BalanceMissing | null;

  constructor(
    private readonly input: CostInput,
    parts: CostParts,
    netted: readonly Time[],
  ) {
    this.items = parts.items;
    this.fixed = parts.fixed;
    const [first = 0] = input.starts;
    const inside = netted.filter(({ start, end }) => end > first && start <= (input.starts.at(-1) ?? first));
    const { import: taken, export: given } = input.prices;
    const isHourly = inside.some(({ start, end }) => isByTheHour(taken, start, end) || isByTheHour(given, start, end));
    this.unnetted = isHourly ? 'hourly_price' : null;
    this.netted = isHourly ? [] : inside;
  }

  /** The first part that does not begin before a moment. */
  partAt(moment: number): number {
    return countBefore(this.input.starts, (start) => start < moment);
  }

  /** Without netting; null if nothing is known. */
  totalUntil(end: number): Reached {
    const { taken, given } = this.items;
    return joined([costUntil(taken, end), costUntil(given, end), this.othersUntil(end)]);
  }

  *dueUntil(end: number): InParts<Reached> {
    const parts = [this.othersUntil(end)];
    yield;
    let first = 0;
    for (const { start, end: last } of this.netted) {
      const [from, to] = [Math.min(end, this.partAt(start)), Math.min(end, this.partAt(last))];
      parts.push(this.electricityBetween(first, from));
      if (from < to) parts.push(this.nettedBetween(from, to));
      first = to;
      yield;
    }
    parts.push(this.electricityBetween(first, end));
    const { sum, missing } = joined(parts);
    return { sum: missing === null ? (sum ?? 0n) : null, missing };
  }

  private nettedBetween(first: number, end: number): Reached {
    const { taken, given } = this.items;
    const { export: medium } = this.input;
    if (taken === null || medium === null) return { sum: null, missing: taken === null ? 'no_price' : 'not_measured' };
    const bought = taken.costs.sideBetween(first, end);
    const sold = costsOfExport(given, medium, this.input.starts).sideBetween(first, end);
    const sum = computeNettedCost(bought, sold);
    if (sum !== null) return { sum, missing: null };
    if (bought.isByTariff || sold.isByTariff) return { sum, missing: 'not_by_tariff' };
    return { sum, missing: bought.cost === null || sold.cost === null ? 'no_price' : 'too_few_days' };
  }

  private electricityBetween(first: number, end: number): Reached {
    const { taken, given } = this.items;
    const [from, to] = [first, end].map((part) => joined([costUntil(taken, part), costUntil(given, part)]));
    const missing = from?.missing ?? to?.missing ?? null;
    return { sum: missing === null ? (to?.sum ?? 0n) - (from?.sum ?? 0n) : null, missing };
  }

  private othersUntil(end: number): Reached {
    const { fee, gas, water } = this.items;
    const known = [sumOfKnown(this.fixed.slice(0, end)), this.peakUntil(end)];
    return joined([
      ...[fee, gas, water].map((item) => costUntil(item, end)),
      ...known.map((sum): Reached => ({ sum, missing: null })),
    ]);
  }

  /** A month counts in the part in which it begins, the first one at the start of the period. */
  private peakUntil(end: number): Sum | null {
    const { prices, starts, monthPeaks } = this.input;
    // The cost of the whole has no peak if that of one month is unknown.
    if (!hasPeakPrice(prices) || peakCost(prices.fixed, monthPeaks) === null) return null;
    const to = starts[end] ?? Infinity;
    return peakCost(
      prices.fixed,
      monthPeaks.filter(({ start }) => start < to),
    );
  }
}

/** The sum of what is known. Nothing is known if one of the parts lacks a reading. */
function joined(parts: readonly Reached[]): Reached {
  const missing = parts.find((part) => part.missing !== null)?.missing ?? null;
  return { sum: missing === null ? sumOfKnown(parts.map(({ sum }) => sum)) : null, missing };
}

function costUntil(item: Item | null, end: number): Reached {
  if (item === null || item.isLeftOut) return { sum: null, missing: null };
  const { cost, isKnown } = item.costs.costUntil(end);
  if (!isKnown) return { sum: null, missing: 'not_by_tariff' };
  return { sum: cost === null ? null : item.sign * cost, missing: null };
}
