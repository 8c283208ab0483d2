/**
 * Normalizes a realtime response: the payload of kind `realtime` (`docs/payload.md`). A local monitor often sends `totals`
 * beside `data`: meter readings with times of their own. They take precedence over the meter readings in `data`.
 */
import type { Measurement, Measurements, RealtimeResponse, TotalsResponse } from '../protocol/responses';
import { derivedFrom, derivedPowers, hasTwoTariffs, netEnergies, tariffSums } from './derived-fields';
import { assignFields, isLive, isMeterReading } from './channel-fields';
import { minuteMs } from '../time/units';
import type { MeterPayloadInput } from './monitor-payloads';
import type { MissingReason, RealtimePayload, Role } from './payload';
import { idOf, payloadHead, meterName } from './identity';

/** Answer of an Open API about a meter. */
export interface AnswerInput extends MeterPayloadInput {
  /** The meter has no second tariff (see `tariffSums` in `fields.ts`). Default: as this response shows. */
  readonly isSingleCounter?: boolean;
}

export interface RealtimeInput extends AnswerInput {
  readonly response: RealtimeResponse;
}

/**
 * The payload of kind `realtime`. `ts` is the newest time of a current value (power, flow, voltage), or else of a meter
 * reading, or else the time of the response. If no channel has a value, `id` ends in `none`.
 */
export function normalizeRealtime(input: RealtimeInput): RealtimePayload {
  const { response, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, channelsOffered(response));
  const measurements = mergeTotals(response);
  const moment = findNewestTime(measurements);
  const ts = moment ?? source.fetchedAt;
  const hasValue = [...measurements.values()].some(({ value }) => value !== null);
  return {
    ...payloadHead('realtime', idOf('rt', monitor, meterName(meter), hasValue ? ts : 'none'), ts, monitor),
    meter: { ...meter },
    ...readingParts(measurements, { role: meter.role, isSingleCounter }, ts),
    source: { ...source },
  };
}

/**
 * Low and high tariff of one counter. `data` of a meter with a single counter has the whole counter in t1 and nothing in t2,
 * while its `totals` has both parts, so both values of a pair must come from the same member.
 */
const tariffPairs: readonly (readonly [string, string])[] = [
  ['t1', 't2'],
  ['t3', 't4'],
  ['electric_energy', 'electric_energy_high'],
];

/** One measurement per channel, from `data` or `totals`. */
function mergeTotals({ data, totals }: RealtimeResponse): Measurements {
  if (totals === null) return data;
  const merged = new Map<string, Measurement>(data);
  for (const [channel, measurement] of totals) {
    const measured = data.get(channel);
    const [ofTotals, ofData] = [completeness(measurement), completeness(measured)];
    // A meter reading in `totals` replaces even a newer one in `data`. Other values only fill gaps.
    const replaces = isMeterReading(channel) ? ofTotals > 0 && ofTotals >= ofData : ofTotals > ofData;
    if (measured === undefined || replaces) merged.set(channel, measurement);
  }
  for (const pair of tariffPairs) keepTogether(pair, data, totals, merged);
  return merged;
}

/** Channels of both members, with or without a value. */
export function channelsOffered({ data, totals }: RealtimeResponse): string[] {
  return [...data.keys(), ...(totals?.keys() ?? [])];
}

/** The meter readings of a realtime response, as totals of the current day. The local Open API has no `totals` endpoint. */
export function readingsOfNow(response: RealtimeResponse): TotalsResponse {
  const data = new Map([...mergeTotals(response)].filter(([channel]) => isMeterReading(channel)));
  return { ioId: response.ioId, time: null, data };
}

/** Removes the value of `data` from a pair that only `totals` has in two parts. */
function keepTogether(
  pair: readonly [string, string],
  data: Measurements,
  totals: Measurements,
  merged: Map<string, Measurement>,
): void {
  const totalsSplit = pair.some((channel) => hasReading(totals.get(channel)));
  const dataSplit = pair.every((channel) => hasReading(data.get(channel)));
  if (!totalsSplit || dataSplit) return;
  for (const channel of pair) {
    const own = totals.get(channel);
    if (hasReading(own)) continue;
    if (own !== undefined) merged.set(channel, own);
    else if (hasReading(data.get(channel))) merged.delete(channel);
  }
}

function hasReading(measurement: Measurement | undefined): boolean {
  return completeness(measurement) > 0;
}

/** 0: no value; 1: a value without a time; 2: a value with a time. */
function completeness(measurement: Measurement | undefined): 0 | 1 | 2 {
  if (measurement === undefined || measurement.value === null) return 0;
  return measurement.time === null ? 1 : 2;
}

/** A value with its time (null if the monitor sends none), or the reason why there is no value. */
type Reading =
  { readonly value: number; readonly time: number | null } | { readonly value: null; readonly why: MissingReason };

type Readings = Map<string, Reading>;

type ReadingParts = Pick<RealtimePayload, 'values' | 'times' | 'missing'>;

interface ReadingMeter {
  readonly role: Role | null;
  /** It has no second tariff. */
  readonly isSingleCounter: boolean;
}

/** `values`, `times` and `missing` of a payload of kind `realtime` or `totals`, with sums and derived powers. */
export function readingParts(
  measurements: Measurements,
  { role, isSingleCounter }: ReadingMeter,
  ts: number,
): ReadingParts {
  const readings = assignReadings(measurements, role);
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
 * The newest time of a current value (power, flow, voltage), so that a gas reading, which can be an hour older, gets its own
 * entry in `times`. If no current value has a time (a gas meter), the newest time of all; null if there is none.
 */
export function findNewestTime(measurements: Measurements): number | null {
  let live: number | null = null;
  let any: number | null = null;
  for (const [channel, { time, value }] of measurements) {
    if (time === null || value === null) continue;
    if (any === null || time > any) any = time;
    if (isLive(channel) && (live === null || time > live)) live = time;
  }
  return live ?? any;
}

function assignReadings(measurements: Measurements, role: Role | null): Readings {
  const fields = assignFields(measurements.keys(), role, () => 'reading');
  return new Map([...fields].map(([channel, { name }]) => [name, readingOf(measurements.get(channel))]));
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
  for (const { field, parts } of tariffSums) {
    if (readings.has(field) || !parts.some((part) => readings.has(part))) continue;
    for (const part of parts) if (!readings.has(part)) readings.set(part, { value: null, why: 'not_offered' });
    const [low, high] = [readings.get(parts[0]), readings.get(parts[1])];
    readings.set(field, isSingleCounter && hasValue(low) ? low : combine(low, high, 1));
  }
}

function addNetEnergies(readings: Readings): void {
  for (const { field, plus, minus } of netEnergies) {
    const [given, taken] = [readings.get(plus), readings.get(minus)];
    if (given === undefined || taken === undefined || hasValue(readings.get(field))) continue;
    readings.set(field, combine(given, taken, -1));
  }
}

/** The sum, or the difference. The time of the result is the later one of both. */
function combine(a: Reading | undefined, b: Reading | undefined, sign: 1 | -1): Reading {
  if (!hasValue(a) || !hasValue(b)) return { value: null, why: 'incomplete_sum' };
  return { value: a.value + sign * b.value + 0, time: later(a.time, b.time) };
}

function later(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function hasValue(reading: Reading | undefined): reading is Extract<Reading, { value: number }> {
  return reading !== undefined && reading.value !== null;
}

const longestIntervalMs = 15 * minuteMs;

/** A power with an older time of its own is not current. */
export function oldAfterMs(intervalMs: number): number {
  return Math.max(minuteMs, 3 * Math.min(intervalMs, longestIntervalMs));
}
