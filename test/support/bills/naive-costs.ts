/**
 * A slow program for bills, written from the description of prices and without code of src: it looks up the price of every
 * quarter of an hour, and calculates with whole numbers of 10^-30.
 */
import { daysOfYear, localTime, midnights, momentIn, quarterMs } from './calendar';
import type { Household, Quarter } from './household';

type Value = number | { readonly t1: number; readonly t2: number };
interface Entry {
  readonly start: string | number;
  readonly end?: string | number;
  readonly value: Value;
}
type List = readonly Entry[];
interface ListPrice {
  readonly list: List;
  readonly times?: number;
  readonly plus?: number;
  readonly every?: '1h';
}
interface Zone {
  readonly months?: string;
  readonly days?: string;
  readonly hours?: string;
  readonly value: number;
}
interface ZonePrice {
  readonly value?: number;
  readonly zones: readonly Zone[];
}
type UnitPrice = Value | List | ListPrice | ZonePrice;

/** What a person writes down of a contract. */
export interface WrittenPrices {
  readonly currency: string;
  readonly import?: UnitPrice;
  readonly export?: UnitPrice;
  readonly export_fee?: UnitPrice;
  readonly gas?: UnitPrice;
  readonly water?: UnitPrice;
  readonly per_day?: number;
  readonly per_year?: number;
  readonly peak?: { readonly per_kw_year: number; readonly at_least_kw?: number };
  readonly netting?: boolean;
  readonly example?: boolean;
}

type BillPart = 'import' | 'export' | 'export_fee' | 'gas' | 'water' | 'fixed' | 'peak' | 'total' | 'netted';
export type NaiveCosts = Readonly<Record<BillPart | 'per_kwh', number | null>> & { readonly coverage: number };

const one = 10n ** 30n;

/** Exactly the decimal digits of a number. */
function exact(number: number): bigint {
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)(?:\.(\d{1,15}))?$/.exec(String(number)) ?? [];
  if (whole === '') throw new Error(`${number} is not in plain decimals`);
  const value = BigInt(whole) * one + BigInt(digits.padEnd(30, '0'));
  return sign === '-' ? -value : value;
}

function times(a: bigint, b: bigint): bigint {
  return (a * b) / one;
}

/** Billionths of a Wh or litre, in which the parts of a gap are whole numbers too. */
function toUnits(amount: number): bigint {
  return BigInt(Math.round(amount * 1e9));
}

/** In a kWh or m³. */
const perPriced = 10n ** 12n;

/** Twelve decimal places. */
function scaleToNumber(value: bigint): number {
  return Number(value / 10n ** 12n) / 1e18;
}

/** A price of each quarter and tariff; null: none. */
type PriceAt = (quarter: Quarter) => bigint | null;

/** Lists of a year are long: each is prepared once. */
const prepared = new WeakMap<object, PriceAt>();

function priceAt(price: UnitPrice): PriceAt {
  if (typeof price === 'number') return prepare(price);
  const ready = prepared.get(price);
  if (ready !== undefined) return ready;
  const known = prepare(price);
  // It is unknown in which hour the energy of a longer gap flowed.
  const found: PriceAt = isHourly(price) ? (quarter) => (quarter.isShared === true ? null : known(quarter)) : known;
  prepared.set(price, found);
  return found;
}

function prepare(price: UnitPrice): PriceAt {
  if (typeof price === 'number' || 't1' in price) {
    const [low, high] = [
      exact(typeof price === 'number' ? price : price.t1),
      exact(typeof price === 'number' ? price : price.t2),
    ];
    return ({ isLow }) => (isLow ? low : high);
  }
  if ('zones' in price) return byTheClock(price);
  const { list, times: factor = 1, plus = 0, every } = 'list' in price ? price : { list: price, every: undefined };
  const converted = (value: number): bigint => times(exact(value), exact(factor)) + exact(plus);
  const entries = list
    .map(({ start, end, value }) => ({
      from: momentIn(start),
      to: end === undefined ? null : momentIn(end),
      low: converted(typeof value === 'number' ? value : value.t1),
      high: converted(typeof value === 'number' ? value : value.t2),
    }))
    .sort((a, b) => a.from - b.from);
  const longest = distanceOf(entries.map(({ from }) => from));
  const valueAt = (quarter: Pick<Quarter, 'start' | 'isLow'>): bigint | null => {
    // The last entry that has begun.
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((entries[middle]?.from ?? Infinity) <= quarter.start) low = middle + 1;
      else high = middle;
    }
    const entry = entries[low - 1];
    if (entry === undefined) return null;
    const until = entry.to ?? (longest <= 4 * quarterMs ? entry.from + longest : Infinity);
    if (quarter.start >= until) return null;
    return quarter.isLow ? entry.low : entry.high;
  };
  if (every === undefined || longest > 4 * quarterMs) return valueAt;
  return ({ start, isLow }) => {
    const hour = start - (start % (4 * quarterMs));
    const four = [0, 1, 2, 3].map((index) => valueAt({ start: hour + index * quarterMs, isLow }));
    return four.reduce<bigint | null>((sum, value) => (sum === null || value === null ? null : sum + value / 4n), 0n);
  };
}

