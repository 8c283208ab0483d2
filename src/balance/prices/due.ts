/**
 * The amount that is paid by a contract: the total, with netted electricity in the times in which export is netted. Each of these times is settled as
 * one period. The months of a bill are the growth of what is paid, so they add up to it.
 */
import type { BalanceMissing } from '../../model/payload';
import type { InParts } from '../../pause';
import type { Time } from './contracts';
import { type CostInput, type CostParts, costsOfExport, type Item, type Items } from './costs';
import { type Sum, sumOf, sumOfKnown, toNumber } from './exact';
import { peakCost } from './fixed-costs';
import { nettedOf } from './netted';
import { hasPeakPrice, isByTheHour } from './prices';

export interface Due {
  readonly due: number | null;
  /** One per month, in their order. */
  readonly months: readonly { readonly total: number | null; readonly due: number | null }[];
  /** Why `due` is null, or the total without netting. */
  readonly missing: BalanceMissing | null;
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
  const { length } = input.starts;
  const ends = monthStarts.map((_, index) => {
    const next = monthStarts[index + 1];
    return next === undefined ? length : calculation.partAt(next);
  });
  const months: { total: number | null; due: number | null }[] = [];
  let [first, before]: [number, Sum | null] = [0, 0n];
  for (const end of ends) {
    const after = yield* calculation.dueUntil(end);
    const total = toNumber(calculation.totalBetween(first, end));
    months.push({ total, due: before === null || after === null ? null : toNumber(after - before) });
    [first, before] = [end, after];
    yield;
  }
  return { due: toNumber(ends.length === 0 ? null : before), months, missing: calculation.missing };
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
  const total = calculation.totalBetween(0, length);
  yield;
  const due = yield* calculation.dueUntil(length);
  return { total, due, missing: calculation.missing };
}

class DueCalculation {
  private readonly items: Items;
  private readonly fixed: readonly (Sum | null)[];
  private readonly netted: readonly Time[];
  /** Why netting is not known. */
  missing: BalanceMissing | null = null;

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
    if (isHourly) this.missing = 'hourly_price';
    this.netted = isHourly ? [] : inside;
  }

  /** The first part that does not begin before a moment. */
  partAt(moment: number): number {
    const { starts } = this.input;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((starts[middle] ?? Infinity) < moment) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Without netting; null if nothing is known. */
  totalBetween(first: number, end: number): Sum | null {
    return sumOfKnown([this.othersBetween(first, end), this.electricityBetween(first, end)]);
  }

  /** From the first part to `end` (exclusive). */
  *dueUntil(end: number): InParts<Sum | null> {
    const parts: (Sum | null)[] = [this.othersBetween(0, end) ?? 0n];
    yield;
    let first = 0;
    for (const { start, end: last } of this.netted) {
      const [from, to] = [Math.min(end, this.partAt(start)), Math.min(end, this.partAt(last))];
      parts.push(this.electricityBetween(first, from) ?? 0n, from < to ? this.nettedBetween(from, to) : 0n);
      first = to;
      yield;
    }
    parts.push(this.electricityBetween(first, end) ?? 0n);
    return sumOf(parts);
  }

  private nettedBetween(first: number, end: number): Sum | null {
    const { taken, given } = this.items;
    const { export: medium } = this.input;
    if (taken === null || medium === null) {
      this.missing ??= taken === null ? 'no_price' : 'not_measured';
      return null;
    }
    const bought = taken.costs.sideBetween(first, end);
    const sold = costsOfExport(given, medium, this.input.starts).sideBetween(first, end);
    const cost = nettedOf(bought, sold);
    const isByTariff = bought.isByTariff || sold.isByTariff;
    if (cost === null) this.missing ??= isByTariff ? 'not_by_tariff' : 'no_price';
    return cost;
  }

  private electricityBetween(first: number, end: number): Sum | null {
    const { taken, given } = this.items;
    return sumOfKnown([signedCost(taken, first, end), signedCost(given, first, end)]);
  }

  private othersBetween(first: number, end: number): Sum | null {
    const { fee, gas, water } = this.items;
    const items = [fee, gas, water].map((item) => signedCost(item, first, end));
    return sumOfKnown([...items, sumOfKnown(this.fixed.slice(first, end)), this.peakBetween(first, end)]);
  }

  /** A month counts in the part in which it begins, the first one at the start of the period. */
  private peakBetween(first: number, end: number): Sum | null {
    const { prices, starts, monthPeaks } = this.input;
    if (!hasPeakPrice(prices)) return null;
    const [from, to] = [first === 0 ? -Infinity : (starts[first] ?? Infinity), starts[end] ?? Infinity];
    return peakCost(
      prices.fixed,
      monthPeaks.filter(({ start }) => start >= from && start < to),
    );
  }
}

function signedCost(item: Item | null, first: number, end: number): Sum | null {
  if (item === null || item.isLeftOut) return null;
  const { cost } = item.costs.between(first, end);
  return cost === null ? null : item.sign * cost;
}
