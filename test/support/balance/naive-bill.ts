/**
 * A second, slow way to a bill without code of src/balance: decimal numbers of thirty places, hour by hour. Its input is the
 * number of hours of each day, the counters at midnights, and the use of single hours.
 */

/** A decimal number with thirty places. */
export type Decimal = bigint;

const oneUnit: Decimal = 10n ** 30n;
const zero: Decimal = 0n;
const times = (a: Decimal, b: Decimal): Decimal => (a * b) / oneUnit;
const over = (a: Decimal, b: Decimal): Decimal => (a * oneUnit) / b;
const sumDecimals = (list: readonly Decimal[]): Decimal => list.reduce((total, each) => total + each, zero);
const whole = (number: bigint): Decimal => number * oneUnit;

export function toNumber(value: Decimal): number {
  return Number(value / 10n ** 15n) / 1e15;
}

/** A price in decimal notation, such as `-0.0123`. */
export function decimal(text: string): Decimal {
  const [integer = '0', after = ''] = text.split('.');
  return BigInt(integer + after.padEnd(30, '0'));
}

/** One direction of a year. All energies are in Wh. */
export interface Direction {
  /** Readings at the start of each day and at the end of the last one; null: not read. */
  readonly counters: readonly (bigint | null)[];
  readonly low: readonly bigint[];
  readonly high: readonly bigint[];
  /** Use of each hour of the year by the minutes; null: not measured. */
  readonly hours: readonly (bigint | null)[];
}

export interface NaivePrices {
  readonly fixed?: string;
  readonly tariffs?: readonly [low: string, high: string];
  /** Per hour of the year; null: no price. */
  readonly hourly?: readonly (string | null)[];
}

/** Number of hours of each day of the year. */
export type Days = readonly number[];

interface Hours {
  readonly amounts: readonly (Decimal | null)[];
  /** Hours that share an amount of the counters, so that none has an amount of its own. */
  readonly shared: readonly boolean[];
  readonly measured: number;
}

/** Use of each hour; the counters take precedence. */
function hoursOf({ counters, hours }: Direction, days: Days): Hours {
  const amounts: (Decimal | null)[] = hours.map((hour) => (hour === null ? null : whole(hour)));
  const shared = hours.map(() => false);
  const firstHour = (day: number): number => days.slice(0, day).reduce((count, length) => count + length, 0);
  const read = counters.flatMap((counter, day) => (counter === null ? [] : [{ counter, day }]));
  const measured = new Set<number>();
  hours.forEach((hour, index) => hour !== null && measured.add(index));
  for (let index = 1; index < read.length; index += 1) {
    const [before, after] = [read[index - 1], read[index]];
    if (before === undefined || after === undefined) continue;
    const [from, to] = [firstHour(before.day), firstHour(after.day)];
    const counted = whole(after.counter - before.counter);
    const places = Array.from({ length: to - from }, (_, place) => from + place);
    const missing = places.filter((place) => amounts[place] === null);
    const known = sumDecimals(places.map((place) => amounts[place] ?? zero));
    const lack = counted - known;
    const evenly = missing.length > 0 && lack >= zero ? missing : known === zero ? places : [];
    if (evenly.length > 0) {
      const each = lack / BigInt(evenly.length);
      for (const place of evenly) {
        amounts[place] = (amounts[place] ?? zero) + each;
        // The hour in which it flowed is known only if there is no other.
        if (evenly.length > 1) shared[place] = true;
      }
    } else {
      for (const place of places) amounts[place] = over(times(counted, amounts[place] ?? zero), known);
    }
    for (const place of places) {
      if (missing.length === places.length) shared[place] = true;
      measured.add(place);
    }
  }
  return { amounts, shared, measured: measured.size };
}

export interface NaiveBill {
  readonly import: number | null;
  readonly export: number | null;
  readonly fixed: number;
  readonly total: number | null;
  readonly netted: number | null;
  readonly coverage: number;
}

export function naiveBill(
  days: Days,
  taken: Direction,
  given: Direction,
  prices: { readonly import: NaivePrices; readonly export: NaivePrices; readonly perDay: string },
): NaiveBill {
  const bought = costOf(days, taken, prices.import);
  const sold = costOf(days, given, prices.export);
  const fixed = decimal(prices.perDay) * BigInt(knownDays(days, taken));
  const total = bought.cost === null || sold.cost === null ? null : bought.cost - sold.cost + fixed;
  const netted = nettedOf(days, taken, given, prices.import, prices.export);
  return {
    import: bought.cost === null ? null : toNumber(bought.cost),
    export: sold.cost === null ? null : toNumber(sold.cost),
    fixed: toNumber(fixed),
    total: total === null ? null : toNumber(total),
    netted: netted === null ? null : toNumber(netted + fixed),
    coverage: Math.min(bought.coverage, sold.coverage),
  };
}

