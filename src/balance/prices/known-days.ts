/** The days that a total of costs stands for, and whether they are enough. */
import type { BalanceMissing } from '../../model/payload';

export interface CostDays {
  /** Starts of the past days, the current one included, epoch ms. */
  readonly past: readonly number[];
  /** Share of the last past day that is over, 0 to 1. */
  readonly lastShare: number;
  /** Past days of which some of the import is known; of a house without a smart meter all. */
  readonly known: ReadonlySet<number>;
  /** Known days that have a price for some of their import; all of them if import has no price at all. */
  readonly priced: ReadonlySet<number>;
}

/** Share of the past days, of an energy, or of the days of a bill, below which a total says little. */
export const leastShare = 0.98;

/**
 * Why a total stands for too few of its days; null if it does not.
 * @param paid the priced days of which some of the import is known at the time of its price, or by its tariff
 * @param isHourly import has a price by the hour
 */
export function tooFewDays(
  { past, lastShare, known, priced }: CostDays,
  { paid, isByTariff, isHourly }: { readonly paid: number; readonly isByTariff: boolean; readonly isHourly: boolean },
): BalanceMissing | null {
  // While nothing of it is known, the current day counts as much as is over of it: after midnight the next delivery has not come yet.
  const isLastKnown = known.has(past.at(-1) ?? NaN);
  const least = leastShare * (isLastKnown ? past.length : past.length - 1 + lastShare);
  if (known.size < least) return 'too_few_days';
  if (priced.size < least) return 'no_price';
  if (paid >= least) return null;
  if (isByTariff) return 'not_by_tariff';
  // The price changes at a moment without a reading.
  return isHourly ? 'hourly_price' : 'too_few_days';
}
