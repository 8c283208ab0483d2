/**
 * A payload of any kind as a list of single values. All formats are made from this list, so they use the same names, times
 * and units.
 */
import type { Step } from '../calendar/slots';
import { meterName, originOf } from '../model/identity';
import type {
  BalancePayload,
  MeterInfo,
  Payload,
  SeriesPoint,
  Values,
  WebhookPayload,
  WebhookReading,
} from '../model/payload';
import { isCurrentTopic } from '../model/webhook-topics';
import { FormatError } from './formatter';

const unitsOfFields: readonly (readonly [RegExp, string])[] = [
  [/^(power(_\w+)?|home_power)_w$/, 'W'],
  [/^(energy_\w+|home_energy)_kwh$/, 'kWh'],
  [/^(gas|water|volume)(_reading)?_m3$/, 'm³'],
  [/^(gas|flow)_lpm$/, 'L/min'],
  [/^voltage(_l[1-3])?_v$/, 'V'],
  [/^price_\w+$/, 'currency/kWh'],
];

/** The unit in the name of a field; null for fields without one (`tariff`) and for names of unknown channels. */
function unitOfField(field: string): string | null {
  return unitsOfFields.find(([pattern]) => pattern.test(field))?.[1] ?? null;
}

const unitSpellings: ReadonlyMap<string, string> = new Map([
  ['m3', 'm³'],
  ['l', 'L'],
  ['l/min', 'L/min'],
  ['lpm', 'L/min'],
  ['w', 'W'],
  ['kw', 'kW'],
  ['wh', 'Wh'],
  ['kwh', 'kWh'],
  ['v', 'V'],
]);

/** The unit of a monitor in the spelling of this package. An unknown unit is kept. */
function unitSpelling(unit: string | null): string | null {
  if (unit === null || unit.trim() === '') return null;
  return unitSpellings.get(unit.trim().toLowerCase()) ?? unit.trim();
}

/** One value of a payload. */
export interface DataPoint {
  /** The moment it is about, Unix ms; the first moment of a slot or window. */
  readonly ts: number;
  /** Alias or key of the meter; null if the value is about the monitor. */
  readonly meter: string | null;
  readonly field: string;
  readonly value: number | null;
  readonly unit: string | null;
  /** The webhook topic of a value with a window (`this/day`, `last/15minutes`); null for all others. */
  readonly topic: string | null;
}

/** All values of a payload. */
export interface DataPoints {
  /** Kind of the values: the reading of a counter and the amount of a slot in a series have the same field name. */
  readonly about: 'reading' | 'series' | 'availability' | 'problem';
  /** MAC address, installation or number of the monitor; null if none is known. */
  readonly monitor: string | null;
  /** Length of the slots of a series, if known. */
  readonly step: Step | null;
  readonly all: readonly DataPoint[];
}

/**
 * @throws {FormatError} UNSUPPORTED: `nothing_measured` (kinds monitor and meter), `unknown_delivery` (a delivery without any
 *   known value)
 */
export function dataPointsOf(payload: Payload): DataPoints {
  const monitor = originOf(payload);
  const reading = (all: readonly DataPoint[]): DataPoints => ({ about: 'reading', monitor, step: null, all });
  switch (payload.kind) {
    case 'realtime':
    case 'totals':
      return reading(ofValues(payload));
    case 'series': {
      const units = Object.entries(payload.fields).map(([field, { unit }]) => [field, unit] as const);
      return {
        about: 'series',
        monitor,
        step: payload.period.step,
        all: ofPoints(payload.points, meterName(payload.meter), new Map(units)),
      };
    }
    case 'webhook': {
      if (isUnknown(payload)) throw FormatError.unsupported('unknown_delivery');
      if (payload.points !== undefined) {
        const meter = payload.meter === undefined ? null : meterName(payload.meter);
        return { about: 'series', monitor, step: null, all: ofPoints(payload.points, meter, new Map()) };
      }
      return reading(
        payload.readings.filter(({ missing }) => missing !== 'topic_not_valid').map(ofReading(payload.ts)),
      );
    }
    case 'availability': {
      const meter = payload.meter === undefined ? null : meterName(payload.meter);
      const value = payload.state === 'online' ? 1 : 0;
      return {
        about: 'availability',
        monitor,
        step: null,
        all: [{ ts: payload.since, meter, field: 'online', value, unit: null, topic: null }],
      };
    }
    case 'problem': {
      const { ts, reason, count } = payload;
      return {
        about: 'problem',
        monitor,
        step: null,
        all: [{ ts, meter: null, field: `problem_${reason}`, value: count, unit: null, topic: null }],
      };
    }
    case 'balance':
      return reading(ofHouse(payload));
    case 'monitor':
    case 'meter':
      throw FormatError.unsupported('nothing_measured', { kind: payload.kind });
  }
}

/** The field, after the topic of a value with a window (`this_day_energy_import_kwh`). */
export function dataPointName({ field, topic }: DataPoint): string {
  return topic === null ? field : `${topic.replaceAll('/', '_')}_${field}`;
}

/**
 * The monitor of a payload, for a destination that stores the values of several monitors.
 * @throws {FormatError} INPUT: `no_monitor`
 */
export function requiredOrigin({ monitor }: DataPoints): string {
  if (monitor === null) throw FormatError.input('no_monitor');
  return monitor;
}

/** No part of the body is known. A body with some unknown parts has `raw`, too. */
function isUnknown({ raw, points, readings }: WebhookPayload): boolean {
  return raw !== undefined && points === undefined && readings.length === 0;
}

function ofValues(payload: {
  ts: number;
  meter: MeterInfo;
  values: Values;
  times: Record<string, number>;
}): DataPoint[] {
  const meter = meterName(payload.meter);
  const times = new Map(Object.entries(payload.times));
  return Object.entries(payload.values).map(([field, value]) => ({
    ts: times.get(field) ?? payload.ts,
    meter,
    field,
    value,
    unit: unitOfField(field),
    topic: null,
  }));
}

/** Of the house as a whole, so of no meter. */
function ofHouse({ ts, values }: BalancePayload): DataPoint[] {
  return Object.entries(values).map(([field, value]) => {
    return { ts, meter: null, field, value, unit: unitOfField(field), topic: null };
  });
}

function ofPoints(points: readonly SeriesPoint[], meter: string | null, units: ReadonlyMap<string, string | null>) {
  return points.flatMap(({ ts, ...values }): DataPoint[] =>
    Object.entries(values).map(([field, value]) => ({
      ts,
      meter,
      field,
      value,
      unit: units.get(field) ?? unitOfField(field),
      topic: null,
    })),
  );
}

function ofReading(delivered: number): (reading: WebhookReading) => DataPoint {
  return ({ meter, topic, field, value, unit, ts, window }) => ({
    ts: window?.start ?? ts ?? delivered,
    meter,
    field,
    value,
    unit: unitSpelling(unit) ?? unitOfField(field),
    topic: isCurrentTopic(topic) ? null : topic,
  });
}
