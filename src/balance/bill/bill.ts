/**
 * The bill of a range of days: by contracts, or by two sets of prices, until and from the end of Dutch netting; and what moved use and
 * batteries would have saved.
 */
import type { BalanceMissing, BalancePayload } from '../../model/payload';
import { CemmError } from '../../errors';
import { createPause, type InParts, runWithPauses } from '../../time/pause';
import { millis } from '../../time/units';
import type { BalanceRole } from '../meters/amounts';
import { computeWithCosts, type ReadHouse } from '../period/period-balance';
import type { Prices } from '../prices/prices';
import { chooseCost, ofMeters, computeMeasuredShare } from './bill-base';
import { billOfContracts, type ContractsQuestion } from './contract-bill';
import { type ContractYear, contractYear } from './contract-year';
import type { ReadYear } from './expected';
import { SlotsOfHouse } from './saving';

interface PairQuestion {
  /** Until 2026-12-31, with netting, and from 2027-01-01; null: not known. */
  readonly prices: readonly [Prices | null, Prices | null];
  /** Usable capacities of batteries. */
  readonly batteriesKwh: readonly number[];
}

export type BillQuestion = PairQuestion | ContractsQuestion;

/** The contract year of a bill by contracts; null for another bill. */
export function yearOfBill(question: BillQuestion, now: number, timezone: string): ContractYear | null {
  return 'contracts' in question ? contractYear(question.contracts, millis(now), timezone) : null;
}

export type BilledPrices = Pick<PairQuestion, 'prices'> | Pick<ContractsQuestion, 'contracts'>;

/** The meters of a bill. */
export const billedRoles: readonly BalanceRole[] = ['grid', 'gas', 'water'];

/**
 * @param house of a range, with its minutes, without meters of other roles than those of a bill
 * @param read for a bill by contracts that has what is expected
 * @param signal ends the computation
 * @throws {CemmError} CANCELLED `stopped`
 */
export async function billOf(
  house: ReadHouse,
  question: BillQuestion,
  read: ReadYear | null = null,
  signal?: AbortSignal,
): Promise<BalancePayload> {
  const bill = 'contracts' in question ? billOfContracts(house, question, read) : billOfPair(house, question);
  const pause = createPause();
  return runWithPauses(bill, async () => {
    await pause();
    if (signal?.aborted === true) throw new CemmError('CANCELLED', { reason: 'stopped' });
  });
}

function* billOfPair(house: ReadHouse, { prices, batteriesKwh }: PairQuestion): InParts<BalancePayload> {
  const first = yield* computeWithCosts({ ...house, step: 'P1D', prices: prices[0] });
  const second =
    prices[1] === null || prices[1] === prices[0]
      ? first
      : yield* computeWithCosts({ ...house, step: 'P1D', prices: prices[1] });
  const base = ofMeters(first.balance);
  const share = computeMeasuredShare(base, house);
  const missing: Record<string, BalanceMissing> = {
    ...base.missing,
    ...missingInBill(first.balance, 0),
    ...missingInBill(second.balance, 1),
  };
  const knownOr = <Value>(name: string, value: Value | BalanceMissing): Value | null => {
    if (!isReason(value)) return value;
    missing[name] = value;
    return null;
  };
  const until = knownOr('bills.0', chooseCost(first, prices[0], share));
  const from = knownOr('bills.1', chooseCost(second, prices[1], share));
  yield;
  const saved = yield* new SlotsOfHouse(house).savings(prices[1], base, share, batteriesKwh);
  const { moved, batteries, missing: unknown } = saved;
  Object.assign(missing, unknown);
  const bills: BalancePayload['bills'] = [until, from === null ? null : { ...from, netted: null }];
  return { ...base, bills, moved, batteries, share, missing };
}

function isReason(value: unknown): value is BalanceMissing {
  return typeof value === 'string';
}

const partOfCost = /^cost\./;

/** Parts of a cost that are null: `cost.gas` is `bills.0.gas` in the first bill. */
function missingInBill({ cost, missing }: BalancePayload, index: number): Record<string, BalanceMissing> {
  const parts = Object.entries(missing).filter(([name]) => cost !== undefined && partOfCost.test(name));
  return Object.fromEntries(parts.map(([name, reason]) => [name.replace(partOfCost, `bills.${index}.`), reason]));
}
