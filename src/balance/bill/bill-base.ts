/** The part of a bill that does not depend on prices: the energy of the house by day, and how much of it was measured. */
import { smallest } from '../../checks/extremes';
import type { BalanceCost, BalanceMissing, BalancePayload, SeriesPoint } from '../../model/payload';
import { pastUntil } from '../period/parts';
import type { ComputedBalance, ReadHouse } from '../period/period-balance';
import { leastShare } from '../prices/known-days';
import type { Prices } from '../prices/prices';

/** False for a house whose bill has gas or water alone. */
export function hasGrid({ values }: Pick<BalancePayload, 'values'>): boolean {
  return 'energy_import_kwh' in values;
}

/** Gas and water of a house that has such meters. */
const volumes = ['gas', 'water'] as const;

/** Measured share of the days; a day that is not over is measured in part. Without electricity, that of gas and water. */
export function computeMeasuredShare({ coverage, values }: BalancePayload, { period, now }: ReadHouse): number {
  const past = (pastUntil(period, now) - period.start) / (period.end - period.start);
  const known = volumes.map((volume) => `${volume}_m3`).filter((field) => typeof values[field] === 'number');
  const fields = hasGrid({ values }) ? ['energy_import_kwh', 'energy_export_kwh'] : known;
  return fields.length === 0 ? 0 : past * smallest(fields.map((field) => coverage[field] ?? 0));
}

/** The reason if there is no bill. A meter for gas or water that cannot be read is no reason: the bill is without it, and says so. */
export function chooseCost(
  { balance, costCoverage }: ComputedBalance,
  prices: Prices | null,
  share: number,
): BalanceCost | BalanceMissing {
  const reason = reasonAgainst(prices, balance, share);
  if (reason !== null) return reason;
  const { cost } = balance;
  if (cost === undefined) return 'no_price';
  return costCoverage < leastShare ? reasonOfFewDays(balance.missing['cost.total']) : cost;
}

/**
 * Why too few of the days have a cost: their energy may be known, but not at which price. Days between two contracts have no price
 * and are days without a cost.
 */
export function reasonOfFewDays(tooFew: BalanceMissing | null = null): BalanceMissing {
  return tooFew === 'not_by_tariff' || tooFew === 'hourly_price' ? tooFew : 'too_few_days';
}

/** Null if the energy of the house, or without electricity its gas or water, can be priced. */
export function reasonAgainst(prices: Prices | null, { values }: BalancePayload, share: number): BalanceMissing | null {
  const priced = hasGrid({ values }) ? (['import'] as const) : volumes.filter((volume) => `${volume}_m3` in values);
  if (prices === null || priced.every((part) => prices[part] === null)) return 'no_price';
  if (share < leastShare) return 'too_few_days';
  // A blank price of export is not 0.
  return prices.export === null && (values['energy_export_kwh'] ?? 0) > 0 ? 'no_price' : null;
}

/** Without costs, and without the use of the house: the meters of production are not read for a bill. */
export function ofMeters(payload: BalancePayload): BalancePayload {
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