const monthWords = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const dayWords = 'Sun Mon Tue Wed Thu Fri Sat'.split(' ');

/** True for a place within one of the ranges, which may go over the end of the list. */
function isInside(written: string | undefined, place: number, placeOf: (word: string) => number, isOpen: boolean) {
  return (
    written === undefined ||
    written.split(',').some((range) => {
      const [first = '', last = first] = range.split('-');
      const [from, to] = [placeOf(first), placeOf(last)];
      const isBefore = isOpen ? place < to : place <= to;
      return from <= to ? place >= from && isBefore : place >= from || isBefore;
    })
  );
}

function minuteOf(word: string): number {
  const [hours = 0, minutes = 0] = word.split(':').map(Number);
  return hours * 60 + minutes;
}

function byTheClock({ value, zones }: ZonePrice): PriceAt {
  const values = [...zones.map((zone) => zone.value), ...(value === undefined ? [] : [value])];
  const exactly = new Map(values.map((number) => [number, exact(number)]));
  return ({ start }) => {
    const { month, weekday, hour, minute } = localTime(start);
    const zone = zones.find(
      ({ months, days, hours }) =>
        isInside(months, month - 1, (word) => monthWords.indexOf(word), false) &&
        isInside(days, weekday, (word) => dayWords.indexOf(word), false) &&
        isInside(hours, hour * 60 + minute, minuteOf, true),
    );
    const found = zone?.value ?? value;
    return found === undefined ? null : (exactly.get(found) ?? null);
  };
}

/** The most frequent distance; Infinity for a single entry. */
function distanceOf(starts: readonly number[]): number {
  const distances = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
  const counts = new Map<number, number>();
  for (const distance of distances) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  const [most = [Infinity, 0] as const] = [...counts].sort(([a, often], [b, seldom]) => seldom - often || a - b);
  return most[0];
}

function isHourly(price: UnitPrice | undefined): boolean {
  if (price === undefined || typeof price === 'number' || 't1' in price) return false;
  if ('zones' in price) return true;
  const list = 'list' in price ? price.list : price;
  const starts = list.map(({ start }) => momentIn(start)).sort((a, b) => a - b);
  return distanceOf(starts) <= 4 * quarterMs;
}

function hasTariffs(price: UnitPrice | undefined): boolean {
  if (price === undefined || typeof price === 'number') return false;
  if ('t1' in price) return true;
  if ('zones' in price) return false;
  return ('list' in price ? price.list : price).some(({ value }) => typeof value !== 'number');
}

interface Summed {
  /** Billionths of a Wh or litre. */
  readonly amount: bigint;
  readonly priced: bigint;
  readonly cost: bigint;
}

/** The amounts with a price, times that price. */
function summed(quarters: readonly Quarter[], flow: 'import' | 'export' | 'gas' | 'water', price: PriceAt): Summed {
  let [amount, priced, cost] = [0n, 0n, 0n];
  for (const quarter of quarters) {
    const flowed = toUnits(quarter[flow]);
    const each = price(quarter);
    amount += flowed;
    if (each === null) continue;
    priced += flowed;
    cost += (flowed * each) / perPriced;
  }
  return { amount, priced, cost };
}

export function naiveCosts(
  { quarters }: Pick<Household, 'quarters'>,
  prices: WrittenPrices,
  [from, to]: readonly [from: number, to: number],
): NaiveCosts {
  const inside = quarters.filter(({ start }) => start >= from && start < to);
  const measured = (inside.length * quarterMs) / (to - from);
  const shares: number[] = [];
  const partOf = (flow: 'import' | 'export' | 'gas' | 'water', price: UnitPrice | undefined): bigint | null => {
    if (price === undefined) return null;
    const { amount, priced, cost } = summed(inside, flow, priceAt(price));
    shares.push(measured * (amount === 0n ? 1 : Number(priced) / Number(amount)));
    return inside.length === 0 || (priced === 0n && amount > 0n) ? null : cost;
  };
  const parts = {
    import: partOf('import', prices.import),
    export: partOf('export', prices.export),
    export_fee: partOf('export', prices.export_fee),
    gas: partOf('gas', prices.gas),
    water: partOf('water', prices.water),
    fixed: fixedOf(prices, inside, from, to),
    peak: computePeakCost(inside, prices, from, to),
  };
  const others = [parts.export_fee, parts.gas, parts.water, parts.fixed, parts.peak].map((part) => part ?? 0n);
  const withoutEnergy = others.reduce((sum, part) => sum + part, 0n);
  const isUnknown =
    (prices.import !== undefined && parts.import === null) || (prices.export !== undefined && parts.export === null);
  const total = isUnknown ? null : (parts.import ?? 0n) - (parts.export ?? 0n) + withoutEnergy;
  const netted = nettedOf(inside, prices);
  const shown = (value: bigint | null): number | null => (value === null ? null : scaleToNumber(value));
  return {
    import: shown(parts.import),
    export: shown(parts.export),
    export_fee: shown(parts.export_fee),
    gas: shown(parts.gas),
    water: shown(parts.water),
    fixed: shown(parts.fixed),
    peak: shown(parts.peak),
    total: shown(total),
    per_kwh: perKwh(inside, prices),
    netted: shown(netted === null ? null : netted + withoutEnergy),
    coverage: Math.min(1, ...shares),
  };
}

