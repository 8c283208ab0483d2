/** Readings by payload field, before a meter has a role, and the counters that they are in a role. */
import type { RealtimePayload, TotalsPayload, Values, WebhookReading } from '../../model/payload';
import { type Amount, isExact, toAmount, type BalanceRole, perKwh, perM3, toUnits } from './amounts';
import { deliveredValues } from './delivered-values';
import { type CounterReading, countersIn, withoutEmptyTariff } from './readings';

export interface FieldReading {
  readonly field: string;
  readonly ts: number;
  readonly amount: Amount;
}

/** True for a field of an energy or a volume. */
export function isCountedField(field: string): boolean {
  return field.endsWith('_kwh') || isVolume(field);
}

export function isVolume(field: string): boolean {
  return field.endsWith('_m3');
}

/** A counter that rises and falls as this field can. */
export function counterLike(field: string): 'import' | 'production' | 'gas' {
  return isVolume(field) ? 'gas' : field.startsWith('energy_net') ? 'production' : 'import';
}

/** Parts of one kWh or one m³. */
export function unitOfField(field: string): number {
  return isVolume(field) ? perM3 : perKwh;
}

export function fieldReadings(payload: RealtimePayload | TotalsPayload): FieldReading[] {
  // A smart meter has both tariffs.
  const { values, times } = payload.meter.role === 'grid' ? payload : withoutEmptyTariff(payload);
  return Object.entries(values).flatMap(([field, value]) =>
    value === null || !isCountedField(field) ? [] : makeFieldReading(field, times[field] ?? payload.ts, value),
  );
}

/** The readings of one meter of a delivery: topic `reading`. */
export function deliveredFieldReadings(readings: readonly WebhookReading[], deliveredAt: number): FieldReading[] {
  const read = [...(deliveredValues(readings).get('reading')?.values() ?? [])];
  return read.flatMap(({ field, value, ts }) =>
    isCountedField(field) ? makeFieldReading(field, ts ?? deliveredAt, value) : [],
  );
}

/**
 * The counters of a role in readings of one border.
 * @param offers the fields that the meter has: one of them without a reading is missing
 */
export function countersAt(
  readings: Readonly<Record<string, readonly [ts: number, amount: Amount]>>,
  offers: readonly string[],
  role: BalanceRole,
): CounterReading[] {
  const values: Values = Object.fromEntries(offers.map((field) => [field, null]));
  for (const [field, [, amount]] of Object.entries(readings)) values[field] = toUnits(amount, unitOfField(field));
  return countersIn(values, role, (field) => readings[field]?.[0] ?? NaN);
}

/** None of a value that no meter can show. */
function makeFieldReading(field: string, ts: number, value: number): FieldReading[] {
  const amount = toAmount(value, unitOfField(field));
  return isExact(amount) ? [{ field, ts, amount }] : [];
}
