/** Short forms of responses, and the check of every payload with its schema. */
import Ajv, { type SchemaObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { makeSchemas } from '../../../scripts/build/build-schemas';
import type { MeterInfo, MonitorInfo, Payload, PayloadKind, Role, SourceInfo } from '../../../src/model/payload';
import type { Measurements, RealtimeResponse, SeriesResponse } from '../../../src/protocol/responses';
import { parseMeasurement } from '../../../src/protocol/open-api';
import { millis } from '../../../src/time/units';
import { type Entry, samples } from './samples';

export const MONITOR: MonitorInfo = { id: '001122aabbcc', name: 'Meter cupboard', host: '192.0.2.9' };
export const fetched = Date.UTC(2026, 9, 26, 12);
export const SOURCE: SourceInfo = { transport: 'local', fetchedAt: fetched, latencyMs: 41, requests: 1, promises: 0 };

export function meter(alias: string, role: Role | null): MeterInfo {
  return { alias, role };
}

export function momentOf(iso: string) {
  return millis(Date.parse(iso));
}

/** Like MeasurementArrays in src/protocol: `[0, 0]` and numbers that are not finite have no value. */
export function measurements(pairs: Record<string, readonly [number, number | null]>): Measurements {
  return new Map(Object.entries(pairs).map(([channel, pair]) => [channel, parseMeasurement(pair)]));
}

export function makeRealtimeResponse(
  data: Record<string, readonly [number, number | null]>,
  totals?: Record<string, readonly [number, number | null]>,
): RealtimeResponse {
  return { ioId: 1, data: measurements(data), totals: totals === undefined ? null : measurements(totals) };
}

export function series(channels: Record<string, readonly Entry[]>): SeriesResponse {
  const columns = Object.entries(channels).map(([name, entries]) => [name, samples(entries)] as const);
  return { ioId: 1, time: null, channels: new Map(columns) };
}

let validators: Map<PayloadKind, ValidateFunction> | null = null;

/** Call in a `describe` that uses `valid`: reading the types takes seconds on a busy machine. */
export function withSchemas(): void {
  before(function () {
    this.timeout(120_000);
    validators ??= compileSchemas();
  });
}

/** Throws with the schema's complaints. Returns the payload. */
export function valid<P extends Payload>(payload: P): P {
  const validate = validators?.get(payload.kind);
  if (validate?.(payload) !== true) {
    throw new Error(`${payload.kind} breaks its schema: ${JSON.stringify(validate?.errors ?? 'there is none')}`);
  }
  return payload;
}

function compileSchemas(): Map<PayloadKind, ValidateFunction> {
  const ajv = addFormats(new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }));
  return new Map([...makeSchemas()].map(([kind, schema]) => [kind, ajv.compile(schema as SchemaObject)]));
}
