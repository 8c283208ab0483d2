/** Prices from a user or a flow: a number, two tariffs, zones of the clock, or a list by time. There are no default prices. */
import { isCurrency, priceNames, unitPrices, type UnitPriceName } from './prices-input';
import { isAbsent, isRecord } from '../../checks/record';
import { averageByHour, type PriceEntries, readEntries, withEarlier } from './price-list';
import { type InParts, runAtOnce } from '../../time/pause';
import type { PriceSlot } from '../../store/kept-prices';
import {
  type Conversion,
  type Decimal,
  decimalOf,
  type Money,
  parseMoney,
  oneDecimal,
  onlyNames,
  type ReadValue,
  unchanged,
  type UnitPrice,
  wrongPrice,
} from './price-values';
import { parseZones, type ZonedPrice, zonedPricesOf, zoneBorders } from './zones';

export { type Money, priceDecimals, type UnitPrice } from './price-values';

export type Price =
  | { readonly kind: 'fixed'; readonly value: UnitPrice }
  | ({ readonly kind: 'list' } & PriceEntries)
  | ZonedPrice
  | { readonly kind: 'terms'; readonly terms: readonly PriceTerm[] };

/** The price of one contract from `start` to `end` (exclusive), epoch ms. Those of a house ascend and do not overlap. */
export interface PriceTerm {
  readonly start: number;
  readonly end: number;
  readonly price: Exclude<Price, { kind: 'terms' }>;
}

/** The capacity tariff of Flanders. */
export interface PeakPrice {
  /** Per kW and year, in 10^-12 of the currency. */
  readonly perKwYear: Decimal;
  /** kW, in 10^-12. */
  readonly atLeastKw: Decimal;
}

/** Amounts that do not depend on the use of each moment, from `start` to `end` (exclusive), epoch ms. */
export interface FixedPrices {
  readonly start: number;
  readonly end: number;
  readonly perDay: Money | null;
  readonly perYear: Money | null;
  readonly peak: PeakPrice | null;
}

/** A part without a price is null. */
export interface Prices {
  readonly currency: string;
  readonly import: Price | null;
  readonly export: Price | null;
  readonly exportFee: Price | null;
  readonly gas: Price | null;
  readonly water: Price | null;
  /** One entry for all time, or one per contract; those of different contracts may overlap. */
  readonly fixed: readonly FixedPrices[];
  /** The contract nets export while the law allows it. */
  readonly isNetting: boolean;
  readonly isExample: boolean;
}

/** Slots of lists that were read before and are over, ascending; they count before those of the list. */
export type EarlierPrices = { readonly [Name in UnitPriceName]?: readonly PriceSlot[] };

/** As parsePricesInParts, without a pause: for prices that a user typed. */
export function parsePrices(input: unknown, timezone: string): Prices {
  return runAtOnce(parsePricesInParts(input, timezone));
}

/**
 * @param timezone for times without an offset
 * @throws {CemmError} INPUT `prices`, also for an unknown name
 */
export function* parsePricesInParts(input: unknown, timezone: string, earlier: EarlierPrices = {}): InParts<Prices> {
  if (!isRecord(input)) throw wrongPrice('prices');
  onlyNames(input, priceNames, '');
  const { currency, netting, example } = input;
  if (!isCurrency(currency)) throw wrongPrice('currency');
  if (!isAbsent(netting) && typeof netting !== 'boolean') throw wrongPrice('netting');
  if (!isAbsent(example) && typeof example !== 'boolean') throw wrongPrice('example');
  const amount = (name: string): Money | null => (isAbsent(input[name]) ? null : parseMoney(input[name], name));
  const price = function* (name: UnitPriceName): InParts<Price | null> {
    if (isAbsent(input[name])) return null;
    const frame = { timezone, isEnergy: unitPrices[name].hasTariffs, earlier: earlier[name] ?? [] };
    return yield* parsePrice(input[name], name, frame);
  };
  return {
    currency,
    import: yield* price('import'),
    export: yield* price('export'),
    exportFee: yield* price('export_fee'),
    gas: yield* price('gas'),
    water: yield* price('water'),
    fixed: [
      {
        start: -Infinity,
        end: Infinity,
        perDay: amount('per_day'),
        perYear: amount('per_year'),
        peak: isAbsent(input['peak']) ? null : parsePeakPrice(input['peak']),
      },
    ],
    isNetting: netting === true,
    isExample: example === true,
  };
}

