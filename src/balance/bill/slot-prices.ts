/** The prices of each quarter or hour: one price, two tariffs, or prices that change on a date. */
import type { BalanceMissing } from '../../model/payload';
import type { InParts } from '../../time/pause';
import { isHourlyList, type Money, type Prices, pricesOfParts, type UnitPrice } from '../prices/prices';
import type { GridSlot, GridSlots } from './grid-slots';
import type { Tariff } from './tariff-hours';

export interface PricedSlot extends GridSlot {
  /** Price of import. */
  readonly buys: Money;
  /** Price of export, minus its fee. */
  readonly sells: Money;
}

/** More of them are computed with a pause. */
const slotsAtOnce = 4000;

/**
 * The slots that have prices.
 * @param tariffs of each slot; called once, if a price depends on the tariff
 * @returns `hourly_price`, or `not_by_tariff` if the hours of the tariffs are unknown
 */
export function* pricedSlotsOf(
  { import: taken, export: given, exportFee }: Prices,
  { slots }: GridSlots,
  tariffs: () => InParts<readonly Tariff[] | null>,
): InParts<PricedSlot[] | BalanceMissing> {
  const used = [taken, given, exportFee];
  // A contract of another time changes nothing.
  const [from, to] = [slots[0]?.start, slots.at(-1)?.end];
  if (used.some((price) => isHourlyList(price, from, to))) return 'hourly_price';
  const starts = slots.map(({ start }) => start);
  const values: (readonly (UnitPrice | null)[])[] = [];
  for (const price of used) {
    // Without a price, export earns and costs nothing: a house that exports has one.
    values.push(pricesOfParts(price ?? { kind: 'fixed', value: 0n }, starts));
    yield;
  }
  const needsTariffs = values.some((list) => list.some((value) => value !== null && typeof value !== 'bigint'));
  const tariffOf = needsTariffs ? yield* tariffs() : null;
  if (needsTariffs && tariffOf === null) return 'not_by_tariff';
  const [buys = [], earns = [], fees = []] = values;
  const priceAt = (value: UnitPrice | null | undefined, index: number): Money | null => {
    if (value === null || value === undefined || typeof value === 'bigint') return value ?? null;
    return value[tariffOf?.[index] ?? 't1'];
  };
  const priced: PricedSlot[] = [];
  for (const [index, { start, end, taken: bought, given: sold, known }] of slots.entries()) {
    if (index % slotsAtOnce === slotsAtOnce - 1) yield;
    const [buy, earn, fee] = [priceAt(buys[index], index), priceAt(earns[index], index), priceAt(fees[index], index)];
    if (buy === null || earn === null || fee === null) continue;
    priced.push({ start, end, taken: bought, given: sold, known, buys: buy, sells: earn - fee });
  }
  return priced;
}