/** Mean price of the import that has one. */
function perKwh(inside: readonly Quarter[], { import: taken }: WrittenPrices): number | null {
  if (taken === undefined) return null;
  const { priced, cost } = summed(inside, 'import', priceAt(taken));
  return priced === 0n ? null : scaleToNumber((cost * perPriced) / priced);
}

/** Of the days with a measured quarter. */
function fixedOf(prices: WrittenPrices, inside: readonly Quarter[], from: number, to: number): bigint | null {
  if (prices.per_day === undefined && prices.per_year === undefined) return null;
  const all = midnights(from, to);
  const starts = new Set(inside.map(({ start }) => start));
  const isKnown = (day: number, end: number): boolean => {
    let start = day;
    while (start < end && !starts.has(start)) start += quarterMs;
    return start < end;
  };
  const days = all.slice(0, -1).filter((day, index) => isKnown(day, all[index + 1] ?? to));
  if (days.length === 0) return null;
  const ofYear = (day: number): bigint => exact(prices.per_year ?? 0) / BigInt(daysOfYear(localTime(day).year));
  return days.reduce((sum, day) => sum + exact(prices.per_day ?? 0) + ofYear(day), 0n);
}

/** Nothing for a day; the months of a year one by one. */
function computePeakCost(
  quarters: readonly Quarter[],
  { peak }: WrittenPrices,
  from: number,
  to: number,
): bigint | null {
  if (peak === undefined) return null;
  const days = midnights(from, to).slice(0, -1);
  if (days.length === 1) return 0n;
  const highest = new Map(days.map((day) => [localTime(day).month, -1]));
  for (const { start, import: used } of quarters) {
    const { month } = localTime(start);
    highest.set(month, Math.max(highest.get(month) ?? -1, used));
  }
  let sum = 0n;
  for (const used of highest.values()) {
    if (used < 0) return null;
    const kw = (toUnits(used) * 4n * one) / perPriced;
    const least = exact(peak.at_least_kw ?? 0);
    sum += times(kw > least ? kw : least, exact(peak.per_kw_year)) / 12n;
  }
  return sum;
}

/** Dutch netting with mean prices; null for prices by the hour. */
function nettedOf(quarters: readonly Quarter[], prices: WrittenPrices): bigint | null {
  if (prices.import === undefined || isHourly(prices.import) || isHourly(prices.export)) return null;
  const [buys, sells] = [priceAt(prices.import), priceAt(prices.export ?? 0)];
  const netOf = (some: readonly Quarter[]) => {
    const [taken, given] = [summed(some, 'import', buys), summed(some, 'export', sells)];
    const mean = ({ amount, cost }: Summed, kwh: bigint): bigint => (amount === 0n ? 0n : (cost * kwh) / amount);
    return {
      isPriced: taken.priced === taken.amount && given.priced === given.amount,
      net: taken.amount - given.amount,
      atImport: (kwh: bigint) => mean(taken, kwh),
      atExport: (kwh: bigint) => mean(given, kwh),
    };
  };
  const byTariff = hasTariffs(prices.import) || hasTariffs(prices.export);
  const groups = byTariff
    ? [quarters.filter(({ isLow }) => isLow), quarters.filter(({ isLow }) => !isLow)].map(netOf)
    : [netOf(quarters)];
  if (quarters.length === 0 || groups.some(({ isPriced }) => !isPriced)) return null;
  const surplus = groups.find(({ net }) => net < 0n);
  const shortage = groups.find(({ net }) => net > 0n);
  if (surplus !== undefined && shortage !== undefined) {
    const rest = surplus.net + shortage.net;
    return rest >= 0n ? shortage.atImport(rest) : -surplus.atExport(-rest);
  }
  return groups.reduce((sum, { net, atImport, atExport }) => sum + (net > 0n ? atImport(net) : -atExport(-net)), 0n);
}