interface PriceFrame {
  readonly timezone: string;
  readonly isEnergy: boolean;
  readonly earlier: readonly PriceSlot[];
}

function* parsePrice(input: unknown, path: string, frame: PriceFrame): InParts<PriceTerm['price']> {
  const { timezone, isEnergy } = frame;
  if (Array.isArray(input)) return yield* parseList(input, path, frame, unchanged);
  if (isEnergy && isRecord(input) && 'zones' in input) return parseZones(input, path, timezone);
  if (isRecord(input) && 'list' in input) {
    onlyNames(input, ['list', 'times', 'plus', 'every'], `${path}.`);
    const { list, times, plus, every } = input;
    if (!Array.isArray(list)) throw wrongPrice(`${path}.list`);
    if (!isAbsent(every) && every !== '1h') throw wrongPrice(`${path}.every`);
    const conversion: Conversion = {
      times: isAbsent(times) ? unchanged.times : decimalOf(times, `${path}.times`),
      plus: isAbsent(plus) ? unchanged.plus : parseMoney(plus, `${path}.plus`),
    };
    const prices = yield* parseList(list, `${path}.list`, frame, conversion);
    return every === '1h' ? { ...prices, ...(yield* averageByHour(prices, timezone)) } : prices;
  }
  return { kind: 'fixed', value: valueReader(isEnergy, unchanged)(input, path) };
}

function* parseList(
  input: readonly unknown[],
  path: string,
  { timezone, isEnergy, earlier }: PriceFrame,
  conversion: Conversion,
): InParts<Extract<Price, { kind: 'list' }>> {
  const read = valueReader(isEnergy, conversion);
  const entries = yield* readEntries(input, path, timezone, read);
  if (earlier.length === 0) return { kind: 'list', ...entries };
  const before = earlier.map(({ start, end, value }) => ({ start, end, value: read(value, path) }));
  return { kind: 'list', ...withEarlier(entries, before) };
}

/** Two equal prices are one price, which needs no counters by tariff. */
function valueReader(hasTariffs: boolean, { times, plus }: Conversion): ReadValue {
  const one = (input: unknown, path: string): Money => decimalOf(input, path) * times + plus;
  return (input, path) => {
    if (!hasTariffs || !isRecord(input)) return one(input, path);
    onlyNames(input, ['t1', 't2'], `${path}.`);
    const [t1, t2] = [one(input['t1'], `${path}.t1`), one(input['t2'], `${path}.t2`)];
    return t1 === t2 ? t1 : { t1, t2 };
  };
}

function parsePeakPrice(input: unknown): PeakPrice {
  if (!isRecord(input)) throw wrongPrice('peak');
  onlyNames(input, ['per_kw_year', 'at_least_kw'], 'peak.');
  const notNegative = (name: 'per_kw_year' | 'at_least_kw'): Decimal => {
    const value = decimalOf(input[name], `peak.${name}`);
    if (value < 0n) throw wrongPrice(`peak.${name}`);
    return value;
  };
  return {
    perKwYear: notNegative('per_kw_year'),
    atLeastKw: isAbsent(input['at_least_kw']) ? 0n : notNegative('at_least_kw'),
  };
}

/** True if a value of the price depends on the tariff. */
export function isByTariff(price: Price | null): boolean {
  if (price === null || price.kind === 'zones') return false;
  if (price.kind === 'terms') return price.terms.some((term) => isByTariff(term.price));
  if (price.kind === 'fixed') return typeof price.value !== 'bigint';
  return price.entries.some(({ value }) => typeof value !== 'bigint');
}

