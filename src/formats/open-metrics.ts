/**
 * Format `openmetrics`: the readings of all meters as a page for Prometheus (`docs/prometheus.md`). Every reading keeps its own
 * time, and a meter without a new reading is left out, so that its last value is not drawn as a flat line.
 */
import { getOrSet } from '../checks/get-or-set';
import { CemmError } from '../errors';
import { findOrigin } from '../model/identity';
import { type FieldKind, findFieldKind, kinds, unitOfField } from '../model/fields';
import type { AvailabilityPayload, Payload } from '../model/payload';
import { type ChosenFields, isChosen } from './chosen-fields';
import { type DataPoint, dataPointsOf, measuredAt, requiredOrigin } from './data-points';
import type { Formatted } from './formatted';
import { isCounter, type MeterStart, nextMeterStart } from './meter-start';
import { formatLabels, type MetricFamily, pageOf, type Sample } from './open-metrics-text';
import { titlesIn } from './titles';

/** A meter with an older newest value is left out. Prometheus itself shows a value for 5 minutes. */
const staleMs = 5 * 60_000;
/** Gas is sent every five minutes or every hour. Prometheus refuses values that are much older. */
const oldestMs = 65 * 60_000;

type Description = Omit<MetricFamily, 'samples'>;

const ageOfReading: Description = { type: 'gauge', unit: 'seconds', help: 'Age of the newest value of a meter.' };
const online: Description = { type: 'gauge', unit: null, help: '1 if the meter or monitor answers, else 0.' };

const eventHelp = {
  deliveries_received: 'Accepted deliveries.',
  deliveries_refused: 'Refused requests to a webhook node.',
  deliveries_missed: 'Deliveries that did not arrive.',
  polls_failed: 'Failed requests of reported outages.',
} as const;

/**
 * The page of these payloads. The newer one of two values with the same labels is used; counts are added up.
 * @throws {CemmError} INPUT: `no_monitor`; UNSUPPORTED: `nothing_measured`, `not_current`
 */
type OpenMetrics = (payloads: readonly Payload[], accept: unknown, now: number) => Formatted<string>;

/**
 * Stores the counters of the last page and the starts of its meters: a monitor sends 0 for a moment after a restart, and Prometheus
 * would count the whole counter again.
 */
export function createOpenMetrics(fields: ChosenFields): OpenMetrics {
  let countersBefore: Counters = () => 0;
  let startsBefore: MeterStarts = new Map();
  return (payloads, accept, now) => {
    const collection = new Collection(fields, now, countersBefore, startsBefore);
    for (const payload of payloads) collection.add(payload);
    countersBefore = collection.counters();
    startsBefore = collection.starts;
    const { contentType, text } = pageOf(collection.families, accept);
    return { topic: 'cemm/metrics', payload: text, headers: { 'content-type': contentType } };
  };
}

/** The last known value of a counter; 0 if there is none. */
type Counters = (name: string, labels: string) => number;

/** By the labels of a meter. */
type MeterStarts = ReadonlyMap<string, MeterStart>;

interface KnownDataPoint extends DataPoint {
  readonly value: number;
}

interface Reading extends Sample {
  readonly ts: number;
}

class Collection {
  readonly families = new Map<string, MetricFamily>();
  /** Name and labels of a counter that is not on the page → its last value. */
  private readonly leftOut = new Map<string, number>();
  /** Labels → time of the state. */
  private readonly states = new Map<string, number>();
  readonly starts = new Map<string, MeterStart>();

  constructor(
    private readonly fields: ChosenFields,
    private readonly now: number,
    private readonly countersBefore: Counters,
    private readonly startsBefore: MeterStarts,
  ) {}

  /** Stores this page only. */
  counters(): Counters {
    const { families, leftOut } = this;
    return (name, labels) => leftOut.get(name + labels) ?? families.get(name)?.samples.get(labels)?.value ?? 0;
  }

  add(payload: Payload): void {
    const monitor = findOrigin(payload);
    switch (payload.kind) {
      case 'problem': {
        const { reason, count } = payload;
        if (reason === 'missed') this.count('deliveries_missed', { monitor }, count);
        else this.count('deliveries_refused', { monitor, reason }, count);
        return;
      }
      case 'availability':
        this.availability(payload, monitor);
        return;
      case 'webhook':
        this.count('deliveries_received', { monitor }, countIn(payload));
        // A delivery without readings is a series or has an unknown format.
        if (payload.readings.length > 0) this.readings(payload);
        return;
      case 'series':
        throw new CemmError('UNSUPPORTED', { reason: 'not_current' });
      case 'balance':
        if (payload.period !== undefined) throw new CemmError('UNSUPPORTED', { reason: 'not_current' });
        this.readings(payload);
        return;
      case 'realtime':
      case 'totals':
      case 'monitor':
      case 'meter':
        this.readings(payload);
    }
  }

  private availability({ state, reason, failures, since, meter }: AvailabilityPayload, monitor: string | null): void {
    const source = { monitor, meter: meter?.alias ?? meter?.key ?? null };
    const labels = formatLabels(source);
    // `stale` begins at the last power, which was before the monitor came online.
    if (state === 'stale' || since >= (this.states.get(labels) ?? -Infinity)) {
      this.states.set(labels, since);
      this.getSamples('cemm_online', online).set(labels, { value: state === 'online' ? 1 : 0, ts: null });
    }
    if (state !== 'stale' && reason !== null) this.count('polls_failed', { ...source, code: reason }, failures);
  }

