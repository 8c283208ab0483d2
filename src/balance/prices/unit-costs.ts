/** The cost of one medium: amounts times the price of each moment, and of each tariff where a price depends on it. */
import type { Amount } from '../meters/amounts';
import { endOfSharing, type Gap, sumKnown } from '../period/allocate';
import { commonParts, knownAmount, perAmount, type Sum } from './exact';
import { leastShare } from './known-days';
import { isSamePrice, type UnitPrice } from './price-values';
import { type Price, pricesOfParts } from './prices';

export interface Tariffs {
  readonly t1: Amount;
  readonly t2: Amount;
}

/**
 * The amounts by tariff of consecutive parts, from `first` to `end` (exclusive). Null if no counters by tariff cover their measured
 * time exactly.
 */
export type TariffsOfParts = (first: number, end: number) => Tariffs | null;

/** The amounts of one medium. */
export interface Priced {
  /** False: a meter does not answer. */
  readonly isReadable: boolean;
  /** Sum of the period; null if unknown. */
  readonly amount: Amount | null;
  /** Measured share of the time. */
  readonly coverage: number;
  /** Amount of each part of the period; NaN if unknown. */
  readonly amounts: Float64Array;
  /** Marks of parts whose share of an amount is unknown (`endOfSharing`); 0 for the others. */
  readonly shared: Uint8Array;
  /** Parts whose minutes are missing, and what counters give to them. */
  readonly gaps: readonly Gap[];
  /** Null for gas and water. */
  readonly tariffs: TariffsOfParts | null;
}

/** Consecutive parts with one price. */
interface PriceRun {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  /** Null: there is none. */
  readonly price: UnitPrice | null;
}

export interface AmountAndCost {
  readonly amount: bigint;
  readonly cost: Sum;
}

/** One direction between two parts, for netting. */
export interface NettedSide {
  /** Sum of the known amounts. */
  readonly amount: Amount;
  /** Null if an amount has no price. */
  readonly cost: Sum | null;
  /** Share of the amount that has a price. */
  readonly share: number;
  readonly isByTariff: boolean;
  /** Null if the amount or the price of a tariff is not known. */
  readonly byTariff: () => Readonly<Record<keyof Tariffs, AmountAndCost>> | null;
}

const nothing: AmountAndCost = { amount: 0n, cost: 0n };

interface CostBetween {
  /** Null if nothing has a price. */
  readonly cost: Sum | null;
  /** The amount with a price. */
  readonly priced: Amount;
}

export class UnitCosts {
  /** True if a price in this time depends on the tariff. */
  readonly isByTariff: boolean;
  private readonly prices: readonly (UnitPrice | null)[];
  /** 1 for parts that share an amount at different prices. */
  private readonly isDoubtful: Uint8Array;
  /** The amount of each part whose moment, and so its price, is unknown. */
  private readonly unpriced: Float64Array;
  private readonly wholeRuns: readonly PriceRun[];
  /** 1 for parts with a price by tariff whose amounts no counters divide. */
  private readonly isUndivided: Uint8Array;
  /** Cost of the whole period; null if unknown. */
  readonly total: Sum | null;
  /** Share of the amount that has a price. */
  readonly share: number;

  constructor(
    readonly medium: Priced,
    price: Price,
    private readonly per: keyof typeof perAmount,
    starts: readonly number[],
  ) {
    this.prices = pricesOfParts(price, starts);
    this.isByTariff = this.prices.some(isOfTariffs);
    this.isDoubtful = doubtful(this.prices, medium.shared);
    this.unpriced = findUnpricedShares(this.prices, medium.gaps);
    this.wholeRuns = this.runs(0, starts.length);
    this.isUndivided = new Uint8Array(starts.length);
    for (const run of this.wholeRuns) {
      if (isOfTariffs(run.price) && this.ofRun(run).cost === null) this.isUndivided.fill(1, run.first, run.end);
    }
    const { amount } = medium;
    const { cost, priced } = this.between(0, starts.length);
    const isNothing = amount === 0 && !this.isByTariff;
    this.total = amount === null ? null : (cost ?? (isNothing ? 0n : null));
    this.share = amount === null ? 0 : amount === 0 ? (this.total === null ? 0 : 1) : priced / amount;
  }

