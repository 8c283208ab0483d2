/** Costs in exact decimal arithmetic: integer amounts times integer prices, with one division at the end. */
import { entryOf } from '../meters/entries';
import type { BalanceCost } from '../../model/payload';
import { perKwh, perM3, type Amount } from '../meters/amounts';
import type { PartOfDay } from '../period/parts';
import { priceDecimals, pricesOfParts, type Money, type Price, type Prices } from './prices';

export interface Priced {
  /** False: a meter does not answer. */
  readonly isReadable: boolean;
  /** Sum of the period; null if unknown. */
  readonly amount: Amount | null;
  /** Measured share of the time. */
  readonly coverage: number;
  /** Amount of each part of the period; NaN if unknown. */
  readonly amounts: Float64Array;
  /** 1 if the amount belongs to a longer time and this part's share of it is unknown. */
  readonly shared: Uint8Array;
}

export interface Tariffs {
  readonly t1: Amount;
  readonly t2: Amount;
}

export interface CostInput {
  readonly prices: Prices;
  /** First moments of the parts. */
  readonly starts: readonly number[];
  /** Null if the house has no such meter. */
  readonly import: Priced | null;
  readonly export: Priced | null;
  readonly gas: Priced | null;
  readonly water: Priced | null;
  /** Null if no counters by tariff cover the whole measured time. */
  readonly importTariffs: Tariffs | null;
  readonly exportTariffs: Tariffs | null;
  readonly days: readonly (readonly PartOfDay[])[];
}

export interface Costs {
  readonly cost: BalanceCost;
  /** Cost of each part; null if unknown. */
  readonly ofParts: readonly (bigint | null)[];
  /** Media that have a price but no known amount. */
  readonly leftOut: readonly ('gas' | 'water')[];
}

/** Common denominator of the amounts of kWh and of m³. */
const commonParts = 3_000_000_000;
/** One unit of the currency. */
const oneUnit = BigInt(commonParts) * 10n ** BigInt(priceDecimals);

interface Item {
  readonly sign: 1n | -1n;
  readonly priced: Priced;
  readonly isByTariff: boolean;
  /** Gas or water of unknown amount: the rest of the bill is known without it. */
  readonly isLeftOut: boolean;
  readonly result: Sum;
}

/** In units of 10^-12 / commonParts. */
interface Sum {
  /** Null if unknown. */
  readonly total: bigint | null;
  readonly ofParts: readonly (bigint | null)[];
  /** Share of the amount with a price. */
  readonly share: number;
}

export function costsOf(input: CostInput): Costs {
  const { prices, starts } = input;
  const taken = itemOf(input.import, prices.import, 1n, perKwh, starts, input.importTariffs);
  const given = itemOf(input.export, prices.export, -1n, perKwh, starts, input.exportTariffs);
  const gas = itemOf(input.gas, fixed(prices.gas), 1n, perM3, starts, null);
  const water = itemOf(input.water, fixed(prices.water), 1n, perM3, starts, null);
  const items = [taken, given, gas, water].flatMap((item) => item ?? []);
  const fixedOfParts = input.days.map((days) => fixedCost(prices.perDay, days));
  const fixedTotal = fixedOfParts.reduce((sum, part) => sum + part, 0n);
  const counted = items.filter(({ isLeftOut }) => !isLeftOut);
  const isPriced = items.length > 0 || prices.perDay !== null;
  const total =
    counted.length > 0 || prices.perDay !== null
      ? sumOf(counted.map(({ sign, result }) => (result.total === null ? null : sign * result.total)))
      : null;
  const withoutEnergy = sumOf([gas, water].map((item) => (item === null || item.isLeftOut ? 0n : item.result.total)));
  const netted = sumOf([nettedOf(input), withoutEnergy, fixedTotal]);
  const amount = (item: Item | null): number | null => toNumber(item?.result.total ?? null);
  return {
    cost: {
      currency: prices.currency,
      import: amount(taken),
      export: amount(given),
      gas: amount(gas),
      water: amount(water),
      fixed: prices.perDay === null ? null : toNumber(fixedTotal),
      total: toNumber(total === null ? null : total + fixedTotal),
      netted: toNumber(netted),
      coverage: Math.min(isPriced ? 1 : 0, ...items.map(({ priced, result }) => result.share * priced.coverage)),
    },
    ofParts: starts.map((_, part) =>
      costOfPart(counted, part, prices.perDay === null ? null : entryOf(fixedOfParts, part)),
    ),
    leftOut: (['gas', 'water'] as const).filter((name) => ({ gas, water })[name]?.isLeftOut === true),
  };
}

/** The known cost of one part. Null if none is known, a meter does not answer, or prices by tariff apply to longer times only. */
function costOfPart(items: readonly Item[], part: number, fixedPart: bigint | null): bigint | null {
  if (items.some(({ isByTariff, priced }) => isByTariff || !priced.isReadable)) return null;
  const costs = items.flatMap(({ sign, result }) => {
    const cost = result.ofParts[part] ?? null;
    return cost === null ? [] : [sign * cost];
  });
  const known = fixedPart === null ? costs : [...costs, fixedPart];
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0n);
}

