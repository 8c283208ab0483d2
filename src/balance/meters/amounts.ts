/**
 * Amounts of energy and volume as whole numbers, so that a year of minutes adds up without drift. One kWh is 60 000 000: a
 * minute of one milliwatt is 1. One m³ is 1 000 000 000: a microlitre is 1.
 */
import { minuteMs } from '../../protocol/time';
export type Amount = number;

export const PER_KWH = 60_000_000;
export const PER_M3 = 1_000_000_000;

/** The measured quantities of a house. Production is net of the inverter's own use, so it is slightly negative at night. */
export const quantities = ['import', 'export', 'production', 'gas', 'water'] as const;
export type Quantity = (typeof quantities)[number];

export type BalanceRole = 'grid' | 'production' | 'gas' | 'water';

/** Amounts of one kWh or m³. */
export function perUnit(quantity: Quantity): number {
  return quantity === 'gas' || quantity === 'water' ? PER_M3 : PER_KWH;
}

/** A counter's value, to a millionth of its unit: the finest resolution of any meter. */
export function amountOf(value: number, unit: number): Amount {
  return Math.round(value * 1e6) * (unit / 1e6);
}

/** The amount of a mean power (W) or flow (L/min) in a time. */
export function amountOfAverage(average: number, quantity: Quantity, ms: number): Amount {
  const perMinute = average * (perUnit(quantity) === PER_M3 ? 1e6 : 1000);
  return Math.round(perMinute) * (ms / minuteMs);
}

/** Adding 0 turns -0 into 0. */
export function unitsOf(amount: Amount, unit: number): number {
  return amount / unit + 0;
}

/**
 * Splits a whole amount in proportion to the weights, into whole parts that add up to it exactly: each part ends where the
 * running sum of the weights ends, rounded. All weights 0: all parts 0.
 */
export function split(amount: Amount, weights: readonly number[]): Amount[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  let given = 0;
  return weights.map((weight) => {
    passed += weight;
    const upTo = total === 0 ? 0 : Math.round(amount * (passed / total));
    const part = upTo - given;
    given = upTo;
    return part;
  });
}
