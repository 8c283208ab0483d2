/** The values of the lists in an object of prices, as they stand there: before factors and fees. */
import { type UnitPriceName, unitPriceNames, unitPrices } from './prices-input';
import { isRecord } from '../../checks/record';
import type { InParts } from '../../time/pause';
import type { ListedPrice, PriceSlot } from '../../store/kept-prices';
import { readEntries } from './price-list';
import { decimalOf, onlyNames, wrongPrice } from './price-values';

/** The lists of an object, unread. */
export function listsIn(prices: unknown): { readonly name: UnitPriceName; readonly list: readonly unknown[] }[] {
  if (!isRecord(prices)) return [];
  return unitPriceNames.flatMap((name) => {
    const price = prices[name];
    const list: unknown = isRecord(price) ? price['list'] : price;
    return Array.isArray(list) ? [{ name, list: list as readonly unknown[] }] : [];
  });
}

/** @throws {CemmError} INPUT `prices` */
export function* readListedSlots(
  name: UnitPriceName,
  list: readonly unknown[],
  timezone: string,
): InParts<PriceSlot[]> {
  const read = (value: unknown, path: string): ListedPrice => {
    if (!unitPrices[name].hasTariffs || !isRecord(value)) return requireNumber(value, path);
    onlyNames(value, ['t1', 't2'], `${path}.`);
    return { t1: requireNumber(value['t1'], `${path}.t1`), t2: requireNumber(value['t2'], `${path}.t2`) };
  };
  const { entries } = yield* readEntries(list, name, timezone, read);
  return entries.filter(({ end }) => Number.isFinite(end));
}

function requireNumber(value: unknown, path: string): number {
  decimalOf(value, path);
  if (typeof value !== 'number') throw wrongPrice(path);
  return value;
}
