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

const monitor = shape({
  id: orNull(isText),
  cemm: orAbsent(isNumber),
  name: orAbsent(isText),
  host: orAbsent(isText),
  type: orAbsent(isText),
  version: orAbsent(isText),
});
const meter = shape({
  alias: orAbsent(isText),
  key: orAbsent(isText),
  label: orAbsent(isText),
  name: orAbsent(isText),
});
const point: Check = (value) => isRecord(value) && isMoment(value['ts']) && each(orNull(isNumber))(value);
const byMeter = each(orNull(isNumber));
/** A point of a house also has the energy of each device. */
const pointOfHouse: Check = (value) => {
  if (!isRecord(value)) return false;
  const { devices, ...fields } = value;
  return point(fields) && (devices === undefined || byMeter(devices));
};
const device = shape({
  meter: isText,
  name: isText,
  power_w: orAbsent(orNull(isNumber)),
  energy_kwh: orAbsent(orNull(isNumber)),
  from_sun: orAbsent(orNull(isNumber)),
  cost: orAbsent(orNull(isNumber)),
});
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
const delivered = shape({
  name: orAbsent(isText),
  role: orAbsent(oneOf('grid', 'production', 'consumption', 'battery', 'gas', 'water')),
});
const readings = { meter, values: each(orNull(isNumber)), times: each(isMoment) };

const balance = {
  installation: orAbsent(isText),
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
  values: each(orNull(isNumber)),
  points: orAbsent(list(pointOfHouse)),
  devices: orAbsent(list(device)),
  peak: orNull(
    shape({
      power_w: orNull(isNumber),
      expected_w: orAbsent(orNull(isNumber)),
      month_w: orAbsent(orNull(isNumber)),
      room_w: orAbsent(orNull(isNumber)),
    }),
  ),
  cost: orAbsent(
    shape({
      currency: isText,
      ...Object.fromEntries(
        ['import', 'export', 'gas', 'water', 'fixed', 'total', 'netted'].map((part) => [part, orNull(isNumber)]),
      ),
      // A payload that a flow stored before these parts existed.
      ...Object.fromEntries(['export_fee', 'peak'].map((part) => [part, orAbsent(orNull(isNumber))])),
    }),
  ),
  hours: orAbsent(each(list(orNull(isNumber)))),
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
    installation: orAbsent(isText),
    readings: list(reading),
    meters: orAbsent(each(delivered)),
    points: orAbsent(list(point)),
    delivery: orAbsent(shape({ ageMs: orAbsent(orNull(isNumber)) })),
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
  problem: { installation: orAbsent(isText), reason: isText, count: isNumber },
};

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
  return each(orNull(isNumber))(value);
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
