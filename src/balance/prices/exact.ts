/** Exact sums of money: integer amounts times integer prices over one common denominator. */
import { perKwh, perM3, type Amount } from '../meters/amounts';
import { priceDecimals } from './price-values';

/** Whole numbers of 10^-24 / `commonParts` of the currency. */
export type Sum = bigint;

/**
 * A common multiple of the amounts of a kWh, a m³, the minutes of days of 23, 24 and 25 hours in years of 365 and 366 days, and
 * the twelfth of a year of a quarter's power.
 */
export const commonParts = 27_000_000_000n * 23n * 61n * 73n;

/** One unit of the currency. */
const oneUnit = commonParts * 10n ** BigInt(priceDecimals);

/** An amount of 1 at a price of 1. */
export const perAmount = { kWh: commonParts / BigInt(perKwh), 'm³': commonParts / BigInt(perM3) } as const;

/** As a number of the currency. */
export function toNumber(sum: Sum | null): number | null {
  if (sum === null) return null;
  // Eighteen decimal places, so that the JavaScript number is the one nearest to the exact sum.
  const scaled = (sum * 10n ** 18n) / oneUnit;
  return Number(`${scaled}e-18`) + 0;
}

/** Null if one is null. */
export function addExactSums(list: readonly (Sum | null)[]): Sum | null {
  return list.reduce<Sum | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0n);
}

/** The sum of those that are known; null if none is. */
export function sumOfKnown(list: readonly (Sum | null)[]): Sum | null {
  return list.reduce<Sum | null>((sum, part) => (part === null ? sum : (sum ?? 0n) + part), null);
}

/** An amount of a part; null if unknown. */
export function knownAmount(amounts: Float64Array, part: number): Amount | null {
  const amount = amounts[part];
  return amount === undefined || Number.isNaN(amount) ? null : amount;
}
