/** The prices of a kWh in each hour of a house: for import, and for export. */
import type { Span } from '../../calendar/periods';
import { getEntry } from '../meters/entries';
import type { PlacedMeter } from '../meters/placed-meters';
import { isSamePrice, moneyToNumber, type UnitPrice } from '../prices/price-values';
import { findPriceChanges, isByTariff, type Price, type Prices, pricesOfParts } from '../prices/prices';
import type { HouseHours } from './house-hours';
import { HouseParts } from './house-parts';
import { divideIntoParts, type Parts, partStarts, pastEnd } from './parts';

/** Per kWh; or why it is not known. */
export type PriceOfHour = number | 'no_price' | 'not_by_tariff';

/** By the index of an hour. */
export interface HourPrices {
  readonly import: (hour: number) => PriceOfHour;
  /** Less the fee of export. */
  readonly export: (hour: number) => PriceOfHour;
}

interface Input {
  readonly prices: Prices;
  readonly period: Span;
  readonly placed: readonly PlacedMeter[];
  readonly slots: 'minutes' | 'delivered';
  readonly hours: HouseHours;
}

export function hourPricesOf(input: Input): HourPrices {
  const { prices } = input;
  const [bought, sold, fee] = [
    priceByHour(input, prices.import, 'import'),
    priceByHour(input, prices.export, 'export'),
    prices.exportFee === null ? () => 0 : priceByHour(input, prices.exportFee, 'export'),
  ];
  return {
    import: bought,
    export: (hour) => {
      const [price, less] = [sold(hour), fee(hour)];
      if (typeof price === 'string') return price;
      return typeof less === 'string' ? less : price - less;
    },
  };
}

function priceByHour(
  { period, placed, slots, hours }: Input,
  price: Price | null,
  direction: 'import' | 'export',
): (hour: number) => PriceOfHour {
  if (price === null) return () => 'no_price';
  const { parts: inHours, house } = hours;
  const until = pastEnd(inHours);
  const parts = divideIntoParts(period, 'PT1H', until, findPriceChanges(price, period.start, until));
  const values = pricesOfParts(price, partStarts(parts));
  const ranges = findHourRanges(parts);
  const byTariff = isByTariff(price) ? tariffsByHour(house, direction) : null;
  let weights: ((part: number) => number) | null = null;
  return (hour) => {
    const [first, end] = ranges[hour] ?? [0, 0];
    const inHour = values.slice(first, end);
    const [value = null] = inHour;
    if (value === null || inHour.includes(null)) return 'no_price';
    if (inHour.every((other) => isSamePrice(other, value))) {
      return typeof value === 'bigint' ? moneyToNumber(value) : (byTariff?.(hour, value) ?? 'not_by_tariff');
    }
    weights ??= createWeights(new HouseParts(placed, parts, slots), direction, parts);
    let [sum, total] = [0, 0];
    for (let part = first; part < end; part += 1) {
      const each = values[part];
      if (typeof each !== 'bigint') return 'not_by_tariff';
      sum += weights(part) * moneyToNumber(each);
      total += weights(part);
    }
    return total > 0 ? sum / total : 'no_price';
  };
}

/** The parts of each hour: the first one, and the one after the last. */
function findHourRanges({ steps, stepOf }: Parts): (readonly [first: number, end: number])[] {
  const ranges: [number, number][] = steps.map(() => [0, 0]);
  stepOf.forEach((step, part) => {
    const range = getEntry(ranges, step);
    if (range[1] === 0) range[0] = part;
    range[1] = part + 1;
  });
  return ranges;
}

/** A price within an hour counts by what flowed at it; where that is not known, by its time. */
function createWeights(
  house: HouseParts,
  direction: 'import' | 'export',
  { borders }: Parts,
): (part: number) => number {
  const measured = house.measured(direction);
  return (part) => {
    const known = measured === null ? NaN : getEntry(measured.amounts, part);
    const length = getEntry(borders, part + 1) - getEntry(borders, part);
    return known > 0 ? known : length / 1e6;
  };
}

/** The mean price of the tariffs in which an hour flowed; without any export, of those of its import. */
function tariffsByHour(house: HouseParts, direction: 'import' | 'export') {
  const directions = direction === 'import' ? (['import'] as const) : (['export', 'import'] as const);
  // The same for every hour, of which a year has 8,760.
  const all = directions.map((one) => [one, house.measured(one)] as const);
  return (hour: number, price: Exclude<UnitPrice, bigint>): PriceOfHour => {
    for (const [one, measured] of all) {
      if (measured === null) continue;
      const tariffs = house.tariffs(one, measured, hour, hour + 1);
      const total = tariffs === null || tariffs.split === 'none' ? 0 : tariffs.t1 + tariffs.t2;
      if (tariffs === null || total <= 0) continue;
      return (tariffs.t1 * moneyToNumber(price.t1) + tariffs.t2 * moneyToNumber(price.t2)) / total;
    }
    return 'not_by_tariff';
  };
}
