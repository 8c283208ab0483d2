/** Data that prices need beside the counters at the borders of a period. */
import { periodContaining, type Span } from '../../calendar/periods';
import { dayMs, hourMs, millis } from '../../time/units';
import type { BalanceRole } from '../meters/amounts';
import { findPriceChanges, hasPeakPrice, type Price, type Prices } from '../prices/prices';

export interface PriceNeeds {
  /** Roles whose minutes of every day are needed. */
  readonly minutesOf: readonly BalanceRole[];
  /** Roles of which the minutes of days that are kept are used; the days of a year over the internet are not requested for them. */
  readonly keptMinutesOf: readonly BalanceRole[];
  /** Roles whose days of a year are read for its hours in the own network, in the months of which the monitor knows something. */
  readonly hoursOf?: readonly BalanceRole[];
  /** Midnights inside a year at which a price changes: their readings divide the year. */
  readonly midnights: readonly number[];
}

/** More changes in a year, as in a list by the day, would be as many requests. */
const mostChanges = 24;
/** The shortest day has 23 hours. */
const shortestDay = dayMs - hourMs;

export interface Wishes {
  /** For a month or a range: its quarter-hour peak, whatever the prices are. */
  readonly wantsPeak: boolean;
  /** For a year: the amounts of its hours. */
  readonly wantsHours: boolean;
  /** Readings of past days are available (remote). */
  readonly hasTotals: boolean;
}

export function needsOf(prices: Prices | null, period: Span, { wantsPeak, wantsHours, hasTotals }: Wishes): PriceNeeds {
  if (period.unit === 'day') return { minutesOf: [], keptMinutesOf: [], midnights: [] };
  const { unit, timezone, start, end } = period;
  const isMidnight = (moment: number): boolean => periodContaining('day', timezone, millis(moment)).start === moment;
  const changesOf = (...of: readonly (Price | null | undefined)[]): number[] =>
    of.flatMap((price) => findPriceChanges(price ?? null, start, end));
  const paysPeak = prices !== null && hasPeakPrice(prices);
  const ofGrid = [prices?.import, prices?.export, prices?.exportFee];
  const changes = { grid: changesOf(...ofGrid), gas: changesOf(prices?.gas), water: changesOf(prices?.water) };
  const roles = (['grid', 'gas', 'water'] as const).filter((role) => {
    const wants = role === 'grid' && ((unit !== 'year' && wantsPeak) || paysPeak);
    return wants || !changes[role].every(isMidnight);
  });
  const hoursOf = unit === 'year' && wantsHours ? (['grid'] as const) : [];
  if (unit !== 'year' || !hasTotals) {
    return { minutesOf: roles, keptMinutesOf: [], midnights: [], ...(hoursOf.length > 0 && { hoursOf }) };
  }
  const ofPrices = [...ofGrid, prices?.gas, prices?.water].map((price) =>
    besideWholeDays(changesOf(price), period).filter(isMidnight),
  );
  return {
    minutesOf: paysPeak ? ['grid'] : [],
    keptMinutesOf: [...new Set([...roles, ...hoursOf])],
    midnights: ofPrices.reduce(joinFew, []),
  };
}

/** The changes of a price that lasts a day or more on one side of them: readings tell nothing of a price by the hour. */
function besideWholeDays(changes: readonly number[], { start, end }: Span): number[] {
  const borders = [start, ...new Set(changes), end].sort((a, b) => a - b);
  return borders.slice(1, -1).filter((moment, index) => {
    const [before, after] = [borders[index] ?? start, borders[index + 2] ?? end];
    return moment - before >= shortestDay || after - moment >= shortestDay;
  });
}

/** The midnights with those of one more price, unless they become too many. */
function joinFew(midnights: readonly number[], more: readonly number[]): readonly number[] {
  const joined = [...new Set([...midnights, ...more])];
  return joined.length > mostChanges ? midnights : joined;
}
