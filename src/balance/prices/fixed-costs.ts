/** Costs that do not depend on the use of each moment: amounts per day and per year, and the capacity tariff. */
import { perKwh, type Amount } from '../meters/amounts';
import type { PartOfDay } from '../period/parts';
import { commonParts, type Sum, sumOf, sumOfKnown } from './exact';
import { oneDecimal } from './price-values';
import type { PeakPrice, Prices } from './prices';

/**
 * Costs of each part; null without such a price, and if no day of it counts. A current day costs its past share.
 * @param counts false for a day without known import
 */
export function fixedOfParts(
  { perDay, perYear }: Pick<Prices, 'perDay' | 'perYear'>,
  days: readonly (readonly PartOfDay[])[],
  counts: (day: number) => boolean,
): readonly (Sum | null)[] {
  if (perDay === null && perYear === null) return days.map(() => null);
  const ofDay = ({ ms, of, daysOfYear }: PartOfDay): Sum => {
    const perAllDays = (perDay ?? 0n) * BigInt(daysOfYear) + (perYear ?? 0n);
    return (perAllDays * commonParts * BigInt(ms)) / BigInt(of * daysOfYear);
  };
  return days.map((parts) => sumOfKnown(parts.map((part) => (counts(part.day) ? ofDay(part) : null))));
}

const quartersPerHour = 4n;
const monthsPerYear = 12n;

/** A quarter with 1 amount, at 1 per kW and year, for a month. */
const perQuarter = (quartersPerHour * commonParts * oneDecimal) / (monthsPerYear * BigInt(perKwh));

/**
 * The sum of the months.
 * @param months import of the highest quarter of each month; null if unknown
 * @returns null if the peak of a month is unknown
 */
export function peakCost({ perKwYear, atLeastKw }: PeakPrice, months: readonly (Amount | null)[]): Sum | null {
  return sumOf(
    months.map((quarter) => {
      if (quarter === null) return null;
      const amount = BigInt(Math.round(quarter));
      const isLow = amount * quartersPerHour * oneDecimal < atLeastKw * BigInt(perKwh);
      return isLow ? (perKwYear * atLeastKw * commonParts) / monthsPerYear : perKwYear * amount * perQuarter;
    }),
  );
}
