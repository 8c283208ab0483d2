/** The question for prices: what a kWh costs and earns in each slot of some days, for planners. */
import { isAbsent } from '../../checks/record';
import { parseDate } from '../../calendar/dates';
import { type DayRange, dayRange, nextPeriod, periodContaining } from '../../calendar/periods';
import { convertCalendarErrors } from '../../model/calendar-errors';
import { idOf, payloadHead } from '../../model/identity';
import type { BalanceMissing, BalancePayload, SeriesPoint, SourceInfo } from '../../model/payload';
import { hourMs, type Millis, quarterMs } from '../../time/units';
import { divideIntoParts } from '../period/parts';
import { type Money, moneyToNumber, type UnitPrice } from './price-values';
import { findPriceChanges, isByTariff, type Price, type Prices, pricesOfParts } from './prices';

/** Days of one question. */
const mostDays = 31;

/**
 * The given days, else today and tomorrow.
 * @throws {CemmError} INPUT with the reason of the CalendarError
 */
export function daysOfPrices(
  { from, to }: { readonly from?: unknown; readonly to?: unknown },
  { timezone, now }: { readonly timezone: string; readonly now: Millis },
): DayRange {
  const [field, until] = ['msg.payload.from', 'msg.payload.to'];
  const dateOf = (place: string, value: unknown, absent: Millis): Millis =>
    isAbsent(value) ? absent : convertCalendarErrors(place, () => parseDate(value, timezone));
  const first = dateOf(field, from, now);
  const tomorrow = nextPeriod(periodContaining('day', timezone, isAbsent(from) ? now : first)).start;
  const last = dateOf(until, to, tomorrow);
  return convertCalendarErrors(until, () => dayRange(timezone, first, last, mostDays));
}

interface PriceQuestion {
  readonly prices: Prices | null;
  readonly period: DayRange;
  readonly transport: SourceInfo['transport'];
  readonly now: number;
}

/** A payload of no monitor, with one point per slot, also of those to come. */
export function pricePoints({ prices, period, transport, now }: PriceQuestion): BalancePayload {
  const { timezone, label, start, end } = period;
  const used = [prices?.import ?? null, prices?.export ?? null, prices?.exportFee ?? null];
  const isFine = used.some((price) => findPriceChanges(price, start, end).some((border) => border % hourMs !== 0));
  const step = isFine ? 'PT15M' : 'PT1H';
  const length = isFine ? quarterMs : hourMs;
  const starts = divideIntoParts(period, step, end, []).steps;
  const ends = starts.map((from, index) => starts[index + 1] ?? Math.min(end, from + length));
  const [buys, earns, fees] = used.map((price) => findSlotPrices(price, starts, ends));
  const points = starts.map((ts, index): SeriesPoint => {
    const [buy = null, earn = null, fee = null] = [buys?.[index], earns?.[index], fees?.[index]];
    const isFree = (prices?.exportFee ?? null) === null;
    const sells = earn === null || (fee === null && !isFree) ? null : earn - (fee ?? 0n);
    const [price_import, price_export] = [buy, sells].map((money) => (money === null ? null : moneyToNumber(money)));
    return { ts, end: ends[index] ?? end, price_import: price_import ?? null, price_export: price_export ?? null };
  });
  const isTariff = (price: Price | null | undefined): boolean => isByTariff(price ?? null);
  const reasons = {
    price_import: isTariff(prices?.import),
    price_export: (prices?.export ?? null) !== null && (isTariff(prices?.export) || isTariff(prices?.exportFee)),
  };
  const missing = Object.fromEntries(
    Object.entries(reasons).flatMap(([field, hasTariffs]): [string, BalanceMissing][] =>
      points.every((point) => point[field] !== null) ? [] : [[field, hasTariffs ? 'not_by_tariff' : 'no_price']],
    ),
  );
  const monitor = { id: null };
  return {
    ...payloadHead('balance', idOf('bl', monitor, 'prices', label, step), start, monitor),
    timezone,
    period: { unit: 'range', label, timezone, start, end, step },
    meters: { grid: [], production: [], gas: [], water: [] },
    values: {},
    points,
    method: {},
    coverage: {},
    peak: null,
    counters: {},
    estimated: [],
    missing,
    complete: Object.keys(missing).length === 0,
    source: { transport, fetchedAt: now, latencyMs: 0, requests: 0, promises: 0 },
  };
}

/** Null where there is no price, or none for the whole slot and every tariff. */
function findSlotPrices(price: Price | null, starts: readonly number[], ends: readonly number[]): (Money | null)[] {
  if (price === null) return starts.map(() => null);
  const first = starts[0] ?? 0;
  const changes = findPriceChanges(price, first, ends.at(-1) ?? first).sort((a, b) => a - b);
  let next = 0;
  return pricesOfParts(price, starts).map((value: UnitPrice | null, index) => {
    while ((changes[next] ?? Infinity) <= (starts[index] ?? first)) next += 1;
    const isDivided = (changes[next] ?? Infinity) < (ends[index] ?? first);
    return isDivided || typeof value !== 'bigint' ? null : value;
  });
}
