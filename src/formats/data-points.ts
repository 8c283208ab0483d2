/** Converts a payload of any kind to a list of single values. All formats use this list, so their names, times and units agree. */
import { CemmError } from '../errors';
import { meterName, findOrigin } from '../model/identity';
import type { Step } from '../calendar/slots';
import type {
  BalanceCost,
  BalanceDevice,
  BalancePayload,
  BalanceStep,
  MeterInfo,
  Payload,
  BalancePeriodInfo,
  SeriesPoint,
  Values,
  WebhookPayload,
  WebhookReading,
} from '../model/payload';
import { isCurrentTopic } from '../model/webhook-topics';
import { findFieldKind, kinds, unitOfField } from '../model/fields';

export interface DataPoint {
  /** The moment of the value, Unix ms; the start of a slot or window. */
  readonly ts: number;
  /** Alias or key of the meter; null for a value of the monitor. */
  readonly meter: string | null;
  readonly field: string;
  readonly value: number | null;
  readonly unit: string | null;
  /** The webhook topic of a value with a window (`this/day`, `last/15minutes`); null for all others. */
  readonly topic: string | null;
}

/** Step of the points of a series or a balance, or the length of the period for a sum of a balance. */
type DataPointStep = Step | BalanceStep | 'P1W' | 'P1Y' | 'range';

export interface DataPoints {
  /** Kind of the values: the reading of a counter and the amount of a slot in a series have the same field name. */
  readonly about: 'reading' | 'series' | 'balance' | 'availability' | 'problem';
  /** MAC address, installation or number of the monitor; null if none is known. */
  readonly monitor: string | null;
  /** Length of the slots of a series or of the steps of a balance, if known. */
  readonly step: DataPointStep | null;
  readonly all: readonly DataPoint[];
}

/**
 * @throws {CemmError} UNSUPPORTED: `nothing_measured` (kinds monitor and meter), `unknown_delivery` (a delivery without any
 *   known value)
 */
export function dataPointsOf(payload: Payload): DataPoints {
  const monitor = findOrigin(payload);
  const reading = (all: readonly DataPoint[]): DataPoints => ({ about: 'reading', monitor, step: null, all });
  switch (payload.kind) {
    case 'realtime':
    case 'totals':
      return reading(ofValues(payload));
    case 'series': {
      const units = Object.entries(payload.fields).map(([field, { unit }]) => [field, unit] as const);
      const all = ofPoints(payload.points, meterName(payload.meter), new Map(units));
      return { about: 'series', monitor, step: payload.period.step, all };
    }
    case 'webhook': {
      if (isUnknown(payload)) throw new CemmError('UNSUPPORTED', { reason: 'unknown_delivery' });
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
      const online = ofHouse(payload.since, 'online', payload.state === 'online' ? 1 : 0);
      return { about: 'availability', monitor, step: null, all: [{ ...online, meter }] };
    }
    case 'problem': {
      const problem = ofHouse(payload.ts, `problem_${payload.reason}`, payload.count);
      return { about: 'problem', monitor, step: null, all: [problem] };
    }
    case 'balance':
      return { about: 'balance', monitor, ...(pointsOfHouse(payload) ?? sumsOfHouse(payload)) };
    case 'monitor':
    case 'meter':
      throw new CemmError('UNSUPPORTED', { reason: 'nothing_measured', params: { kind: payload.kind } });
  }
}

/**
 * For a destination that stores the step of each value: includes the sums of a period of a balance, whose step differs from that
 * of its points.
 * @throws {CemmError} as dataPointsOf
 */
export function everyDataPointsOf(payload: Payload): readonly [DataPoints, ...DataPoints[]] {
  const dataPoints = dataPointsOf(payload);
  if (payload.kind !== 'balance' || payload.period === undefined) return [dataPoints];
  return [dataPoints, { ...dataPoints, ...sumsOfHouse(payload) }];
}

/** The field; for a value with a window its topic and the field (`this_day_energy_import_kwh`). */
export function dataPointName({ field, topic }: Pick<DataPoint, 'field' | 'topic'>): string {
  return topic === null ? field : `${topic.replaceAll('/', '_')}_${field}`;
}

/**
 * The monitor of a payload, for a destination that stores the values of several monitors.
 * @throws {CemmError} INPUT: `no_monitor`
 */
export function requiredOrigin({ monitor }: DataPoints): string {
  if (monitor === null) throw new CemmError('INPUT', { reason: 'no_monitor' });
  return monitor;
}