  /** True if the price of the amount of a part is known, and not only that of a longer time. */
  isPricedIn(part: number): boolean {
    const price = this.prices[part] ?? null;
    return price !== null && this.isUndivided[part] === 0 && this.knownIn(part, price) !== null;
  }

  /** False: none of the prices is of this time. */
  get hasPrice(): boolean {
    return this.prices.some((price) => price !== null);
  }

  /**
   * The cost of one unit from the part `first` to `end` (exclusive).
   * @returns null for several prices, prices by tariff or none, and for unknown amounts
   */
  unitCost(first: number, end: number): Sum | null {
    const price = this.prices[first] ?? null;
    const isOnePrice = this.prices.slice(first, end).every((other) => other === price);
    const isKnown = this.medium.amounts.subarray(first, end).every((amount) => !Number.isNaN(amount));
    return typeof price === 'bigint' && isOnePrice && isKnown ? price * commonParts : null;
  }

  /**
   * True if an amount from `first` to `end` (exclusive) has prices that change, and too many of its moments are unknown.
   * @param priced the amount between whose cost is known
   */
  lacksMoments(first: number, end: number, priced: Amount): boolean {
    let amount: Amount = 0;
    for (let part = first; part < end; part += 1) {
      if ((this.prices[part] ?? null) !== null) amount += knownAmount(this.medium.amounts, part) ?? 0;
    }
    return priced < leastShare * amount;
  }

  /** Cost of the parts from `first` to `end` (exclusive). */
  between(first: number, end: number): CostBetween {
    let cost: Sum | null = null;
    let priced: Amount = 0;
    for (const run of this.runs(first, end)) {
      const found = this.ofRun(run);
      if (found.cost === null) continue;
      cost = (cost ?? 0n) + found.cost;
      priced += found.priced;
    }
    return { cost, priced };
  }

  /**
   * The cost from the first part to `end` (exclusive), as far as it is part of the cost of the whole period.
   * @returns `isKnown` false where only the cost beyond `end` is known: no reading by tariff divides it there
   */
  costUntil(end: number): { readonly cost: Sum | null; readonly isKnown: boolean } {
    let [cost, isKnown]: [Sum | null, boolean] = [null, true];
    for (const run of this.wholeRuns) {
      if (run.first >= end) break;
      const whole = this.ofRun(run).cost;
      if (whole === null) continue;
      const part = run.end <= end ? whole : this.ofRun({ ...run, end }).cost;
      if (part !== null) cost = (cost ?? 0n) + part;
      else if (typeof run.price !== 'bigint') isKnown = false;
    }
    return { cost, isKnown };
  }

  /** The whole period. */
  get side(): NettedSide {
    const { share, isByTariff } = this;
    const { amount } = this.medium;
    const byTariff = () => this.byTariff(0, this.prices.length);
    return { amount: amount ?? 0, cost: this.total, share, isByTariff, byTariff };
  }

  /** The parts from `first` to `end` (exclusive), without those of unknown amounts, and without a small amount that has no price. */
  sideBetween(first: number, end: number): NettedSide {
    const isTariffs = this.prices.slice(first, end).some(isOfTariffs);
    const amount = sumKnown(this.medium.amounts, first, end) ?? 0;
    const { cost, priced } = this.between(first, end);
    const share = amount === 0 ? 1 : priced / amount;
    const isEnough = share >= leastShare;
    return {
      amount: isEnough ? priced : amount,
      cost: amount === 0 ? (cost ?? 0n) : cost,
      share: isEnough ? 1 : share,
      isByTariff: isTariffs,
      byTariff: () => this.byTariff(first, end),
    };
  }

