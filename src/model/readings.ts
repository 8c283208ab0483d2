/** Measurements by channel → readings by field, with sums: what realtime and totals payloads have in common. */
import type { Measurement, Measurements } from '../wire/answers';
import { derivedFrom, derivedPowers } from './derived-power';
import { fieldsOf, isLive } from './fields';
import type { MissingReason, Role, Values } from './payload';
import { NET_ENERGIES, TARIFF_SUMS } from './sums';

/** A value with its time (null where the monitor gives none), or the reason why there is none. */
type Reading =
  { readonly value: number; readonly time: number | null } | { readonly value: null; readonly why: MissingReason };

type Readings = Map<string, Reading>;

export interface ReadingParts {
  readonly values: Values;
  readonly times: Record<string, number>;
  readonly missing: Record<string, MissingReason>;
}

/** What decides the fields of an answer. */
export interface ReadingMeter {
  readonly role: Role | null;
  /** It counts without tariffs: see sums.ts. */
  readonly isSingleCounter: boolean;
}

/** Fields, sums and derived powers of one answer, told relative to the moment `ts`. */
export function readingParts(
  measurements: Measurements,
  { role, isSingleCounter }: ReadingMeter,
  ts: number,
): ReadingParts {
  const readings = readingsOf(measurements, role);
  addDerivedPowers(readings, role);
  addTariffSums(readings, isSingleCounter);
  addNetEnergies(readings);
  const parts: ReadingParts = { values: {}, times: {}, missing: {} };
  for (const [field, reading] of readings) {
    parts.values[field] = reading.value;
    if (reading.value === null) parts.missing[field] = reading.why;
    else if (reading.time !== null && reading.time !== ts) parts.times[field] = reading.time;
  }
  return parts;
}

/**
 * The moment that an answer is about: the newest time among what is measured now (power, flow, voltage), so that a gas
 * reading that lags by up to an hour, or registers read some seconds later, show in `times`. Where nothing of that kind
 * has a time (a gas meter, a water meter that gives only its reading), the newest time of all. Null when there is none.
 */
export function momentOf(measurements: Measurements): number | null {
  let live: number | null = null;
  let any: number | null = null;
  for (const [channel, { time, value }] of measurements) {
    if (time === null || value === null) continue;
    if (any === null || time > any) any = time;
    if (isLive(channel) && (live === null || time > live)) live = time;
  }
  return live ?? any;
}

function readingsOf(measurements: Measurements, role: Role | null): Readings {
  const fields = fieldsOf(measurements.keys(), role, () => 'reading');
  const readings: Readings = new Map();
  for (const [channel, field] of fields) readings.set(field.name, readingOf(measurements.get(channel)));
  return readings;
}

function readingOf(measurement: Measurement | undefined): Reading {
  if (measurement === undefined) return { value: null, why: 'not_offered' };
  const { time, value, flaw } = measurement;
  if (value === null) return { value: null, why: flaw ?? 'no_recent_value' };
  // Adding 0 turns -0 into 0.
  return { value: value + 0, time };
}

function addDerivedPowers(readings: Readings, role: Role | null): void {
  const power = readings.get('power_w');
  if (power === undefined) return;
  for (const derived of derivedPowers(role)) {
    const { field } = derived;
    if (hasValue(readings.get(field))) continue;
    readings.set(field, power.value === null ? power : { value: derivedFrom(power.value, derived), time: power.time });
  }
}

function addTariffSums(readings: Readings, isSingleCounter: boolean): void {
  for (const { field, parts } of TARIFF_SUMS) {
    if (readings.has(field) || !parts.some((part) => readings.has(part))) continue;
    for (const part of parts) if (!readings.has(part)) readings.set(part, { value: null, why: 'not_offered' });
    const [low, high] = [readings.get(parts[0]), readings.get(parts[1])];
    readings.set(field, isSingleCounter && hasValue(low) ? low : combine(low, high, (a, b) => a + b));
  }
}

function addNetEnergies(readings: Readings): void {
  for (const { field, plus, minus } of NET_ENERGIES) {
    const [given, taken] = [readings.get(plus), readings.get(minus)];
    if (given === undefined || taken === undefined || hasValue(readings.get(field))) continue;
    readings.set(
      field,
      combine(given, taken, (a, b) => a - b),
    );
  }
}

/** The later of both times: that is when the result last changed. */
function combine(a: Reading | undefined, b: Reading | undefined, how: (a: number, b: number) => number): Reading {
  if (!hasValue(a) || !hasValue(b)) return { value: null, why: 'incomplete_sum' };
  return { value: how(a.value, b.value) + 0, time: later(a.time, b.time) };
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function hasValue(reading: Reading | undefined): reading is Extract<Reading, { value: number }> {
  return reading !== undefined && reading.value !== null;
}
