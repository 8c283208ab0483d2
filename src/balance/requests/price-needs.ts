/** Data that prices need beside the counters at the borders of a period. */
import { periodContaining, type Span } from '../../calendar/periods';
import { millis } from '../../protocol/time';
import type { BalanceRole } from '../meters/amounts';
import { bordersOf, hasPeakPrice, type Price, type Prices } from '../prices/prices';

export interface PriceNeeds {
  /** Roles whose minutes of every day are needed. */
  readonly minutesOf: readonly BalanceRole[];
  /** Midnights inside a year at which a price changes: their readings divide the year. */
  readonly midnights: readonly number[];
}

/** More changes in a year, as in a list by the day, would be as many requests. */
const mostChanges = 24;

/** @param wantsPeak for a month or a range: its quarter-hour peak is wanted in any case */
export function needsOf(prices: Prices | null, period: Span, wantsPeak: boolean): PriceNeeds {
  if (period.unit === 'day') return { minutesOf: [], midnights: [] };
  const { unit, timezone, start, end } = period;
  const isMidnight = (moment: number): boolean => periodContaining('day', timezone, millis(moment)).start === moment;
  const changesOf = (...of: readonly (Price | null | undefined)[]): number[] =>
    of.flatMap((price) => bordersOf(price ?? null, start, end));
  const paysPeak = prices !== null && hasPeakPrice(prices);
  const grid = changesOf(prices?.import, prices?.export, prices?.exportFee);
  const changes = { grid, gas: changesOf(prices?.gas), water: changesOf(prices?.water) };
  if (unit === 'year') {
    // Prices by the hour have no known amounts in a year.
    const midnights = [...new Set(Object.values(changes).flat())].filter(isMidnight);
    return {
      minutesOf: paysPeak ? ['grid'] : [],
      midnights: midnights.length > mostChanges ? [] : midnights,
    };
  }
  const roles = (['grid', 'gas', 'water'] as const).filter((role) => {
    const wantsQuarters = role === 'grid' && (wantsPeak || paysPeak);
    return wantsQuarters || !changes[role].every(isMidnight);
  });
  return { minutesOf: roles, midnights: [] };
}
