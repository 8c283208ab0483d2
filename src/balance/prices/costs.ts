/** Costs in exact decimal arithmetic: integer amounts times integer prices, with one division at the end. */
import { smallest } from '../../checks/extremes';
import type { BalanceCost, BalanceMissing, Values } from '../../model/payload';
import { type InParts, runAtOnce } from '../../time/pause';
import { perKwh } from '../meters/amounts';
import type { PartOfDay } from '../period/parts';
import { type Sum, addExactSums, sumOfKnown, toNumber } from './exact';
import { fixedOfParts, hasPriceOfDays, type MonthPeak, peakCost } from './fixed-costs';
import { type CostDays, tooFewDays } from './known-days';
import { computeNettedCost } from './netted';
import { hasPeakPrice, isByTheHour, type Price, type Prices } from './prices';
import { type Priced, UnitCosts } from './unit-costs';

export type { Priced, Tariffs, TariffsOfParts } from './unit-costs';

/** The amounts of a time that is divided into parts. */
export interface CostInput {
  readonly prices: Prices;
  /** First moments of the parts, ascending. No price changes within a part (`priceBorders`). */
  readonly starts: readonly number[];
  /** The step of each part, ascending from 0: costs are given for each step as well. */
  readonly stepOf: ArrayLike<number>;
  /** Null if the house has no such meter. */
  readonly import: Priced | null;
  readonly export: Priced | null;
  readonly gas: Priced | null;
  readonly water: Priced | null;
  /** The days of each part, or the fraction of one. */
  readonly days: readonly (readonly PartOfDay[])[];
  readonly costDays: CostDays;
  /** The months that have begun. Empty for a day, which has no peak. */
  readonly monthPeaks: readonly MonthPeak[];
}

/** A part of unknown amount: the rest of the bill is known without it. */
type LeftOut = 'gas' | 'water' | 'peak';

export interface Costs {
  readonly cost: BalanceCost;
  /** The fields `cost`, `cost_import` and others of each step: those with a price; null if unknown. */
  readonly ofSteps: readonly Values[];
  /** Why the total is not known, or stands for too few of its days; null otherwise. */
  readonly tooFew: BalanceMissing | null;
  /** Parts that have a price but no known amount. */
  readonly leftOut: readonly LeftOut[];
  /** The coverage of the other parts, of all the lowest. */
  readonly coverage: number;
}

export interface Item {
  readonly field: 'cost_import' | 'cost_export' | 'cost_export_fee' | 'cost_gas' | 'cost_water';
  readonly sign: 1n | -1n;
  readonly costs: UnitCosts;
  readonly isLeftOut: boolean;
}

export function costsOf(input: CostInput): Costs {
  const parts = runAtOnce(costParts(input));
  const items = listItems(parts.items);
  const hasFixed = input.prices.fixed.some(hasPriceOfDays);
  return { ...wholeCosts(input, parts), ofSteps: costsOfSteps(input, items, hasFixed ? parts.fixed : null) };
}

/** The costs of the parts of a period. */
export interface CostParts {
  readonly items: Items;
  readonly fixed: readonly (Sum | null)[];
}

export function* costParts(input: CostInput): InParts<CostParts> {
  const items = yield* computeItems(input);
  const fixed = yield* fixedOfParts(input.prices.fixed, input.starts, input.days, (day) =>
    input.costDays.known.has(day),
  );
  yield;
  return { items, fixed };
}

