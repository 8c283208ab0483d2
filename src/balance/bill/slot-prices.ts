/** The prices of each quarter or hour: one price, two tariffs, or prices that change on a date. */
import type { BalanceMissing } from '../../model/payload';
import { isByTariff, isHourlyList, type Money, type Price, type Prices, pricesOfParts } from '../prices/prices';
import type { GridSlot, GridSlots } from './grid-slots';
import type { TariffAt } from './tariff-hours';

export interface PricedSlot extends GridSlot {
  /** Price of import. */
  readonly buys: Money;
  /** Price of export, minus its fee. */
  readonly sells: Money;
}

/**
 * The slots that have prices.
 * @param tariffs called once, if a price depends on the tariff
 * @returns `hourly_price`, or `not_by_tariff` if the hours of the tariffs are unknown
 */
export function pricedSlotsOf(
  { import: taken, export: given, exportFee }: Prices,
  { slots }: GridSlots,
  tariffs: () => TariffAt | null,
): PricedSlot[] | BalanceMissing {
  const used = [taken, given, exportFee];
  if (used.some((price) => isHourlyList(price))) return 'hourly_price';
  const needsTariffs = used.some(isByTariff);
  const tariffAt = needsTariffs ? tariffs() : null;
  if (needsTariffs && tariffAt === null) return 'not_by_tariff';
  const starts = slots.map(({ start }) => start);
  /** Without a price, export earns and costs nothing: a house that exports has one. */
  const valuesOf = (price: Price | null): (Money | null)[] => {
    if (price === null) return starts.map(() => 0n);
    return pricesOfParts(price, starts).map((value, index) => {
      if (value === null || typeof value === 'bigint') return value;
      return value[tariffAt?.(starts[index] ?? NaN) ?? 't1'];
    });
  };
  const [buys, earns, fees] = [valuesOf(taken), valuesOf(given), valuesOf(exportFee)];
  return slots.flatMap((slot, index): PricedSlot[] => {
    const [buy = null, earn = null, fee = null] = [buys[index], earns[index], fees[index]];
    return buy === null || earn === null || fee === null ? [] : [{ ...slot, buys: buy, sells: earn - fee }];
  });
}
