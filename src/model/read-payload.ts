/**
 * Validates a payload of a flow. Every property that the formats read is checked, because a mistake in the flow would become a
 * wrong value in a database.
 */
import { isTimezone } from '../calendar/zone';
import { CemmError } from '../errors';
import { isRecord, type UnknownRecord } from '../checks/record';
import {
  type Check,
  each,
  isNumber,
  isPair,
  isText,
  list,
  oneOf,
  oneOfAll,
  orAbsent,
  orNull,
  shape,
} from '../checks/shape';
import type { BalancePeriodInfo, BalanceStep, Payload, PayloadKind, Values } from './payload';

/** A moment that `Date` can hold. */
const isMoment: Check = (value) => typeof value === 'number' && Math.abs(value) <= 8.64e15;

const optionalText = orAbsent(isText);
const numberOrNull = orNull(isNumber);
const optionalNumber = orAbsent(numberOrNull);
const byField = each(numberOrNull);

const monitor = shape({
  id: orNull(isText),
  cemm: orAbsent(isNumber),
  ...checkAll(optionalText, ['name', 'host', 'type', 'version']),
});
const meter = shape(checkAll(optionalText, ['alias', 'key', 'label', 'name']));
const point: Check = (value) => isRecord(value) && isMoment(value['ts']) && byField(value);
/** A point of a house also has the energy of each device. */
const pointOfHouse: Check = (value) => {
  if (!isRecord(value)) return false;
  const { devices, ...fields } = value;
  return point(fields) && (devices === undefined || byField(devices));
};
const device = shape({
  meter: isText,
  name: isText,
  ...checkAll(optionalNumber, ['power_w', 'energy_kwh', 'from_sun', 'cost']),
});
const reading = shape({
  meter: isText,
  meterLabel: optionalText,
  topic: isText,
  field: isText,
  value: numberOrNull,
  unit: orNull(isText),
  ts: orNull(isMoment),
  window: orAbsent(shape({ start: isMoment, end: isMoment })),
  missing: optionalText,
});
const delivered = shape({
  name: optionalText,
  role: orAbsent(oneOf('grid', 'production', 'consumption', 'battery', 'gas', 'water')),
});
const readings = { meter, values: byField, times: each(isMoment) };

const balance = {
  installation: optionalText,
  period: orAbsent(
    shape({
      unit: oneOfAll<BalancePeriodInfo['unit']>({ day: true, week: true, month: true, year: true, range: true }),
      label: isText,
      start: isMoment,
      end: isMoment,
      timezone: isTimezone,
      step: oneOfAll<BalanceStep>({ PT1M: true, PT15M: true, PT1H: true, P1D: true, P1M: true }),
    }),
  ),
  timezone: orAbsent(isTimezone),
  names: orAbsent(each(isText)),
  values: byField,
  points: orAbsent(list(pointOfHouse)),
  devices: orAbsent(list(device)),
  peak: orNull(shape({ power_w: numberOrNull, ...checkAll(optionalNumber, ['expected_w', 'month_w', 'room_w']) })),
  cost: orAbsent(
    shape({
      currency: isText,
      ...checkAll(numberOrNull, ['import', 'export', 'gas', 'water', 'fixed', 'total', 'netted']),
      // A payload that a flow stored before these parts existed.
      ...checkAll(optionalNumber, ['export_fee', 'peak']),
    }),
  ),
  hours: orAbsent(each(list(numberOrNull))),
  progress: orAbsent(shape({ done: isNumber, all: isNumber })),
  source: shape({ fetchedAt: isMoment }),
  counters: each(shape({ start: orNull(isPair), end: orNull(isPair) })),
  estimated: list(isMoment),
  estimatedFields: orAbsent(each(list(isMoment))),
};

// A flow may remove the source of a payload.
const source = orAbsent(shape({ fetchedAt: orAbsent(isMoment), latencyMs: orAbsent(isNumber) }));

const common = { id: isText, ts: isMoment, monitor, meter: orAbsent(meter), source };
const kinds: Readonly<Record<PayloadKind, Readonly<Record<string, Check>>>> = {
  realtime: readings,
  totals: { ...readings, period: shape({ final: (value) => typeof value === 'boolean' }) },
  series: {
    meter,
    period: shape({ unit: isText, label: isText, start: isMoment, timezone: isTimezone, step: orNull(isText) }),
    fields: each(shape({ unit: orNull(isText) })),
    points: list(point),
  },
  webhook: {
    installation: optionalText,
    readings: list(reading),
    meters: orAbsent(each(delivered)),
    points: orAbsent(list(point)),
    delivery: orAbsent(shape({ ageMs: optionalNumber })),
  },
  monitor: {},
  meter: { meter },
  availability: {
    state: oneOf('online', 'offline', 'stale'),
    since: isMoment,
    reason: orNull(isText),
    failures: isNumber,
  },
  balance,
  problem: { installation: optionalText, reason: isText, count: isNumber },
};

/** The same check for several properties. */
function checkAll(check: Check, names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, check]));
}

/** @throws {CemmError} INPUT: `not_a_payload`, `other_version` */
export function readPayload(value: unknown): Payload {
  if (!isRecord(value) || typeof value['schema'] !== 'string') throw notAPayload('payload');
  const { schema } = value;
  if (schema !== 'cemm/1')
    throw new CemmError('INPUT', { reason: 'other_version', params: { version: schema.slice(0, 20) } });
  if (!isPayload(value)) throw notAPayload(wrongProperty(value) ?? 'payload');
  return value;
}

/**
 * One payload or a list of them.
 * @throws {CemmError} as readPayload
 */
export function readPayloads(value: unknown): Payload[] {
  return Array.isArray(value) ? value.map(readPayload) : [readPayload(value)];
}

/**
 * A property of a message that has a number per field, such as `msg.base`; absent is empty.
 * @throws {CemmError} INPUT: `not_numbers`
 */
export function readNumbers(name: string, value: unknown): Values {
  if (value === undefined || value === null) return {};
  if (isNumbers(value)) return value;
  throw new CemmError('INPUT', { reason: 'not_numbers', params: { name } });
}

function isNumbers(value: unknown): value is Values {
  return byField(value);
}

function notAPayload(path: string): CemmError {
  return new CemmError('INPUT', { reason: 'not_a_payload', params: { path } });
}

function isPayload(value: unknown): value is Payload {
  return isRecord(value) && wrongProperty(value) === null;
}

/** The first invalid property; null if all are valid. */
function wrongProperty(payload: UnknownRecord): string | null {
  const { kind } = payload;
  const checks = typeof kind === 'string' && isKind(kind) ? kinds[kind] : null;
  if (checks === null) return 'kind';
  const wrong = Object.entries({ ...common, ...checks }).find(([name, check]) => !check(payload[name]));
  return wrong?.[0] ?? null;
}

function isKind(word: string): word is PayloadKind {
  return Object.hasOwn(kinds, word);
}
