/** Costs that do not depend on the use of each moment: amounts per day and per year, and the capacity tariff. */
import { perKwh, type Amount } from '../meters/amounts';
import type { InParts } from '../../time/pause';
import type { PartOfDay } from '../period/parts';
import { commonParts, type Sum, addExactSums, sumOfKnown } from './exact';
import { oneDecimal } from './price-values';
import type { FixedPrices, PeakPrice } from './prices';

/** More of them are computed with a pause. A year has 35,000 quarters of an hour. */
const partsAtOnce = 2000;

/**
 * Costs of each part; null without such a price, and if no day of it counts. A current day costs its past share. No price begins or
 * ends within a part.
 * @param counts false for a day without known import
 */
export function* fixedOfParts(
  prices: readonly FixedPrices[],
  starts: readonly number[],
  days: readonly (readonly PartOfDay[])[],
  counts: (day: number) => boolean,
): InParts<readonly (Sum | null)[]> {
  if (!prices.some(hasPriceOfDays)) return days.map(() => null);
  const costs: (Sum | null)[] = [];
  for (const [index, parts] of days.entries()) {
    if (index % partsAtOnce === 0) yield;
    const start = starts[index] ?? NaN;
    const ofDays = prices.filter((one) => hasPriceOfDays(one) && one.start <= start && start < one.end);
    const counted = parts.filter(({ day }) => counts(day));
    costs.push(sumOfKnown(ofDays.flatMap((one) => counted.map((part) => costOfDay(one, part)))));
  }
  return costs;
}

export function hasPriceOfDays({ perDay, perYear }: FixedPrices): boolean {
  return perDay !== null || perYear !== null;
}

function costOfDay({ perDay, perYear }: FixedPrices, { ms, of, daysOfYear }: PartOfDay): Sum {
  const perAllDays = (perDay ?? 0n) * BigInt(daysOfYear) + (perYear ?? 0n);
  return (perAllDays * commonParts * BigInt(ms)) / BigInt(of * daysOfYear);
}

const quartersPerHour = 4n;
const monthsPerYear = 12n;

/** A quarter with 1 amount, at 1 per kW and year, for a month. */
const perQuarter = (quartersPerHour * commonParts * oneDecimal) / (monthsPerYear * BigInt(perKwh));

/** Import of the highest quarter of a month that has begun. */
export interface MonthPeak {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Null if unknown. */
  readonly amount: Amount | null;
}

/**
 * The sum of the months. A month that two contracts share is one of the first.
 * @returns null if the peak of a month is unknown
 */
export function peakCost(prices: readonly FixedPrices[], months: readonly MonthPeak[]): Sum | null {
  return addExactSums(
    months.map(({ start, end, amount }) => {
      const own = prices.find((one) => one.peak !== null && one.start < end && one.end > start);
      const price = own?.peak ?? null;
      if (price === null) return 0n;
      return amount === null ? null : costOfMonth(price, amount);
    }),
  );
}

function costOfMonth({ perKwYear, atLeastKw }: PeakPrice, quarter: Amount): Sum {
  const amount = BigInt(Math.round(quarter));
  const isLow = amount * quartersPerHour * oneDecimal < atLeastKw * BigInt(perKwh);
  return isLow ? (perKwYear * atLeastKw * commonParts) / monthsPerYear : perKwYear * amount * perQuarter;
}
