/**
 * State of an import of many days: the base of each counter, and its sum so far. A replaced meter changes the reading but not the
 * sum.
 */
import { CemmError } from '../../errors';
import type { BalancePayload } from '../../model/payload';
import { endsWithDay, mostDifference } from './hourly-readings';
import { readNumbers } from '../../model/read-payload';

export type Numbers = Readonly<Record<string, number | null>>;

/** `msg.history`, plain JSON; an empty object at the start of an import. */
export interface HistoryState {
  /** MAC address or number; null at the start, like the next two. */
  readonly monitor: string | null;
  /** The last day, such as `2026-10-25`. */
  readonly day: string | null;
  /** Epoch ms, the first moment after that day. */
  readonly until: number | null;
  /** Field → base, which is subtracted from its readings. */
  readonly base: Numbers;
  /** Field → the highest sum so far; for costs the last one. */
  readonly sum: Numbers;
  /** Field → the last reading. */
  readonly reading: Numbers;
}

/**
 * Null if the message has none.
 * @throws {CemmError} INPUT: `not_numbers`
 */
export function readHistory(value: unknown): HistoryState | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object') throw new CemmError('INPUT', { reason: 'not_numbers', params: { name: 'history' } });
  const numbers = (name: 'base' | 'sum' | 'reading'): Numbers =>
    readNumbers(`history.${name}`, Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined);
  return {
    monitor: null,
    day: null,
    until: null,
    base: numbers('base'),
    sum: numbers('sum'),
    reading: numbers('reading'),
  };
}

/** The base on this day; null: the field has no rows. */
export function baseOfDay(payload: BalancePayload, field: string, { base, sum, reading }: HistoryState): number | null {
  const { start, end, counted } = readCounterEnds(payload, field);
  const [known, soFar] = [base[field] ?? null, sum[field] ?? 0];
  if (start === null) {
    if (end !== null) {
      // The day of installation is counted back from its end. A monitor may answer 0 for a time before its installation.
      const isReadAtEnd = end > 0 && endsWithDay(payload);
      return known ?? (counted === null || !isReadAtEnd ? null : end - counted - soFar);
    }
    // Costs, and fields without readings, are sums of amounts.
    return (reading[field] ?? null) === null ? -soFar : null;
  }
  const isFirst = known === null;
  const isExchanged = start < (reading[field] ?? -Infinity) - mostDifference * 10;
  return isFirst || isExchanged ? start - soFar : known;
}

export interface DayOfField {
  readonly field: string;
  readonly base: number;
  /** The sum of the last row; null without rows. */
  readonly last: number | null;
}

export function afterDay(
  payload: BalancePayload,
  monitor: string,
  state: HistoryState,
  days: readonly DayOfField[],
): HistoryState {
  const [base, sum, reading] = [{ ...state.base }, { ...state.sum }, { ...state.reading }];
  for (const { field, base: used, last } of days) {
    const { start, end, counted } = readCounterEnds(payload, field);
    if (last !== null) sum[field] = field === 'cost' ? last : Math.max(last, sum[field] ?? -Infinity);
    const shown = end ?? start;
    if (shown === null) continue;
    reading[field] = shown;
    const change = start === null || end === null || counted === null ? 0 : end - start - counted;
    base[field] = Math.abs(change) > mostDifference ? used + change : used;
  }
  const { label = null, end: until = null } = payload.period ?? {};
  return { monitor, day: label, until, base, sum, reading };
}

function readCounterEnds({ counters, values }: BalancePayload, field: string) {
  const { start = null, end = null } = counters[field] ?? {};
  return { start: start?.[1] ?? null, end: end?.[1] ?? null, counted: values[field] ?? null };
}