  private readings(payload: Payload): void {
    const dataPoints = dataPointsOf(payload);
    const monitor = requiredOrigin(dataPoints);
    if (payload.kind !== 'balance') this.names(monitor, payload);
    const prefix = dataPoints.about === 'balance' ? 'cemm_balance_' : 'cemm_';
    const readings = dataPoints.all.filter(isReading);
    const newest = new Map<string | null, number>();
    for (const { meter, ts } of readings) {
      newest.set(meter, Math.max(newest.get(meter) ?? -Infinity, measuredAt(payload, ts)));
    }
    for (const [meter, latest] of newest) {
      const labels = formatLabels({ monitor, meter });
      this.age(labels, latest);
      const isStale = latest < this.now - staleMs;
      const ofMeter = readings.filter((reading) => reading.meter === meter);
      const isStarting = this.isStarting(labels, ofMeter.filter(isCounter));
      for (const reading of ofMeter) {
        if (!isChosen(this.fields, reading) || (isStarting && isCounter(reading))) continue;
        const sample = { value: reading.value, ts: measuredAt(payload, reading.ts) };
        const metric = metricOf(prefix, reading.field);
        const ofChannel = metric.channel === null ? labels : formatLabels({ monitor, meter, channel: metric.channel });
        this.reading(metric, ofChannel, sample, isStale);
      }
    }
  }

  private isStarting(labels: string, counters: readonly KnownDataPoint[]): boolean {
    const before = this.starts.get(labels) ?? this.startsBefore.get(labels);
    const start = counters.length === 0 ? before : nextMeterStart(before, counters);
    if (start === undefined) return false;
    this.starts.set(labels, start);
    return start !== 'started';
  }

  /** A name is a label of this metric alone: a meter with a new name starts no new series of readings. */
  private names(monitor: string, payload: Payload): void {
    for (const [meter, name] of titlesIn(payload)) {
      const help = 'Name of a meter.';
      const samples = this.getSamples('cemm_meter', { type: 'info', unit: null, help });
      samples.set(formatLabels({ monitor, meter, name }), { value: 1, ts: null });
    }
  }

  private age(labels: string, newest: number): void {
    const ages = this.getSamples('cemm_reading_age_seconds', ageOfReading);
    const seconds = Math.max(0, this.now - newest) / 1000;
    ages.set(labels, { value: Math.min(seconds, ages.get(labels)?.value ?? Infinity), ts: null });
  }

  private reading({ name, description, isVolume }: Metric, labels: string, sample: Reading, isStale: boolean): void {
    const { value, ts } = sample;
    const isOld = (isStale && !isVolume) || ts < this.now - oldestMs;
    if (description.type === 'counter') {
      const before = value === 0 ? this.countersBefore(name, labels) : value;
      const hasFallenToZero = before > value;
      if (isOld || hasFallenToZero) this.leftOut.set(name + labels, before);
      if (hasFallenToZero || value < 0) return;
    }
    if (isOld) return;
    const samples = this.getSamples(name, description);
    if (ts >= (samples.get(labels)?.ts ?? -Infinity)) samples.set(labels, sample);
  }

  private count(event: keyof typeof eventHelp, labels: Readonly<Record<string, string | null>>, count: number): void {
    const samples = this.getSamples(`cemm_${event}`, { type: 'counter', unit: null, help: eventHelp[event] });
    const key = formatLabels(labels);
    samples.set(key, { value: (samples.get(key)?.value ?? 0) + count, ts: null });
  }

  private getSamples(name: string, description: Description): Map<string, Sample> {
    return getOrSet(this.families, name, () => ({ ...description, samples: new Map() })).samples;
  }
}

/** A value with a window (`this_day_…`) has the start of the window as its time. */
function isReading(point: DataPoint): point is KnownDataPoint {
  return point.value !== null && point.topic === null;
}

/** The number of deliveries that a flow has counted in this payload. */
function countIn(payload: Payload): number {
  const count: unknown = Reflect.get(payload, 'count');
  return typeof count === 'number' && count >= 0 ? count : 1;
}

interface Metric {
  readonly name: string;
  readonly description: Description;
  readonly isVolume: boolean;
  /** The name of a channel that has characters which the metric cannot have; null for all others. */
  readonly channel: string | null;
}

const metricTypes: Readonly<Record<FieldKind, MetricFamily['type']>> = {
  power: 'gauge',
  energy: 'counter',
  // It falls during export.
  net_energy: 'gauge',
  gas: 'counter',
  water: 'counter',
  volume: 'counter',
  volume_reading: 'counter',
  flow: 'gauge',
  voltage: 'gauge',
  current: 'gauge',
  price: 'gauge',
  tariff: 'gauge',
  raw: 'gauge',
  // Sums of periods, which are not on the page.
  share: 'unknown',
  cost: 'unknown',
};

/** The name of an unknown channel may have any characters, and gets a prefix of its own. */
function metricOf(prefix: string, field: string): Metric {
  const kind = findFieldKind(field);
  const type = kind === null ? 'unknown' : metricTypes[kind];
  if (kind === null || type === 'unknown') {
    const word = field.replace(/\W/g, '_');
    const help = 'A channel that this package does not know.';
    const description: Description = { type: 'unknown', unit: null, help };
    return { name: `${prefix}raw_${word}`, description, isVolume: false, channel: word === field ? null : field };
  }
  const unit = unitOfField(field);
  const help = `Field ${field}${unit === null ? '' : ` in ${unit}`}.`;
  return {
    name: prefix + field,
    description: { type, unit: kinds[kind].suffix, help },
    isVolume: unit === 'm³',
    channel: null,
  };
}
