/** Reads the question for a bill: its days, its two sets of prices, and the sizes of batteries. */
import { isAbsent } from '../../checks/record';
import { type DayRange, dayRange, periodContaining, previousPeriod } from '../../calendar/periods';
import { convertCalendarErrors, parsePastDate } from '../../model/calendar-errors';
import { CemmError } from '../../errors';
import { createPause, runWithPauses } from '../../time/pause';
import { millis, type Millis } from '../../time/units';
import type { BilledContract } from '../prices/contracts';
import { billedAsAsked, parseContractsAsked } from '../prices/house-contracts';
import { parsePrices, type Prices } from '../prices/prices';

/** All parts as a user or a flow gives them. */
export interface AskedBill {
  /** First and last day, both inclusive; absent: the twelve months before the current one. */
  readonly from?: unknown;
  readonly to?: unknown;
  /** Prices until 2026 and from 2027; null or absent: not known. */
  readonly prices?: unknown;
  /** Contracts, instead of prices. */
  readonly contracts?: unknown;
  /** Usable capacities in kWh; absent: none. */
  readonly batteries?: unknown;
}

interface Frame {
  readonly timezone: string;
  readonly now: Millis;
  /** The names of the parts, for errors. */
  readonly names: Readonly<Record<keyof AskedBill, string>>;
}

/** Messages are kept for so long, see src/balance/messages. */
export const mostDaysOfBill = 400;
const mostBatteries = 10;
const mostBatteryKwh = 1000;

/**
 * The twelve months before the current one, or the given days.
 * @throws {CemmError} INPUT `not_begun` or the reason of the CalendarError
 */
export function billPeriod({ from, to }: AskedBill, { timezone, now, names }: Frame): DayRange {
  if (isAbsent(from) && isAbsent(to)) {
    let first = periodContaining('month', timezone, now);
    const last = millis(first.start - 1);
    for (let month = 0; month < 12; month += 1) first = previousPeriod(first);
    return dayRange(timezone, first.start, last);
  }
  const frame = { timezone, now };
  const [first, last] = [parsePastDate(names.from, from, frame), parsePastDate(names.to, to, frame)];
  return convertCalendarErrors(names.to, () => dayRange(timezone, first, last, mostDaysOfBill));
}

/** @throws {CemmError} INPUT `prices`; its path begins with the position in the list */
export function billPrices({ prices }: AskedBill, { timezone, names }: Frame): [Prices | null, Prices | null] {
  if (isAbsent(prices)) return [null, null];
  if (!Array.isArray(prices) || prices.length > 2) throw wrongPrices(names.prices, names.prices);
  const [until, from] = [0, 1].map((index): Prices | null => {
    const given: unknown = prices[index];
    if (isAbsent(given)) return null;
    try {
      return parsePrices(given, timezone);
    } catch (thrown) {
      if (!(thrown instanceof CemmError)) throw thrown;
      const { path = '' } = thrown.params;
      throw wrongPrices(names.prices, [`${names.prices}[${index}]`, path].filter((part) => part !== '').join('.'));
    }
  });
  return [until ?? null, from ?? null];
}

/**
 * The contracts of the question; null without any.
 * @throws {CemmError} INPUT `contracts`, `prices`, `contracts_and_prices`
 */
export async function billContracts(
  { contracts, prices }: AskedBill,
  { timezone, names }: Frame,
): Promise<BilledContract[] | null> {
  if (isAbsent(contracts)) return null;
  if (!isAbsent(prices)) throw new CemmError('INPUT', { reason: 'contracts_and_prices' });
  const parsed = await runWithPauses(parseContractsAsked(contracts, timezone, names.contracts), createPause());
  return billedAsAsked(parsed, timezone);
}

/** @throws {CemmError} INPUT `batteries` */
export function billBatteries({ batteries }: AskedBill, { names }: Frame): number[] {
  if (isAbsent(batteries)) return [];
  const list: readonly unknown[] = Array.isArray(batteries) ? batteries : [null];
  const sizes = list.filter((kwh): kwh is number => typeof kwh === 'number' && kwh > 0 && kwh <= mostBatteryKwh);
  if (sizes.length < list.length || sizes.length > mostBatteries) {
    const params = { field: names.batteries, most: mostBatteries, kwh: mostBatteryKwh };
    throw new CemmError('INPUT', { reason: 'batteries', params });
  }
  return sizes;
}

function wrongPrices(field: string, path: string): CemmError {
  return new CemmError('INPUT', { reason: 'prices', params: { field, path } });
}
