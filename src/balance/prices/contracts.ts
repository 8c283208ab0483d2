/** The contracts of a house: with dates its own, one per medium at a time; without dates offers to compare with. */
import type { FixedPrices, Price, Prices, PriceTerm } from './prices';

/** Half-open, epoch ms. */
export interface Time {
  readonly start: number;
  readonly end: number;
}

export interface Contract {
  readonly name: string;
  /** Null: an offer, without dates. */
  readonly time: Time | null;
  readonly prices: Prices;
}

/** A contract as a bill counts it: over the whole period, and the times in which export is netted. */
export interface BilledContract {
  readonly name: string;
  readonly prices: Prices;
  readonly netted: readonly Time[];
  /** The times of its contracts with dates, those of electricity first. */
  readonly runs: readonly Time[];
}

function hasElectricity({ import: taken, export: given, exportFee, fixed }: Prices): boolean {
  return taken !== null || given !== null || exportFee !== null || fixed.some(({ peak }) => peak !== null);
}

const longestName = 200;

/**
 * The contracts of a house as one: the prices that were valid at each moment, and none between contracts.
 * @param contracts those with dates; at least one, of one currency
 * @param endOfNetting epoch ms
 * @param within the time in question, for its name
 */
export function joinContracts(
  contracts: readonly [Contract, ...Contract[]],
  endOfNetting: number,
  within: Time,
): BilledContract {
  const dated = contracts
    .flatMap(({ name, time, prices }) => (time === null ? [] : { name, time, prices }))
    .sort((a, b) => a.time.start - b.time.start);
  const names = dated.flatMap(({ name, time }) => (time.start < within.end && time.end > within.start ? name : []));
  const [{ prices: first }] = contracts;
  const priceOf = (name: 'import' | 'export' | 'exportFee' | 'gas' | 'water'): Price | null => {
    if (dated.every(({ prices }) => prices[name] === null)) return null;
    const terms = dated.flatMap(({ time, prices }): PriceTerm[] => {
      const price = prices[name] ?? (name === 'exportFee' && takesExport(prices) ? noFee : null);
      return price === null || price.kind === 'terms' ? [] : [{ ...time, price }];
    });
    return { kind: 'terms', terms };
  };
  return {
    name: [...new Set(names)].join(' + ').slice(0, longestName),
    prices: {
      currency: first.currency,
      import: priceOf('import'),
      export: priceOf('export'),
      exportFee: priceOf('exportFee'),
      gas: priceOf('gas'),
      water: priceOf('water'),
      fixed: dated.flatMap(({ time, prices }) => prices.fixed.map((fixed): FixedPrices => ({ ...fixed, ...time }))),
      isNetting: dated.some(({ prices }) => prices.isNetting),
      isExample: dated.some(({ prices }) => prices.isExample),
    },
    netted: dated.flatMap((contract) => nettedTimes(contract, endOfNetting)),
    runs: dated
      .toSorted((a, b) => Number(hasElectricity(b.prices)) - Number(hasElectricity(a.prices)))
      .map(({ time }) => time),
  };
}

const noFee: Price = { kind: 'fixed', value: 0n };

/** True for a contract whose blank fee is 0: no other contract charges for export at its time. */
function takesExport({ import: taken, export: given }: Prices): boolean {
  return taken !== null || given !== null;
}

/** One contract over a whole period. It nets on its own days alone, because that is a matter of dates and not of prices. */
export function wholeContract(contract: Contract, endOfNetting: number): BilledContract {
  const { name, prices, time } = contract;
  return { name, prices, netted: nettedTimes(contract, endOfNetting), runs: time === null ? [] : [time] };
}

/** @param end when the law ends netting, epoch ms */
function nettedTimes({ time, prices }: Contract, end: number): Time[] {
  if (time === null || !prices.isNetting || !hasElectricity(prices) || time.start >= end) return [];
  return [{ start: time.start, end: Math.min(time.end, end) }];
}
