/**
 * Validates a payload of a flow, which may have changed it. Checks every property that the formats read, so that a mistake
 * is reported and does not end up as a wrong value in a database.
 */
import { CemmError } from '../errors';
import type { Payload, PayloadKind } from '../model/payload';

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isText: Check = (value) => typeof value === 'string';
/** A moment that `Date` can hold. */
const isMoment: Check = (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15;

const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.some((word) => word === value);
const list =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const record =
  (check: Check): Check =>
  (value) =>
    isFields(value) && Object.values(value).every(check);
const shape =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isFields(value) && Object.entries(checks).every(([name, check]) => check(value[name]));

const monitor = shape({
  id: orNull(isText),
  cemm: orAbsent(isNumber),
  name: orAbsent(isText),
  host: orAbsent(isText),
  type: orAbsent(isText),
  version: orAbsent(isText),
});
const meter = shape({ alias: orAbsent(isText), key: orAbsent(isText), label: orAbsent(isText) });
const point: Check = (value) => isFields(value) && isMoment(value['ts']) && record(orNull(isNumber))(value);
const reading = shape({
  meter: isText,
  meterLabel: orAbsent(isText),
  topic: isText,
  field: isText,
  value: orNull(isNumber),
  unit: orNull(isText),
  ts: orNull(isMoment),
  window: orAbsent(shape({ start: isMoment, end: isMoment })),
  missing: orAbsent(isText),
});
const readings = { meter, values: record(orNull(isNumber)), times: record(isMoment) };

/** Epoch ms and value. */
const readingAt: Check = (value) => list(isNumber)(value) && Array.isArray(value) && value.length === 2;

const balance = {
  installation: orAbsent(isText),
  period: orAbsent(
    shape({
      unit: oneOf('day', 'month', 'year'),
      label: isText,
      start: isMoment,
      end: isMoment,
      step: oneOf('PT15M', 'PT1H', 'P1D', 'P1M'),
    }),
  ),
  values: record(orNull(isNumber)),
  points: orAbsent(list(point)),
  peak: orNull(shape({ power_w: orNull(isNumber), expected_w: orAbsent(orNull(isNumber)) })),
  cost: orAbsent(
    shape({
      currency: isText,
      ...Object.fromEntries(
        ['import', 'export', 'gas', 'water', 'fixed', 'total', 'netted'].map((part) => [part, orNull(isNumber)]),
      ),
    }),
  ),
  source: shape({ fetchedAt: isMoment }),
  counters: record(shape({ start: orNull(readingAt), end: orNull(readingAt) })),
  estimated: list(isMoment),
  estimatedFields: orAbsent(record(list(isMoment))),
};

// A flow may leave out where a payload comes from.
const source = orAbsent(shape({ fetchedAt: orAbsent(isMoment), latencyMs: orAbsent(isNumber) }));

const common = { id: isText, ts: isMoment, monitor, source };
const kinds: Readonly<Record<PayloadKind, Readonly<Record<string, Check>>>> = {
  realtime: readings,
  totals: { ...readings, period: shape({ final: (value) => typeof value === 'boolean' }) },
  series: {
    meter,
    period: shape({ unit: isText, label: isText, start: isMoment, step: orNull(isText) }),
    fields: record(shape({ unit: orNull(isText) })),
    points: list(point),
  },
  webhook: {
    installation: orAbsent(isText),
    readings: list(reading),
    points: orAbsent(list(point)),
    meter: orAbsent(meter),
    delivery: orAbsent(shape({ ageMs: orAbsent(orNull(isNumber)) })),
  },
  monitor: {},
  meter: { meter },
  availability: { meter: orAbsent(meter), state: oneOf('online', 'offline', 'stale'), since: isMoment },
  balance,
  problem: { installation: orAbsent(isText), reason: isText, count: isNumber },
};

/** @throws {CemmError} INPUT: `not_a_payload`, `other_version` */
export function readPayload(value: unknown): Payload {
  if (!isFields(value) || typeof value['schema'] !== 'string') throw wrong('payload');
  const { schema } = value;
  if (schema !== 'cemm/1')
    throw new CemmError('INPUT', { reason: 'other_version', params: { version: schema.slice(0, 20) } });
  if (!isPayload(value)) throw wrong(flawOf(value) ?? 'payload');
  return value;
}

/** One payload or a list of them. @throws {CemmError} as readPayload */
export function readPayloads(value: unknown): Payload[] {
  return Array.isArray(value) ? value.map(readPayload) : [readPayload(value)];
}

/**
 * A property of a message that has a number per field, such as `msg.base`; absent is empty.
 * @throws {CemmError} INPUT: `not_numbers`
 */
export function readNumbers(name: string, value: unknown): Readonly<Record<string, number | null>> {
  if (value === undefined || value === null) return {};
  if (isNumbers(value)) return value;
  throw new CemmError('INPUT', { reason: 'not_numbers', params: { name } });
}

function isNumbers(value: unknown): value is Readonly<Record<string, number | null>> {
  return record(orNull(isNumber))(value);
}

function isPayload(value: unknown): value is Payload {
  return isFields(value) && flawOf(value) === null;
}

/** The first invalid property; null if all are valid. */
function flawOf(payload: Fields): string | null {
  const { kind } = payload;
  const checks = typeof kind === 'string' && isKind(kind) ? kinds[kind] : null;
  if (checks === null) return 'kind';
  const flaw = Object.entries({ ...common, ...checks }).find(([name, check]) => !check(payload[name]));
  return flaw?.[0] ?? null;
}

function isKind(word: string): word is PayloadKind {
  return Object.hasOwn(kinds, word);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(path: string): CemmError {
  return new CemmError('INPUT', { reason: 'not_a_payload', params: { path } });
}
