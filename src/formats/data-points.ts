/** Units: the one that stands in a field's name, and one spelling for each. */
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

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/^(power(_\w+)?|home_power)_w$/, 'W'],
  [/^(energy_\w+|home_energy)_kwh$/, 'kWh'],
  [/^(gas|water|volume)(_reading)?_m3$/, 'm³'],
  [/^(gas|flow)_lpm$/, 'L/min'],
  [/^voltage(_l[1-3])?_v$/, 'V'],
  [/^price_\w+$/, 'currency/kWh'],
];

/** Null for what has none (`tariff`) and for names that are not this package's own. */
function unitOfField(field: string): string | null {
  return ENDINGS.find(([pattern]) => pattern.test(field))?.[1] ?? null;
}

const SPELLINGS: ReadonlyMap<string, string> = new Map([
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

/** A monitor's own word for a unit in the spelling used here; a word that is not known is kept. */
function unitSpelling(unit: string | null): string | null {
  if (unit === null || unit.trim() === '') return null;
  return SPELLINGS.get(unit.trim().toLowerCase()) ?? unit.trim();
}

// A payload of any kind as the single values it holds. All formats are made from these, so that they agree on what a value
// is called, when it was, and which one is left out.

export interface DataPoint {
  /** The moment it is about, epoch ms; of a slot or window its first. */
  readonly ts: number;
  /** Alias or key; null where it is about the monitor as a whole. */
  readonly meter: string | null;
  readonly field: string;
  readonly value: number | null;
  readonly unit: string | null;
  /** The webhook topic of a value that is about a window (`this/day`, `last/15minutes`); null for all others. */
  readonly topic: string | null;
}

export interface DataPoints {
  /** What kind of statement they are: a meter's counter in `reading` and its use per day in `series` share a field name. */
  readonly about: 'reading' | 'series' | 'availability' | 'problem';
  /** Which house it is: MAC, installation or number; null where nothing tells. */
  readonly monitor: string | null;
  /** Of a series, where it is known. */
  readonly step: Step | null;
  readonly all: readonly DataPoint[];
}

/**
 * @throws FormatError UNSUPPORTED `nothing_measured` (kinds monitor and meter), `unknown_delivery` (a webhook body of
 * which nothing was interpreted)
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

/** The field; with the webhook topic before it where that tells what the number means (`this_day_energy_import_kwh`). */
export function dataPointName({ field, topic }: DataPoint): string {
  return topic === null ? field : `${topic.replaceAll('/', '_')}_${field}`;
}

/**
 * The house of a payload, for a destination that keeps the values of many under it: without one, the values of two houses
 * would be one there. @throws FormatError INPUT `no_monitor`
 */
export function requiredOrigin({ monitor }: DataPoints): string {
  if (monitor === null) throw FormatError.input('no_monitor');
  return monitor;
}

/** Nothing of its body was understood; a body of which only a part was not has `raw`, too. */
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
