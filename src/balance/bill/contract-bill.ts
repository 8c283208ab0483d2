/** The bill of a range of days by contracts: each over the whole range, so that they can be compared. */
import { monthsOf } from '../../calendar/periods';
import type { BalanceContract, BalanceCost, BalanceMissing, BalancePayload } from '../../model/payload';
import { createPause } from '../../pause';
import { costInputOf } from '../period/house-costs';
import { pastUntil } from '../period/parts';
import { balanceOfPeriod, type MeasuredHouse, measuredHouse, type ReadHouse } from '../period/period-balance';
import type { BilledContract } from '../prices/contracts';
import { costsOf } from '../prices/costs';
import { dueOf } from '../prices/due';
import { priceBorders } from '../prices/prices';
import { leastShare, ofMeters, reasonAgainst, shareOf } from './bill-base';
import { expectedOf, type ReadYear } from './expected';
import { SlotsOfHouse } from './saving';

export interface ContractsQuestion {
  readonly contracts: readonly BilledContract[];
  /** Usable capacities of batteries. */
  readonly batteriesKwh: readonly number[];
}

/** @param house as of billOf */
export async function billOfContracts(
  house: ReadHouse,
  { contracts, batteriesKwh }: ContractsQuestion,
  read: ReadYear | null,
): Promise<BalancePayload> {
  const pause = createPause();
  const base = ofMeters(balanceOfPeriod({ ...house, step: 'P1D', prices: null }));
  const share = shareOf(base, house);
  await pause();
  const until = pastUntil(house.period, house.now);
  const cuts = contracts.map(({ prices }) => priceBorders(prices, house.period.start, until));
  const measured = measuredHouse(house, 'P1D', cuts.flat());
  const slots = new SlotsOfHouse(house);
  const bills: BalanceContract[] = [];
  for (const contract of contracts) {
    await pause();
    const bill = billOfContract(contract, { house, base, share, measured, until });
    await pause();
    const { moved, batteries, missing } = slots.savings(contract.prices, base, share, batteriesKwh);
    const all = { ...bill.missing, ...missing };
    bills.push({ ...bill, moved, batteries, ...(Object.keys(all).length > 0 && { missing: all }) });
  }
  await pause();
  const { expected, missing } = read === null ? noExpectation : expectedOf(read);
  return {
    ...base,
    contracts: bills,
    best: bestOf(bills),
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

function billOfContract({ name, prices, netted }: BilledContract, known: Known): Bill {
  const { house, base, share, measured, until } = known;
  const months = monthsOf(house.period).filter(({ start }) => start < until);
  const input = costInputOf(prices, house.period, measured);
  const { cost, leftOut } = costsOf(input);
  const reason = reasonAgainst(prices, base, share) ?? (cost.coverage < leastShare ? 'too_few_days' : null);
  if (reason !== null) {
    const unknown = months.map(({ label }) => ({ label, total: null, due: null }));
    return { name, cost: null, due: null, per_month: unknown, missing: { cost: reason, due: reason } };
  }
  const due = dueOf(
    input,
    netted,
    months.map(({ start }) => Math.max(start, house.period.start)),
  );
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
    missing: { ...Object.fromEntries(parts), ...(due.missing !== null && { due: due.missing }) },
  };
}

/** Null if a bill is not known, is in another currency, or lacks a part that others may have. */
function bestOf(bills: readonly BalanceContract[]): string | null {
  const isWhole = ({ due, missing = {} }: BalanceContract): boolean =>
    due !== null && !Object.keys(missing).some((field) => field.startsWith('cost'));
  const [first] = bills;
  if (first === undefined || !bills.every(isWhole)) return null;
  if (bills.some(({ cost }) => cost?.currency !== first.cost?.currency)) return null;
  return bills.reduce((best, bill) => ((bill.due ?? 0) < (best.due ?? 0) ? bill : best)).name;
}
