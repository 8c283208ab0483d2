/** What follows from import, export and production: self-consumption, the house, and the ratios. */
import type { BalanceMissing } from '../../model/payload';
import { PER_KWH, type Amount } from '../meters/amounts';

/** Amounts, or W: the sums are the same. */
export interface Flows {
  readonly import: number;
  readonly export: number;
  /** Null where the house has none. */
  readonly production: number | null;
}

export interface Sums {
  readonly net: number;
  readonly house: number;
  /** Null where the house has no production. */
  readonly selfConsumed: number | null;
}

export function sumsOf({ import: taken, export: given, production }: Flows): Sums {
  const net = taken - given;
  if (production === null) return { net, house: taken, selfConsumed: null };
  return { net, house: net + production, selfConsumed: production - given };
}

/** 0.1 kWh. */
export const SMALLEST_ENERGY = PER_KWH / 10;
/** W; what runs through a house changes by so much between two readings that are seconds apart. */
export const SMALLEST_POWER = 100;

/**
 * Below zero by more than 1 % of its parts and more than the smallest difference: a battery that is not measured, or a meter
 * in the wrong role. What an inverter takes at night or under snow is less than nothing all the same.
 */
export function isInconsistent(value: number, { import: taken, export: given, production }: Flows, smallest: number) {
  const parts = Math.abs(taken) + Math.abs(given) + Math.abs(production ?? 0);
  const least = Math.min(0, production ?? 0);
  return value < least - 0.01 * parts && value < least - smallest;
}

/** Two statements about one amount differ by more than 1 % of what flowed and more than 0.1 kWh. */
export function isDifferent(one: Amount, other: Amount, flowed: Amount): boolean {
  const difference = Math.abs(one - other);
  return difference > 0.01 * Math.abs(flowed) && difference > SMALLEST_ENERGY;
}

/** Limited to 0 to 1. There is no share of nothing, nor of less: an inverter uses a little of the house at night. */
export function ratioOf(part: number | null, whole: number | null): number | BalanceMissing {
  if (part === null || whole === null) return 'not_measured';
  return whole <= 0 ? 'zero_divisor' : Math.min(1, Math.max(0, part / whole));
}