/** The costs of the whole period. */
export function wholeCosts(input: CostInput, { items: all, fixed }: CostParts): Omit<Costs, 'ofSteps'> {
  const { prices, starts } = input;
  const { taken, given, fee, gas, water } = all;
  const items = listItems(all);
  const { past, known } = input.costDays;
  const paid = countPaidDays(input, taken);
  const hasFixed = prices.fixed.some(hasPriceOfDays);
  const hasPeak = hasPeakPrice(prices);
  const peak = hasPeak ? peakCost(prices.fixed, input.monthPeaks) : null;
  const counted = items.filter(({ isLeftOut }) => !isLeftOut);
  // Nothing is unknown of a period that has not begun.
  const fixedCost = hasFixed ? (sumOfKnown(fixed) ?? (past.length === 0 ? 0n : null)) : null;
  const others = [fixedCost, peak].flatMap((cost) => cost ?? []);
  const isPriced = items.length > 0 || hasFixed || hasPeak;
  const coverageOf = (list: readonly Item[]): number =>
    smallest([isPriced ? 1 : 0, ...list.map(({ costs }) => costs.share * costs.medium.coverage)]);
  const totals = counted.map(({ sign, costs }) => (costs.total === null ? null : sign * costs.total));
  const isKnown = totals.length + others.length > 0;
  const withoutElectricity = [fee, gas, water].map((item) => (item === null || item.isLeftOut ? 0n : item.costs.total));
  const costOf = (item: Item | null): number | null => toNumber(item?.costs.total ?? null);
  return {
    cost: {
      currency: prices.currency,
      import: costOf(taken),
      export: costOf(given),
      export_fee: costOf(fee),
      gas: costOf(gas),
      water: costOf(water),
      fixed: toNumber(fixedCost),
      peak: toNumber(peak),
      total: toNumber(isKnown ? addExactSums([...totals, ...others]) : null),
      netted: isKnown
        ? toNumber(addExactSums([electricityNetted(input, taken, given), ...withoutElectricity, ...others]))
        : null,
      per_kwh: meanPrice(taken, 0, starts.length),
      coverage: coverageOf(items),
      days: { past: past.length, known: known.size, priced: paid },
      ...(prices.isExample && { example: true }),
    },
    tooFew:
      tooFewDays(input.costDays, {
        paid,
        isByTariff: taken?.costs.isByTariff === true,
        isHourly: isBoughtByTheHour(input),
      }) ?? findUnpriced(counted),
    coverage: coverageOf(counted),
    leftOut: [
      ...(gas?.isLeftOut === true ? (['gas'] as const) : []),
      ...(water?.isLeftOut === true ? (['water'] as const) : []),
      ...(hasPeak && peak === null ? (['peak'] as const) : []),
    ],
  };
}

/** Why an amount that is known has no cost; null if all have one. */
function findUnpriced(items: readonly Item[]): BalanceMissing | null {
  const unpriced = items.find(({ costs }) => costs.total === null && costs.medium.amount !== null);
  return unpriced === undefined ? null : unpriced.costs.isByTariff ? 'not_by_tariff' : 'no_price';
}

function isBoughtByTheHour({ prices, starts }: CostInput): boolean {
  const [from = 0, to = from] = [starts[0], starts.at(-1)];
  return isByTheHour(prices.import, from, to + 1);
}

/** The days with a price of which some of the import is known at its time: a price by the hour needs hours. */
function countPaidDays({ costDays: { priced }, days }: CostInput, taken: Item | null): number {
  if (taken === null) return priced.size;
  const paid = new Set<number>();
  days.forEach((ofPart, part) => {
    if (!taken.costs.isPricedIn(part)) return;
    for (const { day } of ofPart) if (priced.has(day)) paid.add(day);
  });
  return paid.size;
}

/** Null for one that is not on the bill. */
export type Items = Readonly<Record<'taken' | 'given' | 'fee' | 'gas' | 'water', Item | null>>;

/** The items of the bill. */
export function listItems(items: Items): Item[] {
  return Object.values(items).flatMap((item) => item ?? []);
}

function* computeItems({ prices, starts, ...input }: CostInput): InParts<Items> {
  const taken = computeItem('cost_import', input.import, prices.import, 'kWh', 1n, starts);
  yield;
  const given = computeItem('cost_export', input.export, prices.export, 'kWh', -1n, starts);
  yield;
  const fee = computeItem('cost_export_fee', input.export, prices.exportFee, 'kWh', 1n, starts);
  yield;
  const gas = computeItem('cost_gas', input.gas, prices.gas, 'm³', 1n, starts);
  yield;
  const water = computeItem('cost_water', input.water, prices.water, 'm³', 1n, starts);
  yield;
  return { taken, given, fee, gas, water };
}

