/** The bill of a range of days by contracts: each over the whole range, so that they can be compared. */
import { monthsOf } from '../../calendar/periods';
import type { BalanceContract, BalanceCost, BalanceMissing, BalancePayload } from '../../model/payload';
import type { InParts } from '../../time/pause';
import { computeCostInput } from '../period/house-costs';
import { pastUntil } from '../period/parts';
import { computeBalance, type MeasuredHouse, measureHouse, type ReadHouse } from '../period/period-balance';
import type { BilledContract } from '../prices/contracts';
import { type CostParts, costParts, wholeCosts } from '../prices/costs';
import { computeDue } from '../prices/due';
import { leastShare } from '../prices/known-days';
import { priceBorders } from '../prices/prices';
import { ofMeters, reasonAgainst, reasonOfFewDays, computeMeasuredShare } from './bill-base';
import { computeExpected, type ReadYear } from './expected';
import { SlotsOfHouse } from './saving';

export interface ContractsQuestion {
  readonly contracts: readonly BilledContract[];
  /** Usable capacities of batteries. */
  readonly batteriesKwh: readonly number[];
}

/** @param house as of billOf */
export function* billOfContracts(
  house: ReadHouse,
  { contracts, batteriesKwh }: ContractsQuestion,
  read: ReadYear | null,
): InParts<BalancePayload> {
  const base = ofMeters(yield* computeBalance({ ...house, step: 'P1D', prices: null }));
  const share = computeMeasuredShare(base, house);
  yield;
  const until = pastUntil(house.period, house.now);
  const cuts = new Set<number>();
  for (const { prices } of contracts) {
    for (const border of priceBorders(prices, house.period.start, until)) cuts.add(border);
    yield;
  }
  const measured = yield* measureHouse(house, 'P1D', [...cuts]);
  const slots = new SlotsOfHouse(house);
  const bills: BalanceContract[] = [];
  for (const contract of contracts) {
    const bill = yield* billOfContract(contract, { house, base, share, measured, until });
    const { moved, batteries, missing } = yield* slots.savings(contract.prices, base, share, batteriesKwh);
    const all = { ...bill.missing, ...missing };
    bills.push({ ...bill, moved, batteries, ...(Object.keys(all).length > 0 && { missing: all }) });
  }
  const { expected, missing } = read === null ? noExpectation : yield* computeExpected(read);
  return {
    ...base,
    contracts: bills,
    best: findCheapest(bills),
    ...(expected !== undefined && { expected }),
    share,
    missing: { ...base.missing, ...missing },
  };
}

const noExpectation = { expected: undefined, missing: {} };

interface Known {
  readonly house: ReadHouse;
  readonly base: BalancePayload;
  readonly share: number;
  readonly measured: MeasuredHouse;
  readonly until: number;
}

type Bill = Omit<BalanceContract, 'moved' | 'batteries' | 'missing'> & {
  readonly missing: Readonly<Record<string, BalanceMissing>>;
};

function* billOfContract({ name, prices, netted }: BilledContract, known: Known): InParts<Bill> {
  const { house, base, share, measured, until } = known;
  const months = monthsOf(house.period).filter(({ start }) => start < until);
  const whole = yield* computeCostInput(prices, house.period, measured);
  yield;
  const all = yield* costParts(whole);
  const unpriced = listUnpriced(all);
  const without = Object.fromEntries(unpriced.map((volume) => [volume, null]));
  const input = unpriced.length === 0 ? whole : { ...whole, prices: { ...prices, ...without } };
  const calculated = unpriced.length === 0 ? all : yield* costParts(input);
  const { cost, leftOut, coverage, tooFew } = wholeCosts(input, calculated);
  yield;
  const reason = reasonAgainst(prices, base, share) ?? (coverage < leastShare ? reasonOfFewDays(tooFew) : null);
  if (reason !== null) {
    const unknown = months.map(({ label }) => ({ label, total: null, due: null }));
    return { name, cost: null, due: null, per_month: unknown, missing: { cost: reason, due: reason } };
  }
  const due = yield* computeDue(
    input,
    calculated,
    netted,
    months.map(({ start }) => Math.max(start, house.period.start)),
  );
  const withoutPrice = unpriced.map((volume): [string, BalanceMissing] => [`cost.${volume}`, 'no_price']);
  const parts = leftOut.map((part): [string, BalanceMissing] => [
    `cost.${part}`,
    part === 'peak' ? 'not_measured' : (base.missing[`${part}_m3`] ?? 'not_measured'),
  ]);
  const own: BalanceCost = { ...cost, netted: null };
  return {
    name,
    cost: own,
    due: due.due,
    per_month: months.map(({ label }, index) => ({ label, ...(due.months[index] ?? { total: null, due: null }) })),
    missing: {
      ...Object.fromEntries([...parts, ...withoutPrice]),
      ...(due.missing !== null && { due: due.missing }),
      ...(due.missingMonth !== null && { per_month: due.missingMonth }),
    },
  };
}

/** Gas and water of which too little has a price, as in a house whose earlier contract has none: its electricity has a bill without them. */
function listUnpriced({ items }: CostParts): ('gas' | 'water')[] {
  if (items.taken === null) return [];
  return (['gas', 'water'] as const).filter((volume) => {
    const item = items[volume];
    return item !== null && !item.isLeftOut && item.costs.share < leastShare;
  });
}

/** Null if a bill is not known, is in another currency, or lacks a part that others may have. */
function findCheapest(bills: readonly BalanceContract[]): string | null {
  const isWhole = ({ due, missing = {} }: BalanceContract): boolean =>
    due !== null && !Object.keys(missing).some((field) => field.startsWith('cost'));
  const [first] = bills;
  if (first === undefined || !bills.every(isWhole)) return null;
  if (bills.some(({ cost }) => cost?.currency !== first.cost?.currency)) return null;
  return bills.reduce((best, bill) => ((bill.due ?? 0) < (best.due ?? 0) ? bill : best)).name;
}
