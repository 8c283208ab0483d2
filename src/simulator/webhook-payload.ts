/** The body of a delivery in format `basic-v1` and its signature (https://wiki.cemm.nl/tools/webhooks). */
import { getOrSet } from '../checks/get-or-set';
import { setRecent } from '../checks/set-recent';
import { createHmac } from 'node:crypto';
import { hourMs, millis, type Millis, millisToSeconds, minuteMs } from '../time/units';
import { increase, numberAt } from './day-minutes';
import type { Source } from './house';
import type { Household } from './household';
import type { Registers } from './register-sums';
import { lastHeard, quietAt } from './metered-household';
import type { Span } from './requested-period';
import { type WebhookChannel, isValidTopic, webhookMeters, type Topic, topicWindow } from './webhook-channels';

/** The average of the whole minutes of a window since the start of the measurements; null if there are none. */
type Averages = (channel: WebhookChannel, window: Span) => number | null;

interface MinuteSums {
  readonly minutes: number;
  readonly sums: Float64Array;
}

/** More than two months. */
const mostCachedHours = 1600;

/** Averages of one household, over windows of up to two months. Caches the sums of past hours, which are those of UTC. */
export function createAverages(household: Household): Averages {
  const averaged = webhookMeters(household.house)
    .flatMap(({ channels }) => channels)
    .filter(({ measure }) => measure.kind === 'average');
  const columnOf = new Map(averaged.map((channel, column) => [channel, column]));
  const hours = new Map<number, MinuteSums>();
  let latest: { readonly start: Millis; readonly end: Millis; readonly result: MinuteSums } | null = null;

  function ofHour(start: number): MinuteSums {
    const known = hours.get(start);
    if (known) return known;
    const result = ofMinutes(household, averaged, start, start + hourMs);
    setRecent(hours, start, result, mostCachedHours);
    return result;
  }

  function ofWindow({ start, end }: Span): MinuteSums {
    // A delivery needs the same window for each channel.
    if (latest?.start === start && latest.end === end) return latest.result;
    const first = Math.ceil(Math.max(start, household.since) / minuteMs) * minuteMs;
    const last = Math.floor(end / minuteMs) * minuteMs;
    const firstHour = Math.ceil(first / hourMs) * hourMs;
    const lastHour = Math.floor(last / hourMs) * hourMs;
    const parts: MinuteSums[] = [];
    if (firstHour < lastHour) {
      parts.push(ofMinutes(household, averaged, first, firstHour));
      for (let hour = firstHour; hour < lastHour; hour += hourMs) parts.push(ofHour(hour));
      parts.push(ofMinutes(household, averaged, lastHour, last));
    } else {
      parts.push(ofMinutes(household, averaged, first, last));
    }
    const result = added(averaged.length, parts);
    latest = { start, end, result };
    return result;
  }

  return (channel, window) => {
    const column = columnOf.get(channel);
    if (column === undefined) return null;
    const { minutes, sums } = ofWindow(window);
    return minutes === 0 ? null : numberAt(sums, column) / minutes;
  };
}

function ofMinutes(household: Household, averaged: readonly WebhookChannel[], start: number, end: number): MinuteSums {
  const sums = new Float64Array(averaged.length);
  let minutes = 0;
  for (let moment = start; moment < end; moment += minuteMs) {
    const minute = household.minute(millis(moment));
    minutes += 1;
    averaged.forEach(({ measure }, column) => {
      if (measure.kind === 'average') increase(sums, column, measure.of(minute));
    });
  }
  return { minutes, sums };
}

function added(columns: number, parts: readonly MinuteSums[]): MinuteSums {
  const total = new Float64Array(columns);
  for (const { sums } of parts) {
    sums.forEach((sum, column) => {
      increase(total, column, sum);
    });
  }
  return { minutes: parts.reduce((minutes, part) => minutes + part.minutes, 0), sums: total };
}

const wattMillisecondsPerKwh = 3_600_000_000;

/** `time` is the last update of the value, in Unix seconds. */
export interface ValueRecord {
  readonly time: number;
  readonly value: number;
}

/** Topic → value; null if the topic does not exist for the channel or has no value. */
type TopicValues = Record<string, ValueRecord | null>;

export interface DeliveryBody {
  readonly format: 'basic-v1';
  readonly cemm: number;
  /** Unix seconds at which the webhook was started. */
  readonly time: number;
  /** Meter key → channel key → topic key. */
  readonly data: Record<string, Record<string, TopicValues>>;
}

