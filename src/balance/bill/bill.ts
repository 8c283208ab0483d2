/**
 * The bill of a range of days by two sets of prices, until and from the end of Dutch netting; and, at the prices from then on, what
 * moved use and batteries would have saved.
 */
import type { BalanceBattery, BalanceCost, BalanceMissing, BalancePayload, SeriesPoint } from '../../model/payload';
import { type BalanceRole, perKwh } from '../meters/amounts';
import { placeMeters } from '../meters/placed-meters';
import { partsOf, pastUntil } from '../period/parts';
import { balanceOfPeriod, type ReadHouse } from '../period/period-balance';
import { type Money, priceDecimals, type Prices } from '../prices/prices';
import { savedByBattery } from './battery';
import { type GridSlots, gridSlotsOf, knownIn } from './grid-slots';
import { worthOfMoved } from './moved';
import { type PricedSlot, pricedSlotsOf } from './slot-prices';
import { tariffHoursOf } from './tariff-hours';

export interface BillQuestion {
  /** Until 2026-12-31, with netting, and from 2027-01-01; null: not known. */
  readonly prices: readonly [Prices | null, Prices | null];
  /** Usable capacities of batteries. */
  readonly batteriesKwh: readonly number[];
}

/** The meters of a bill. */
export const billedRoles: readonly BalanceRole[] = ['grid', 'gas', 'water'];

/** A smaller share of the days gives no sum. */
const leastShare = 0.98;

/** @param house of a range, with its minutes, without meters of other roles than those of a bill */
export async function billOf(house: ReadHouse, { prices, batteriesKwh }: BillQuestion): Promise<BalancePayload> {
  const first = balanceOfPeriod({ ...house, step: 'P1D', prices: prices[0] });
  await pause();
  const second =
    prices[1] === null || prices[1] === prices[0]
      ? first
      : balanceOfPeriod({ ...house, step: 'P1D', prices: prices[1] });
  await pause();
  const base = ofMeters(first);
  const share = shareOf(base, house);
  const missing: Record<string, BalanceMissing> = {
    ...base.missing,
    ...missingInBill(first, 0),
    ...missingInBill(second, 1),
  };
  const known = <Value>(name: string, value: Value | BalanceMissing): Value | null => {
    if (!isReason(value)) return value;
    missing[name] = value;
    return null;
  };
  const until = known('bills.0', costOf(first, prices[0], share));
  const from = known('bills.1', costOf(second, prices[1], share));
  const saving = savingOf(house, prices[1], base, share);
  await pause();
  const moved = known('moved', isReason(saving) ? saving : amountOf(worthOfMoved(saving.days, saving.slots)));
  const batteries = batteriesKwh.map((kwh): BalanceBattery => {
    const saved = isReason(saving) ? saving : amountOf(savedByBattery(saving.slots, kwh));
    return { kwh, saved: known('batteries', saved) };
  });
  const bills: BalancePayload['bills'] = [until, from === null ? null : { ...from, netted: null }];
  return { ...base, bills, moved, batteries, share, missing };
}

/** A year takes a second on a small computer, in which other nodes have to work. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function isReason(value: unknown): value is BalanceMissing {
  return typeof value === 'string';
}

/** Measured share of the days; a day that is not over is measured in part. */
function shareOf({ coverage }: BalancePayload, { period, now }: ReadHouse): number {
  const past = (pastUntil(period, now) - period.start) / (period.end - period.start);
  return past * Math.min(coverage['energy_import_kwh'] ?? 0, coverage['energy_export_kwh'] ?? 0);
}

/** The reason if there is no bill. */
function costOf(balance: BalancePayload, prices: Prices | null, share: number): BalanceCost | BalanceMissing {
  const reason = reasonAgainst(prices, balance, share);
  if (reason !== null) return reason;
  const { cost } = balance;
  if (cost === undefined) return 'no_price';
  return cost.coverage < leastShare ? 'too_few_days' : cost;
}

function reasonAgainst(prices: Prices | null, { values }: BalancePayload, share: number): BalanceMissing | null {
  if (prices === null || prices.import === null) return 'no_price';
  if (share < leastShare) return 'too_few_days';
  // A blank price of export is not 0.
  return prices.export === null && (values['energy_export_kwh'] ?? 0) > 0 ? 'no_price' : null;
}

interface Saving {
  readonly days: GridSlots['days'];
  readonly slots: readonly PricedSlot[];
}

function savingOf(
  house: ReadHouse,
  prices: Prices | null,
  base: BalancePayload,
  share: number,
): Saving | BalanceMissing {
  const reason = reasonAgainst(prices, base, share);
  if (prices === null || reason !== null) return reason ?? 'no_price';
  const { period, meters, now } = house;
  const until = pastUntil(period, now);
  const placed = placeMeters(meters, partsOf(period, 'P1D', until, []).days, until < period.end);
  const grid = gridSlotsOf(house, placed, until);
  const least = leastShare * (period.end - period.start);
  if (knownIn(grid.slots) < least) return 'not_by_hour';
  const slots = pricedSlotsOf(prices, grid, () => tariffHoursOf(placed, grid, period.timezone));
  if (isReason(slots)) return slots;
  return knownIn(slots) < least ? 'no_price' : { days: grid.days, slots };
}

/** @param sum amount × money */
function amountOf(sum: Money): number {
  // Eighteen decimal places, so that the JavaScript number is the one nearest to the exact sum.
  const scaled = (sum * 10n ** 18n) / (BigInt(perKwh) * 10n ** BigInt(priceDecimals));
  return Number(`${scaled}e-18`) + 0;
}

const partOfCost = /^cost\./;

/** Parts of a cost that are null: `cost.gas` is `bills.0.gas` in the first bill. */
function missingInBill({ cost, missing }: BalancePayload, index: number): Record<string, BalanceMissing> {
  const parts = Object.entries(missing).filter(([name]) => cost !== undefined && partOfCost.test(name));
  return Object.fromEntries(parts.map(([name, reason]) => [name.replace(partOfCost, `bills.${index}.`), reason]));
}

/** Without costs, and without the use of the house: the meters of production are not read for a bill. */
function ofMeters(payload: BalancePayload): BalancePayload {
  const balance = { ...payload };
  delete balance.cost;
  const { values, points = [], method, coverage, missing, estimatedFields } = balance;
  return {
    ...balance,
    values: withoutUse(values),
    points: points.map(({ ts, ...point }): SeriesPoint => ({ ts, ...withoutUse(point) })),
    method: withoutUse(method),
    coverage: withoutUse(coverage),
    missing: withoutUse(missing),
    ...(estimatedFields !== undefined && { estimatedFields: withoutUse(estimatedFields) }),
  };
}

function withoutUse<Value>(fields: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => name !== 'energy_house_kwh' && !/^cost\b|^cost_/.test(name)),
  );
}
