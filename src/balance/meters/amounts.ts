/**
 * Amounts of energy and volume as integers, so that the sum of a year of minutes is exact. One kWh is 60 000 000, so that one mW
 * for a minute is 1. One m³ is 1 000 000 000, so that one microlitre is 1.
 */
import { minuteMs } from '../../time/units';
export type Amount = number;

export const perKwh = 60_000_000;
export const perM3 = 1_000_000_000;

/**
 * The measured quantities of a house. Production is net of the inverter's own use, so it is slightly negative at night. Kept days
 * contain the place of a quantity in this list: add new ones at the end.
 */
export const houseQuantities = ['import', 'export', 'production', 'gas', 'water', 'charged', 'discharged'] as const;
export type HouseQuantity = (typeof houseQuantities)[number];

/** With those of a device: what it uses, and what flows the other way. */
export const quantities = [...houseQuantities, 'used', 'returned'] as const;
export type Quantity = (typeof quantities)[number];

/** The roles of the meters that make the balance of the house. */
export type HouseRole = 'grid' | 'production' | 'battery' | 'gas' | 'water';

/** `consumption`: a device, which is a part of the use of the house and changes no other number. */
export type BalanceRole = HouseRole | 'consumption';

/** Parts of one kWh or one m³. */
export function perUnit(quantity: Quantity): number {
  return quantity === 'gas' || quantity === 'water' ? perM3 : perKwh;
}

/** The value of a counter, rounded to a millionth of its unit: no meter has a finer resolution. */
export function toAmount(value: number, unit: number): Amount {
  return Math.round(value * 1e6) * (unit / 1e6);
}

/** False for a reading that no meter can show: sums of such amounts are not exact, and the largest numbers are no amounts at all. */
export function isExact(amount: Amount): boolean {
  return Number.isSafeInteger(amount);
}

/** The amount of an average power (W) or flow (L/min) over a time. */
export function amountOfAverage(average: number, quantity: Quantity, ms: number): Amount {
  const perMinute = average * (perUnit(quantity) === perM3 ? 1e6 : 1000);
  return Math.round(perMinute) * (ms / minuteMs);
}

/** Adding 0 turns -0 into 0. */
export function toUnits(amount: Amount, unit: number): number {
  return amount / unit + 0;
}

/**
 * Splits an amount in proportion to the weights. The parts are integers and add up to the amount, because the running sum is
 * rounded. All parts are 0 if all weights are 0.
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