/** Cost of import per kWh, from the part `first` to `end` (exclusive). */
function meanPrice(taken: Item | null, first: number, end: number): number | null {
  const { cost = null, priced = 0 } = taken?.costs.between(first, end) ?? {};
  return cost === null || priced <= 0 ? null : toNumber((cost * BigInt(perKwh)) / BigInt(priced));
}

/** Null if it is not on the bill: the house has no such meter, or it has no price, also where its contracts are of another time. */
function computeItem(
  field: Item['field'],
  medium: Priced | null,
  price: Price | null,
  per: 'kWh' | 'm³',
  sign: 1n | -1n,
  starts: readonly number[],
): Item | null {
  if (medium === null || price === null) return null;
  const costs = new UnitCosts(medium, price, per, starts);
  if (field !== 'cost_import' && price.kind === 'terms' && !costs.hasPrice) return null;
  return { field, sign, costs, isLeftOut: per === 'm³' && medium.amount === null };
}

/** Null for prices by the hour and by the clock, 0 for a house without electricity. Without a price of export, a surplus has no value. */
function electricityNetted(input: CostInput, taken: Item | null, given: Item | null): Sum | null {
  const { prices, starts } = input;
  if (input.import === null && input.export === null) return 0n;
  if (taken === null || input.export === null) return null;
  const [from = 0, to = from] = [starts[0], starts.at(-1)];
  if ([prices.import, prices.export].some((price) => isByTheHour(price, from, to + 1))) return null;
  return computeNettedCost(taken.costs.side, costsOfExport(given, input.export, starts).side);
}

/** Without a price, export costs and earns nothing. */
export function costsOfExport(given: Item | null, medium: Priced, starts: readonly number[]): UnitCosts {
  const free: Price = { kind: 'fixed', value: 0n };
  return given?.costs ?? new UnitCosts(medium, free, 'kWh', starts);
}

function costsOfSteps(
  { stepOf, costDays: { past } }: Pick<CostInput, 'stepOf' | 'costDays'>,
  items: readonly Item[],
  fixed: readonly (Sum | null)[] | null,
) {
  const steps: Values[] = [];
  // The measured part counts of an hour or a day; a month with a few known days would lack most of its cost.
  const isLong = past.length > (stepOf[stepOf.length - 1] ?? 0) + 1;
  for (let first = 0; first < stepOf.length;) {
    let end = first + 1;
    while (end < stepOf.length && stepOf[end] === stepOf[first]) end += 1;
    steps.push(costsOfStep(items, fixed, { first, end, isLong }));
    first = end;
  }
  return steps;
}

/**
 * The total of what is known. Null if nothing is, if a meter does not answer, if prices by tariff apply to longer times only, or if the
 * prices of a month change and too many moments of its amount are unknown.
 */
function costsOfStep(
  items: readonly Item[],
  fixed: readonly (Sum | null)[] | null,
  { first, end, isLong }: { readonly first: number; readonly end: number; readonly isLong: boolean },
): Values {
  const taken = items.find(({ field }) => field === 'cost_import') ?? null;
  const found = items.map(({ field, sign, costs, isLeftOut }) => {
    const { cost, priced } = costs.between(first, end);
    const isUnpriced = costs.isByTariff ? cost === null : isLong && costs.lacksMoments(first, end, priced);
    const isWithout = !isLeftOut && (!costs.medium.isReadable || isUnpriced);
    return { field, sign, cost, isWithout };
  });
  const fixedCost = fixed === null ? null : sumOfKnown(fixed.slice(first, end));
  const counted = found.map(({ sign, cost }) => (cost === null ? null : sign * cost));
  const total = found.some(({ isWithout }) => isWithout) ? null : sumOfKnown([...counted, fixedCost]);
  return {
    cost: toNumber(total),
    ...Object.fromEntries(found.map(({ field, cost }) => [field, toNumber(cost)])),
    // A time without import has its price all the same.
    ...(taken !== null && { cost_per_kwh: meanPrice(taken, first, end) ?? toNumber(taken.costs.unitCost(first, end)) }),
    ...(fixed !== null && { cost_fixed: toNumber(fixedCost) }),
  };
}
