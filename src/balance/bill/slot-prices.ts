/** The prices of each quarter or hour: one price, two tariffs, or prices that change on a date. */
import type { BalanceMissing } from '../../model/payload';
import { type Money, type Price, type Prices, pricesOfParts } from '../prices/prices';
import type { GridSlot, GridSlots } from './grid-slots';
import type { TariffAt } from './tariff-hours';

export interface PricedSlot extends GridSlot {
  /** What import costs. */
  readonly buys: Money;
  /** What export earns. */
  readonly sells: Money;
}

/**
 * @param tariffs called once, if a price depends on the tariff
 * @returns `hourly_price`, `not_by_tariff` if the hours of the tariffs are unknown, or `no_price`
 */
export function pricedSlotsOf(
  prices: Prices,
  { slots }: GridSlots,
  tariffs: () => TariffAt | null,
): PricedSlot[] | BalanceMissing {
  const used = [prices.import, prices.export];
  if (used.some((price) => price?.kind === 'list')) return 'hourly_price';
  const isByTariff = used.some((price) => price?.kind === 'tariffs');
  const tariffAt = isByTariff ? tariffs() : null;
  if (isByTariff && tariffAt === null) return 'not_by_tariff';
  const starts = slots.map(({ start }) => start);
  const valuesOf = (price: Price | null): (Money | null)[] => {
    if (price === null) return starts.map(() => null);
    if (price.kind === 'list') return pricesOfParts(price.entries, starts);
    return price.kind === 'fixed' ? starts.map(() => price.value) : starts.map((s) => price[tariffAt?.(s) ?? 't1']);
  };
  const [buys, sells] = [valuesOf(prices.import), valuesOf(prices.export)];
  return slots.map((slot, index): PricedSlot => ({ ...slot, buys: buys[index] ?? 0n, sells: sells[index] ?? 0n }));
}