interface DeliveryOptions {
  /** Pass the same object for all deliveries of one household to save time. */
  readonly averages?: Averages;
  /** The household for the topic `reading`, if a fault changes the readings of the meters. */
  readonly metered?: Household;
  /** False for a minute without an entry of a source. */
  readonly hasMinute?: (start: Millis, source: Source) => boolean;
}

/**
 * The body of a delivery of the monitor `cemm` with the given topics of all channels. Powers are in W, energies in kWh, volumes
 * in m³, flows in L/min, prices per kWh.
 */
export function buildDelivery(
  observed: Household,
  cemm: number,
  at: Millis,
  topics: readonly Topic[],
  { averages = createAverages(observed), metered = observed, hasMinute = () => true }: DeliveryOptions = {},
): DeliveryBody {
  const view = {
    averages,
    hasMinute,
    household: rememberingRegisters(observed),
    metered: rememberingRegisters(metered),
  };
  const meters = webhookMeters(observed.house);
  const data: DeliveryBody['data'] = {};
  for (const meter of meters) {
    const ofMeter: Record<string, TopicValues> = {};
    for (const channel of meter.channels) ofMeter[channel.key] = {};
    data[meter.key] = ofMeter;
  }
  // Topics are the outer loop, so that all channels use the cached sums of one window.
  for (const topic of topics) {
    for (const meter of meters) {
      for (const channel of meter.channels) {
        const values = data[meter.key]?.[channel.key];
        if (values) values[topic] = computeRecord(view, meter.of, channel, topic, at);
      }
    }
  }
  return { format: 'basic-v1', cemm, time: millisToSeconds(at), data };
}

/** The header X-Signature: HMAC-SHA512 of the body in hexadecimal digits. */
export function signBody(body: Buffer, key: string): string {
  return createHmac('sha512', Buffer.from(key, 'utf8')).update(body).digest('hex');
}

type View = Required<DeliveryOptions> & { readonly household: Household };

function computeRecord(
  view: View,
  source: Source,
  channel: WebhookChannel,
  topic: Topic,
  at: Millis,
): ValueRecord | null {
  const { household, averages, metered, hasMinute } = view;
  if (!isValidTopic(channel.class, topic) || at < household.since) return null;
  if (topic === 'realtime') {
    const { measure } = channel;
    const isRecent = quietAt(household, source, at) === undefined;
    return measure.kind === 'average' && isRecent ? recorded(at, measure.of(household.step(at))) : null;
  }
  if (topic === 'reading') {
    const { measure } = channel;
    return measure.kind === 'counter'
      ? recorded(lastHeard(household, source, at), measure.of(metered.registers(at)))
      : null;
  }
  const window = topicWindow(topic, at, household.timezone);
  // No value in a window that ended before the start of the measurements.
  if (topic.startsWith('last/') && window.end <= household.since) return null;
  if (topic === 'last/minute' && channel.class === 'AVG' && !hasMinute(window.start, source)) return null;
  const value = overWindow(household, averages, channel, window);
  return value === null ? null : recorded(window.end, value);
}

/** The value of a channel over a window since the start of the measurements; null if there is none. */
export function overWindow(
  household: Household,
  averages: Averages,
  channel: WebhookChannel,
  window: Span,
): number | null {
  const { measure } = channel;
  switch (measure.kind) {
    case 'average':
      return averages(channel, window);
    case 'counter':
      return growth(household, measure.of, window);
    case 'growth': {
      const elapsed = window.end - Math.max(window.start, household.since);
      if (elapsed <= 0) return null;
      const watt = (growth(household, measure.of, window) * wattMillisecondsPerKwh) / elapsed;
      // Rounded to milliwatts, because the difference of two readings has a rounding error.
      return Math.round(watt * 1000) / 1000;
    }
    case 'price':
      return measure.value;
  }
}

/** Caches the registers of a moment, because a delivery reads the same moments for each channel. */
function rememberingRegisters(household: Household): Household {
  const known = new Map<Millis, Registers>();
  return {
    ...household,
    registers: (at) => getOrSet(known, at, () => household.registers(at)),
  };
}

function growth(household: Household, of: (registers: Registers) => number, window: Span): number {
  const start = millis(Math.max(window.start, household.since));
  return of(household.registers(window.end)) - of(household.registers(start));
}

function recorded(at: Millis, value: number): ValueRecord {
  return { time: millisToSeconds(at), value: roundToMillionths(value) };
}

/** Rounds to six decimals to remove errors of binary fractions. */
export function roundToMillionths(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