/** The time of a value, at most that of the response, because the clock of the monitor may be ahead. */
export function measuredAt(payload: Payload, ts: number): number {
  const source: unknown = payload.source;
  const fetchedAt: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, 'fetchedAt') : null;
  return typeof fetchedAt === 'number' ? Math.min(ts, fetchedAt) : ts;
}

/** True if no part of the body is known. A body with some unknown parts has `raw`, too. */
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

const lengths: Readonly<Record<BalancePeriodInfo['unit'], DataPointStep>> = {
  day: 'P1D',
  week: 'P1W',
  month: 'P1M',
  year: 'P1Y',
  range: 'range',
};

/** Values of the house have no meter, those of a device have its meter. Sums and points have the same field names but different steps. */
export interface HouseDataPoints {
  /** Null for the current balance. */
  readonly step: DataPointStep | null;
  readonly all: readonly DataPoint[];
}

/** The current balance, or the sums of the period with cost and peak at its start. */
export function sumsOfHouse({ ts, period, values, devices = [], cost, peak }: BalancePayload): HouseDataPoints {
  const sums = Object.entries(values).map(([field, value]) => ofHouse(ts, field, value));
  const peaks: DataPoint[] = [];
  if (peak !== null && period !== undefined) peaks.push(ofHouse(ts, 'peak_power_w', peak.power_w));
  if (peak !== null && peak.expected_w !== undefined) peaks.push(ofHouse(ts, 'peak_expected_w', peak.expected_w));
  return {
    step: period === undefined ? null : lengths[period.unit],
    all: [
      ...sums,
      ...peaks,
      ...(cost === undefined ? [] : costsOfHouse(ts, cost)),
      ...devices.flatMap((device) => ofDevice(ts, device, cost?.currency)),
    ],
  };
}

/** The points of the period; null for the current balance. */
export function pointsOfHouse({ period, points, cost }: BalancePayload): HouseDataPoints | null {
  if (period === undefined) return null;
  const all = (points ?? []).flatMap(({ ts, devices = {}, ...values }) => [
    ...Object.entries(values).flatMap(([field, value]) =>
      // The end of a price is a time.
      field === 'end' ? [] : [ofHouse(ts, field, value, cost?.currency)],
    ),
    ...Object.entries(devices).map(([meter, value]) => ({ ...ofHouse(ts, 'energy_kwh', value), meter })),
  ]);
  return { step: period.step, all };
}

/** `cost` is the total, as in the points. */
function costsOfHouse(ts: number, cost: BalanceCost): DataPoint[] {
  const { currency, total, netted, fixed, gas, water } = cost;
  // A payload that a flow stored before may lack them.
  const added: Partial<Pick<BalanceCost, 'export_fee' | 'peak' | 'per_kwh'>> = cost;
  const parts = {
    cost: total,
    cost_import: cost.import,
    cost_export: cost.export,
    ...(added.export_fee !== undefined && { cost_export_fee: added.export_fee }),
    cost_gas: gas,
    cost_water: water,
    cost_fixed: fixed,
    ...(added.peak !== undefined && { cost_peak: added.peak }),
    cost_netted: netted,
    ...(added.per_kwh !== undefined && { cost_per_kwh: added.per_kwh }),
  };
  return Object.entries(parts).map(([field, value]) => ofHouse(ts, field, value, currency));
}

/** The numbers of a device have its meter. */
function ofDevice(ts: number, device: BalanceDevice, currency: string | undefined): DataPoint[] {
  return (['power_w', 'energy_kwh', 'cost', 'from_sun'] as const).flatMap((field): DataPoint[] => {
    const value = device[field];
    return value === undefined ? [] : [{ ...ofHouse(ts, field, value, currency), meter: device.meter }];
  });
}

function ofHouse(ts: number, field: string, value: number | null, currency: string | null = null): DataPoint {
  const unit = findFieldKind(field) === 'cost' ? currency : unitOfField(field);
  return { ts, meter: null, field, value, unit, topic: null };
}

const unitSpellings: ReadonlyMap<string, string> = new Map([
  ...[...Object.values(kinds).flatMap(({ unit }) => unit ?? []), 'L', 'kW', 'Wh'].map(
    (unit) => [unit.toLowerCase(), unit] as const,
  ),
  ['m3', 'm³'],
  ['lpm', 'L/min'],
]);

/** The unit of a monitor in the spelling of this package. An unknown unit is kept. */
function unitSpelling(unit: string | null): string | null {
  if (unit === null || unit.trim() === '') return null;
  return unitSpellings.get(unit.trim().toLowerCase()) ?? unit.trim();
}