  /** Amount and cost of each tariff; null if one of them is not known. */
  private byTariff(from: number, to: number): Readonly<Record<keyof Tariffs, AmountAndCost>> | null {
    let found = { t1: nothing, t2: nothing };
    for (const { first, end, price } of this.runs(from, to)) {
      if (this.medium.amounts.subarray(first, end).every((amount) => Number.isNaN(amount))) continue;
      const tariffs = this.medium.tariffs?.(first, end) ?? null;
      if (tariffs === null || price === null) return null;
      const of = (tariff: keyof Tariffs): AmountAndCost => {
        const amount = BigInt(tariffs[tariff]);
        const each = typeof price === 'bigint' ? price : price[tariff];
        return {
          amount: found[tariff].amount + amount,
          cost: found[tariff].cost + amount * each * perAmount[this.per],
        };
      };
      found = { t1: of('t1'), t2: of('t2') };
    }
    return found;
  }

  /** The longest runs with one price. */
  private runs(first: number, end: number): PriceRun[] {
    const found: PriceRun[] = [];
    for (let start = first; start < end;) {
      const price = this.prices[start] ?? null;
      let next = start + 1;
      while (next < end && isSamePrice(this.prices[next] ?? null, price)) next += 1;
      found.push({ first: start, end: next, price });
      start = next;
    }
    return found;
  }

  private ofRun({ first, end, price }: PriceRun): CostBetween {
    let [amount, isKnown]: [Amount, boolean] = [0, false];
    for (let part = first; part < end; part += 1) {
      const known = this.knownIn(part, price);
      if (known === null) continue;
      amount += known;
      isKnown = true;
    }
    if (!isKnown || price === null) return { cost: null, priced: 0 };
    const unit = perAmount[this.per];
    if (typeof price === 'bigint') return { cost: BigInt(amount) * price * unit, priced: amount };
    const tariffs = this.medium.tariffs?.(first, end) ?? null;
    if (tariffs === null) return { cost: null, priced: 0 };
    const cost = (BigInt(tariffs.t1) * price.t1 + BigInt(tariffs.t2) * price.t2) * unit;
    return { cost, priced: amount };
  }

  /** The amount of a part that a price applies to. Prices by tariff need no moment: the counters are those of the tariffs. */
  private knownIn(part: number, price: UnitPrice | null): Amount | null {
    const known = knownAmount(this.medium.amounts, part);
    if (known === null || typeof price !== 'bigint') return known;
    if (this.isDoubtful[part] === 1) return null;
    const unpriced = this.unpriced[part] ?? 0;
    return unpriced !== 0 && unpriced === known ? null : known - unpriced;
  }
}

function isOfTariffs(price: UnitPrice | null): boolean {
  return price !== null && typeof price !== 'bigint';
}

/** Parts that share an amount have a price only if it is the same for all of them. */
function doubtful(prices: readonly (UnitPrice | null)[], shared: Uint8Array): Uint8Array {
  const found = new Uint8Array(prices.length);
  for (let first = 0; first < prices.length;) {
    const end = endOfSharing(shared, first);
    const [price = null, ...others] = prices.slice(first, end);
    if (others.some((other) => !isSamePrice(other, price))) found.fill(1, first, end);
    first = end;
  }
  return found;
}

/** The shares of amounts in missing time, unless the price is the same in all parts of such a time. */
function findUnpricedShares(prices: readonly (UnitPrice | null)[], gaps: readonly Gap[]): Float64Array {
  const found = new Float64Array(prices.length);
  for (const { parts, amounts } of gaps) {
    const filled = parts.filter((_, index) => amounts[index] !== 0);
    const [first, ...others] = filled.map((part) => prices[part] ?? null);
    if (first === undefined || others.every((other) => isSamePrice(other, first))) continue;
    parts.forEach((part, index) => {
      found[part] = (found[part] ?? 0) + (amounts[index] ?? 0);
    });
  }
  return found;
}