/** The costs of parts as a number of the currency. */
export function toNumber(sum: bigint | null): number | null {
  if (sum === null) return null;
  // Eighteen decimal places, so that the JavaScript number is the one nearest to the exact sum.
  const scaled = (sum * 10n ** 18n) / oneUnit;
  return Number(`${scaled}e-18`) + 0;
}

function fixed(value: Money | null): Price | null {
  return value === null ? null : { kind: 'fixed', value };
}

/** Null if it is not on the bill: it has no price, or the house has no such meter. */
function itemOf(
  priced: Priced | null,
  price: Price | null,
  sign: 1n | -1n,
  unit: number,
  starts: readonly number[],
  tariffs: Tariffs | null,
): Item | null {
  if (priced === null || price === null) return null;
  const factor = BigInt(commonParts / unit);
  return {
    sign,
    priced,
    isByTariff: price.kind === 'tariffs',
    isLeftOut: unit === perM3 && priced.amount === null,
    result: costOf(priced, price, factor, starts, tariffs),
  };
}

function costOf(
  { amount, amounts, shared }: Priced,
  price: Price,
  factor: bigint,
  starts: readonly number[],
  tariffs: Tariffs | null,
): Sum {
  const none = starts.map(() => null);
  if (amount === null) return { total: null, ofParts: none, share: 0 };
  switch (price.kind) {
    case 'fixed': {
      const times = (part: Amount): bigint => BigInt(part) * price.value * factor;
      const ofParts = starts.map((_, part) => ifKnown(amounts[part], times));
      return { total: times(amount), ofParts, share: 1 };
    }
    case 'tariffs': {
      if (tariffs === null) return { total: null, ofParts: none, share: 0 };
      const total = (BigInt(tariffs.t1) * price.t1 + BigInt(tariffs.t2) * price.t2) * factor;
      return { total, ofParts: none, share: 1 };
    }
    case 'list': {
      const valid = withoutDoubt(pricesOfParts(price.entries, starts), shared);
      const ofParts = valid.map((value, part) =>
        value === null ? null : ifKnown(amounts[part], (known) => BigInt(known) * value * factor),
      );
      const inPrice = valid.reduce((sum, value, part) => (value === null ? sum : sum + orZero(amounts[part])), 0);
      const share = amount === 0 ? 1 : inPrice / amount;
      return { total: share === 0 ? null : sumOf(ofParts.map((cost) => cost ?? 0n)), ofParts, share };
    }
  }
}

/** Parts that share an amount have a price only if it is the same for all of them. */
function withoutDoubt(valid: readonly (Money | null)[], shared: Uint8Array): (Money | null)[] {
  const kept = [...valid];
  for (let first = 0; first < kept.length;) {
    let end = first + 1;
    while (shared[first] === 1 && shared[end] === 1) end += 1;
    if (shared[first] === 1 && kept.slice(first, end).some((value) => value !== kept[first]))
      kept.fill(null, first, end);
    first = end;
  }
  return kept;
}

/** Import minus export by tariff; a surplus has the export price. Null for price lists. */
function nettedOf(input: CostInput): bigint | null {
  const { importTariffs: taken, exportTariffs: given } = input;
  const [buys, sells] = [tariffPrices(input.prices.import), tariffPrices(input.prices.export)];
  if (buys === null || taken === null || given === null) return null;
  // Without an export price, a surplus has no value.
  if (sells === null && input.prices.export !== null) return null;
  const factor = BigInt(commonParts / perKwh);
  return (['t1', 't2'] as const).reduce((sum, tariff) => {
    const net = BigInt(taken[tariff] - given[tariff]);
    return sum + net * factor * (net > 0n ? buys[tariff] : (sells?.[tariff] ?? 0n));
  }, 0n);
}

function tariffPrices(price: Price | null): { readonly t1: Money; readonly t2: Money } | null {
  if (price === null || price.kind === 'list') return null;
  return price.kind === 'fixed' ? { t1: price.value, t2: price.value } : price;
}

/** A current day costs its past share. */
function fixedCost(perDay: Money | null, days: readonly PartOfDay[]): bigint {
  if (perDay === null) return 0n;
  return days.reduce((sum, { ms, of }) => sum + (perDay * BigInt(commonParts) * BigInt(ms)) / BigInt(of), 0n);
}

function sumOf(list: readonly (bigint | null)[]): bigint | null {
  return list.reduce<bigint | null>((sum, part) => (sum === null || part === null ? null : sum + part), 0n);
}

function ifKnown(amount: number | undefined, cost: (amount: Amount) => bigint): bigint | null {
  return amount === undefined || Number.isNaN(amount) ? null : cost(amount);
}

function orZero(amount: number | undefined): number {
  return amount === undefined || Number.isNaN(amount) ? 0 : amount;
}
