/**
 * The share of the sun in the use of a device, and its cost: hour by hour, a device takes grid, sun and battery in the same
 * proportions as the whole house.
 */
import type { BalanceMissing } from '../../model/payload';
import { type Amount, perKwh } from '../meters/amounts';
import { splitFlows } from './energies';
import { leastShare } from '../prices/known-days';
import type { HourPrices, PriceOfHour } from './hour-prices';
import type { HouseHour } from './house-hours';

/**
 * The share of the sun.
 * @param used by hour; NaN if it is not known by itself
 * @param energy of the whole period
 */
export function sunShareOf(
  used: Float64Array,
  hours: readonly (HouseHour | null)[],
  energy: Amount,
): number | BalanceMissing {
  if (energy === 0) return 'zero_divisor';
  let [known, sun] = [0, 0];
  for (const [amount, { flows }] of usesIn(used, hours)) {
    const { grid, sun: own, battery } = splitFlows(flows);
    const house = grid + own + battery;
    if (house <= 0) continue;
    known += amount;
    sun += (amount * own) / house;
  }
  return known < leastShare * energy ? 'not_by_hour' : sun / known;
}

/** The cost in the currency of the prices. Parameters as for `sunShareOf`. */
export function deviceCostOf(
  used: Float64Array,
  hours: readonly (HouseHour | null)[],
  energy: Amount,
  prices: HourPrices,
): number | BalanceMissing {
  let [known, cost] = [0, 0];
  let reason: BalanceMissing = 'not_by_hour';
  for (const [amount, { flows }, hour] of usesIn(used, hours)) {
    const { grid, sun, battery } = splitFlows(flows);
    const [house, own] = [grid + sun + battery, sun + battery];
    if (house <= 0) continue;
    const bought: PriceOfHour = grid > 0 ? prices.import(hour) : 0;
    const kept: PriceOfHour = own > 0 ? prices.export(hour) : 0;
    if (typeof bought === 'string' || typeof kept === 'string') {
      reason = typeof bought === 'string' ? bought : kept === 'no_price' ? kept : 'not_by_tariff';
      continue;
    }
    known += amount;
    cost += ((amount / perKwh) * (grid * bought + own * kept)) / house;
  }
  return known < leastShare * energy ? reason : cost + 0;
}

/** The hours in which the device used something and the house is known. */
function usesIn(
  used: Float64Array,
  hours: readonly (HouseHour | null)[],
): [amount: Amount, house: HouseHour, hour: number][] {
  return hours.flatMap((house, hour): [Amount, HouseHour, number][] => {
    const amount = used[hour] ?? NaN;
    return house === null || Number.isNaN(amount) || amount <= 0 ? [] : [[amount, house, hour]];
  });
}