/** The moments between `from` and `to` at which a price changes. */
export function priceBorders(prices: Prices, from: number, to: number): number[] {
  const { import: taken, export: given, exportFee, gas, water, fixed } = prices;
  return [
    ...[taken, given, exportFee, gas, water].flatMap((price) => findPriceChanges(price, from, to)),
    ...bordersOfTerms(fixed, from, to),
  ];
}

function bordersOfTerms(terms: readonly Pick<FixedPrices, 'start' | 'end'>[], from: number, to: number): number[] {
  return terms.flatMap(({ start, end }) => [start, end]).filter((moment) => moment > from && moment < to);
}

export function findPriceChanges(price: Price | null, from: number, to: number): number[] {
  if (price === null || price.kind === 'fixed') return [];
  if (price.kind === 'zones') return zoneBorders(price, from, to);
  if (price.kind === 'terms') {
    const inside = price.terms.flatMap((term) =>
      findPriceChanges(term.price, Math.max(from, term.start), Math.min(to, term.end)),
    );
    return [...bordersOfTerms(price.terms, from, to), ...inside];
  }
  const borders: number[] = [];
  for (const { start, end } of price.entries) {
    if (start > from && start < to && borders.at(-1) !== start) borders.push(start);
    if (end > from && end < to) borders.push(end);
  }
  return borders;
}

/** True for a price that changes with the hour between two moments, so that it has no mean over a period. Default: at any time. */
export function isByTheHour(price: Price | null, from = -Infinity, to = Infinity): boolean {
  if (price?.kind === 'terms') {
    return price.terms.some(({ start, end, price: own }) => start < to && end > from && isByTheHour(own));
  }
  return price?.kind === 'zones' || isHourlyList(price);
}

/** True for a list by the hour or quarter hour, also of one contract of several. Default: at any time. */
export function isHourlyList(price: Price | null, from = -Infinity, to = Infinity): boolean {
  if (price?.kind === 'terms') {
    return price.terms.some(({ start, end, price: own }) => start < to && end > from && isHourlyList(own));
  }
  return price?.kind === 'list' && price.isHourly;
}

/** True with the capacity tariff, also of one contract of several. */
export function hasPeakPrice({ fixed }: Pick<Prices, 'fixed'>): boolean {
  return fixed.some(({ peak }) => peak !== null);
}

/**
 * The price of each part; null if there is none. No price changes within a part.
 * @param starts ascending
 */
export function pricesOfParts(price: Price, starts: readonly number[]): (UnitPrice | null)[] {
  if (price.kind === 'fixed') return starts.map(() => price.value);
  if (price.kind === 'zones') return zonedPricesOf(price, starts);
  if (price.kind === 'terms') return pricesOfTerms(price.terms, starts);
  const { entries } = price;
  let index = 0;
  return starts.map((start) => {
    while ((entries[index]?.end ?? Infinity) <= start) index += 1;
    const entry = entries[index];
    return entry !== undefined && entry.start <= start ? entry.value : null;
  });
}

function pricesOfTerms(terms: readonly PriceTerm[], starts: readonly number[]): (UnitPrice | null)[] {
  const prices = starts.map((): UnitPrice | null => null);
  for (const { start, end, price } of terms) {
    const first = starts.findIndex((moment) => moment >= start);
    if (first < 0) continue;
    const own = starts.slice(first).filter((moment) => moment < end);
    pricesOfParts(price, own).forEach((value, place) => {
      prices[first + place] = value;
    });
  }
  return prices;
}

/** The least power that the capacity tariff charges at a moment, W; null without it. */
export function leastPeakAt({ fixed }: Pick<Prices, 'fixed'>, at: number): number | null {
  const found = fixed.find(({ start, end, peak }) => peak !== null && start <= at && at < end)?.peak ?? null;
  return found === null ? null : Number((found.atLeastKw * 1000n) / oneDecimal);
}
