/** The same numbers of another period; of a period that is running, until the same time. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import { knownUntil, totalCost } from './known';
import { isNumber } from './numbers';
import { placeSlots } from './slots';

export interface Comparison {
  readonly name: string;
  /** Without the time. */
  readonly shortName: string;
  readonly balance: BalancePayload;
  /** Null if it is not known. `cost` is the total. */
  readonly valueFor: (field: string) => number | null;
  /** Measured share of the time, 0 to 1. */
  readonly shareFor: (field: string) => number;
}

export function comparisonOf(sheet: Sheet, balance: BalancePayload, other: BalancePayload, name: string): Comparison {
  const { say, formats, frame } = sheet;
  const { period } = balance;
  const moment = knownUntil(frame, balance);
  // A cost of too few days is shown with their share of the time.
  const isOfFewDays = other.missing['cost.total'] === 'too_few_days';
  const otherCost = isOfFewDays ? (other.cost?.total ?? null) : totalCost(other);
  if (period === undefined || moment >= period.end) {
    const whole = (field: string): number | null => (field === 'cost' ? otherCost : other.values[field]) ?? null;
    return { name, shortName: name, balance: other, valueFor: whole, shareFor: (field) => other.coverage[field] ?? 1 };
  }
  const { start, end } = other.period ?? period;
  const isDay = period.unit === 'day';
  // On a day on which the clock is changed, the same time of day is an hour earlier or later.
  const placeIn = (ts: number, begin: number): number => (isDay ? formats.timeOfDay(ts) : ts - begin);
  const passed = placeIn(moment, period.start);
  const time = isDay
    ? formats.clock(moment)
    : formats.date(Math.min(start + passed, end - 1), { day: 'numeric', month: 'short' });
  const slots = placeSlots(other, formats);
  // Points add up to the period; of the slot that is running at the same time, its passed share counts.
  const measuredFrom = other.since ?? start;
  const upTo = (field: string): readonly [sum: number | null, share: number] => {
    let sum: number | null = null;
    let known = 0;
    let all = 0;
    // Points without a part of the cost add up to no cost, and a peak is of no point.
    if (field === 'cost' && (otherCost === null || (other.cost?.peak ?? 0) !== 0)) return [sum, 1];
    for (const { ts, end: to, point } of slots) {
      const share = Math.min(1, Math.max(0, (passed - placeIn(ts, start)) / (to - ts)));
      const value = point?.[field];
      all += share * (to - ts);
      if (share === 0 || !isNumber(value)) continue;
      sum = (sum ?? 0) + value * share;
      // Only a part of the month in which the house was first measured.
      known += Math.max(0, ts + share * (to - ts) - Math.max(ts, measuredFrom));
    }
    return [sum, Math.min(1, known / all)];
  };
  return {
    name: `${name}, ${say('until', time)}`,
    shortName: name,
    balance: other,
    valueFor: (field) => upTo(field)[0],
    shareFor: (field) => upTo(field)[1],
  };
}
