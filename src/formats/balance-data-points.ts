/**
 * The balance of a house as single values. They are about the house, so they have no meter. A period has its sums, which
 * stand at its first moment, and its points; both have the same field names and differ in their step.
 */
import type { Step } from '../calendar/slots';
import type { BalanceCost, BalancePayload, BalanceStep, PeriodInfo } from '../model/payload';
import type { DataPoint } from './data-points';
import { unitOfField } from './units';

/** Step of the points of a series or a balance, or the length of the period that a sum of a balance is about. */
export type DataPointStep = Step | BalanceStep | 'P1Y';

const lengths: Readonly<Record<PeriodInfo['unit'], DataPointStep>> = { day: 'P1D', month: 'P1M', year: 'P1Y' };

export interface HouseDataPoints {
  /** Null for the present moment. */
  readonly step: DataPointStep | null;
  readonly all: readonly DataPoint[];
}

/** The present moment, or the sums of the period with cost and peak. */
export function sumsOfHouse({ ts, period, values, cost, peak }: BalancePayload): HouseDataPoints {
  const sums = Object.entries(values).map(([field, value]) => ofHouse(ts, field, value));
  const peaks: DataPoint[] = [];
  if (peak !== null && period !== undefined) peaks.push(ofHouse(ts, 'peak_power_w', peak.power_w));
  if (peak !== null && peak.expected_w !== undefined) peaks.push(ofHouse(ts, 'peak_expected_w', peak.expected_w));
  return {
    step: period === undefined ? null : lengths[period.unit],
    all: [...sums, ...peaks, ...(cost === undefined ? [] : costsOfHouse(ts, cost))],
  };
}

/** The points of the period; null for the present moment. */
export function pointsOfHouse({ period, points, cost }: BalancePayload): HouseDataPoints | null {
  if (period === undefined) return null;
  const all = (points ?? []).flatMap(({ ts, ...values }) =>
    Object.entries(values).map(([field, value]) => ofHouse(ts, field, value, cost?.currency)),
  );
  return { step: period.step, all };
}

/** `cost` is the total, as in the points. */
function costsOfHouse(ts: number, cost: BalanceCost): DataPoint[] {
  const { currency, total, netted, fixed, gas, water } = cost;
  const parts = {
    cost: total,
    cost_import: cost.import,
    cost_export: cost.export,
    cost_gas: gas,
    cost_water: water,
    cost_fixed: fixed,
    cost_netted: netted,
  };
  return Object.entries(parts).map(([field, value]) => ofHouse(ts, field, value, currency));
}

function ofHouse(ts: number, field: string, value: number | null, currency: string | null = null): DataPoint {
  const unit = /^cost(_|$)/.test(field) ? currency : unitOfField(field);
  return { ts, meter: null, field, value, unit, topic: null };
}
