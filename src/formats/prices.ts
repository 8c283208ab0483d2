/** Format `prices`: the answer to the question for prices, as node-red-contrib-power-saver takes it. */
import { millis } from '../time/units';
import { toLocalTime } from '../calendar/zone';
import { CemmError } from '../errors';
import { topicOf } from '../model/identity';
import type { Payload } from '../model/payload';
import type { Formatted } from './formatted';

/** One slot; per kWh in the currency of the prices. */
export interface PlannedPrice {
  /** ISO 8601 with an offset. */
  readonly start: string;
  /** Exclusive. */
  readonly end: string;
  readonly value: number;
  /** Income per kWh to the grid; null if it is not known. */
  readonly export: number | null;
}

export interface PriceData {
  readonly priceData: readonly PlannedPrice[];
}

/**
 * A slot without a price of import is left out.
 * @throws {CemmError} UNSUPPORTED `no_prices` for another payload
 */
export function plannedPricesOf(payload: Payload): Formatted<PriceData>[] {
  const points = payload.kind === 'balance' ? (payload.points ?? []) : [];
  const zone = payload.kind === 'balance' ? (payload.timezone ?? 'UTC') : 'UTC';
  if (points.length === 0 || !points.every((point) => 'price_import' in point)) {
    throw new CemmError('UNSUPPORTED', { reason: 'no_prices' });
  }
  const priceData = points.flatMap((point): PlannedPrice[] => {
    const { ts, end = null, price_import: value = null, price_export: sells = null } = point;
    if (value === null || end === null) return [];
    return [{ start: isoIn(zone, ts), end: isoIn(zone, end), value, export: sells }];
  });
  return [{ topic: topicOf(payload), payload: { priceData } }];
}

/** Such as `2026-11-24T13:00:00+01:00`. */
function isoIn(zone: string, at: number): string {
  const local = toLocalTime(zone, millis(at));
  const minutes = Math.round((local - at) / 60_000);
  const two = (number: number): string => String(number).padStart(2, '0');
  const size = Math.abs(minutes);
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
  return `${new Date(local).toISOString().slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}${offset}`;
}
