/** The same numbers of another period; of a period that is running, until the same time. */
import type { BalancePayload } from '../../../../src/model/payload';
import type { Sheet } from './card';
import { isNumber } from './numbers';
import { slotsOf } from './slots';

export interface Comparison {
  readonly name: string;
  /** Without the time. */
  readonly shortName: string;
  readonly balance: BalancePayload;
  /** Null if it is not known. `cost` is the total. */
  readonly valueFor: (field: string) => number | null;
}

export function comparisonOf(sheet: Sheet, balance: BalancePayload, other: BalancePayload, name: string): Comparison {
  const { say, formats, frame } = sheet;
  const { period } = balance;
  if (period === undefined || frame.moment >= period.end) {
    const whole = (field: string): number | null =>
      (field === 'cost' ? other.cost?.total : other.values[field]) ?? null;
    return { name, shortName: name, balance: other, valueFor: whole };
  }
  const passed = frame.moment - period.start;
  const until =
    period.unit === 'day'
      ? formats.clock(frame.moment)
      : formats.date(frame.moment, { day: 'numeric', month: 'short' });
  const start = other.period?.start ?? 0;
  const slots = slotsOf(other, formats);
  // Points add up to the period; of the slot that is running at the same time, its passed share counts.
  const valueFor = (field: string): number | null => {
    let sum: number | null = null;
    for (const { ts, end, point } of slots) {
      const share = Math.min(1, Math.max(0, (passed - (ts - start)) / (end - ts)));
      const value = point?.[field];
      if (share > 0 && isNumber(value)) sum = (sum ?? 0) + value * share;
    }
    return sum;
  };
  return { name: `${name}, ${say('until', until)}`, shortName: name, balance: other, valueFor };
}