/** Number of days with a known import. Fixed costs are those of these days, so that they and the energy stand for the same time. */
function knownDays(days: Days, taken: Direction): number {
  const { amounts } = hoursOf(taken, days);
  let first = 0;
  const known = days.filter((length) => {
    const ofDay = amounts.slice(first, first + length);
    first += length;
    return ofDay.some((amount) => amount !== null);
  });
  return known.length;
}

function costOf(days: Days, direction: Direction, prices: NaivePrices): { cost: Decimal | null; coverage: number } {
  const { amounts, shared, measured } = hoursOf(direction, days);
  const share = measured / amounts.length;
  const kwh = (wh: Decimal): Decimal => wh / 1000n;
  const all = sumDecimals(amounts.flatMap((amount) => amount ?? []));
  if (prices.fixed !== undefined) return { cost: times(kwh(all), decimal(prices.fixed)), coverage: share };
  if (prices.tariffs !== undefined) {
    if (!isCounted(direction, measured, days)) return { cost: null, coverage: 0 };
    const [low, high] = prices.tariffs;
    const sums = sumsByTariff(direction);
    return { cost: times(kwh(sums.low), decimal(low)) + times(kwh(sums.high), decimal(high)), coverage: share };
  }
  const hourly = prices.hourly ?? [];
  let cost = zero;
  let priced = zero;
  for (let hour = 0; hour < amounts.length; hour += 1) {
    const [amount, price] = [amounts[hour] ?? null, hourly[hour] ?? null];
    if (amount === null || price === null || shared[hour] === true) continue;
    cost += times(kwh(amount), decimal(price));
    priced += amount;
  }
  return { cost, coverage: share * toNumber(over(priced, all)) };
}

/** True if all known amounts of the year lie between two readings of the counters. */
function isCounted({ counters }: Direction, measured: number, days: Days): boolean {
  const [first, last] = [
    counters.findIndex((counter) => counter !== null),
    counters.findLastIndex((one) => one !== null),
  ];
  return days.slice(first, last).reduce((count, hours) => count + hours, 0) >= measured;
}

function sumsByTariff({ counters, low, high }: Direction): { low: Decimal; high: Decimal } {
  const [first, last] = [
    counters.findIndex((counter) => counter !== null),
    counters.findLastIndex((one) => one !== null),
  ];
  const between = (list: readonly bigint[]): Decimal => whole((list[last] ?? 0n) - (list[first] ?? 0n));
  return { low: between(low), high: between(high) };
}

/** Until the end of 2026: a surplus of one tariff is subtracted from the other one first. */
function nettedOf(
  days: Days,
  taken: Direction,
  given: Direction,
  buys: NaivePrices,
  sells: NaivePrices,
): Decimal | null {
  if (buys.hourly !== undefined || sells.hourly !== undefined) return null;
  const [bought, sold] = [taken, given].map((direction) => hoursOf(direction, days));
  const kwh = (wh: Decimal): Decimal => wh / 1000n;
  if (buys.fixed !== undefined && sells.fixed !== undefined) {
    const [all, back] = [bought, sold].map((hours) =>
      sumDecimals((hours?.amounts ?? []).flatMap((amount) => amount ?? [])),
    );
    const net = (all ?? zero) - (back ?? zero);
    return times(kwh(net), decimal(net > zero ? buys.fixed : sells.fixed));
  }
  if (!isCounted(taken, bought?.measured ?? 0, days) || !isCounted(given, sold?.measured ?? 0, days)) return null;
  const price = (prices: NaivePrices, tariff: 'low' | 'high'): Decimal =>
    decimal(prices.fixed ?? prices.tariffs?.[tariff === 'low' ? 0 : 1] ?? '0');
  const [used, fed] = [sumsByTariff(taken), sumsByTariff(given)];
  const nets = (['low', 'high'] as const).map((tariff) => ({ tariff, net: used[tariff] - fed[tariff] }));
  const rest = sumDecimals(nets.map(({ net }) => net));
  const surplus = nets.find(({ net }) => net < zero);
  const shortage = nets.find(({ net }) => net > zero);
  if (surplus === undefined || shortage === undefined) {
    const ofTariff = nets.map(({ tariff, net }) => times(kwh(net), price(net > zero ? buys : sells, tariff)));
    return sumDecimals(ofTariff);
  }
  return times(kwh(rest), rest > zero ? price(buys, shortage.tariff) : price(sells, surplus.tariff));
}
