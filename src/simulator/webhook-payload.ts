/** Means of minutes over any window, quickly: `this/month` and `last/month` are 90 000 minutes and are asked every minute. */
import { createHmac } from 'node:crypto';
import { millis, type Millis, millisToSeconds } from '../protocol/time';
import { increase, numberAt } from './day-minutes';
import type { Household, Registers } from './household';
import {
  type WebhookChannel,
  isValidTopic,
  meters,
  type Topic,
  type TopicWindow,
  topicWindow,
} from './webhook-channels';

interface Averages {
  /** The mean over the whole minutes of the window, from the day the meters went into service; null when there are none. */
  mean(channel: WebhookChannel, window: TopicWindow): number | null;
}

interface MinuteSums {
  readonly minutes: number;
  readonly sums: Float64Array;
}

const MINUTE = 60_000;
const HOUR = 3_600_000;
/** Two months of hours and some. */
const HOURS_KEPT = 1600;

const averaged = meters.flatMap((meter) => meter.channels.filter((channel) => channel.measure.kind === 'average'));
const columnOf = new Map(averaged.map((channel, column) => [channel, column]));

/** Keeps the sums of past hours of this one house; hours of UTC, so that no zone comes into it. */
export function createAverages(household: Household): Averages {
  const hours = new Map<number, MinuteSums>();
  let latest: { readonly start: Millis; readonly end: Millis; readonly result: MinuteSums } | null = null;

  function ofHour(start: number): MinuteSums {
    const known = hours.get(start);
    if (known) return known;
    const result = ofMinutes(household, start, start + HOUR);
    hours.set(start, result);
    for (const oldest of hours.keys()) {
      if (hours.size <= HOURS_KEPT) break;
      hours.delete(oldest);
    }
    return result;
  }

  function ofWindow({ start, end }: TopicWindow): MinuteSums {
    // A delivery asks for the same window once per channel.
    if (latest?.start === start && latest.end === end) return latest.result;
    const first = Math.ceil(Math.max(start, household.since) / MINUTE) * MINUTE;
    const last = Math.floor(end / MINUTE) * MINUTE;
    const firstHour = Math.ceil(first / HOUR) * HOUR;
    const lastHour = Math.floor(last / HOUR) * HOUR;
    const parts: MinuteSums[] = [];
    if (firstHour < lastHour) {
      parts.push(ofMinutes(household, first, firstHour));
      for (let hour = firstHour; hour < lastHour; hour += HOUR) parts.push(ofHour(hour));
      parts.push(ofMinutes(household, lastHour, last));
    } else {
      parts.push(ofMinutes(household, first, last));
    }
    const result = added(parts);
    latest = { start, end, result };
    return result;
  }

  return {
    mean(channel, window) {
      const column = columnOf.get(channel);
      if (column === undefined) return null;
      const { minutes, sums } = ofWindow(window);
      return minutes === 0 ? null : numberAt(sums, column) / minutes;
    },
  };
}

function ofMinutes(household: Household, start: number, end: number): MinuteSums {
  const sums = new Float64Array(averaged.length);
  let minutes = 0;
  for (let moment = start; moment < end; moment += MINUTE) {
    const minute = household.minute(millis(moment));
    minutes += 1;
    averaged.forEach(({ measure }, column) => {
      if (measure.kind === 'average') increase(sums, column, measure.of(minute));
    });
  }
  return { minutes, sums };
}

function added(parts: readonly MinuteSums[]): MinuteSums {
  const total = new Float64Array(averaged.length);
  for (const { sums } of parts) {
    sums.forEach((sum, column) => {
      increase(total, column, sum);
    });
  }
  return { minutes: parts.reduce((minutes, part) => minutes + part.minutes, 0), sums: total };
}

// The body of a delivery in format `basic-v1` (spec.md, Webhook payload), and its signature.

const WATT_MILLISECONDS_PER_KWH = 3_600_000_000;

/** `time` in Unix seconds: when the value was last updated. */
export interface ValueRecord {
  readonly time: number;
  readonly value: number;
}

/** Topic → value; null by the null rules of spec.md. */
type TopicValues = Record<string, ValueRecord | null>;

export interface DeliveryBody {
  readonly format: 'basic-v1';
  readonly cemm: number;
  /** Unix seconds at which the webhook was started. */
  readonly time: number;
  /** Meter key → channel key → topic key. */
  readonly data: Record<string, Record<string, TopicValues>>;
}

/** What a sender knows beside the house; each has a default that leaves the house as it is. */
interface DeliveryOptions {
  /** Kept between deliveries of one house they save time, nothing else. */
  readonly averages?: Averages;
  /** The house whose registers topic `reading` shows, where a fault makes them differ from what was counted. */
  readonly metered?: Household;
  /** Is there an entry of the minute that starts here. */
  readonly hasMinute?: (start: Millis) => boolean;
}

/**
 * Everything that the monitor `cemm` sends at a moment, for the given topics of every channel. Powers are W, energies kWh,
 * volumes m³, flows L/min, prices per kWh.
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
  const data: DeliveryBody['data'] = {};
  for (const meter of meters) {
    const ofMeter: Record<string, TopicValues> = {};
    for (const channel of meter.channels) ofMeter[channel.key] = {};
    data[meter.key] = ofMeter;
  }
  // By topic on the outside, so that all channels share the minutes of one window.
  for (const topic of topics) {
    for (const meter of meters) {
      for (const channel of meter.channels) {
        const values = data[meter.key]?.[channel.key];
        if (values) values[topic] = valueOf(view, channel, topic, at);
      }
    }
  }
  return { format: 'basic-v1', cemm, time: millisToSeconds(at), data };
}

/** X-Signature: HMAC-SHA512 over the body exactly as sent, in hexadecimal digits (spec.md, Authentication, Webhooks 3). */
export function sign(body: Buffer, key: string): string {
  return createHmac('sha512', Buffer.from(key, 'utf8')).update(body).digest('hex');
}

type View = Required<DeliveryOptions> & { readonly household: Household };

function valueOf(view: View, channel: WebhookChannel, topic: Topic, at: Millis): ValueRecord | null {
  const { household, averages, metered, hasMinute } = view;
  if (!isValidTopic(channel.class, topic) || at < household.since) return null;
  if (topic === 'realtime') {
    const { measure } = channel;
    return measure.kind === 'average' ? recorded(at, measure.of(household.minute(at))) : null;
  }
  if (topic === 'reading') {
    const { measure } = channel;
    return measure.kind === 'counter' ? recorded(at, measure.of(metered.registers(at))) : null;
  }
  const window = topicWindow(topic, at, household.timezone);
  // Null rules 2 and 3: nothing was recorded in a window that ended before the meter was there.
  if (topic.startsWith('last/') && window.end <= household.since) return null;
  if (topic === 'last/minute' && channel.class === 'AVG' && !hasMinute(window.start)) return null;
  const value = overWindow(household, averages, channel, window);
  return value === null ? null : recorded(window.end, value);
}

/** The channel over a window, as far as the meter was in service; null when it has no value there. */
export function overWindow(
  household: Household,
  averages: Averages,
  channel: WebhookChannel,
  window: TopicWindow,
): number | null {
  const { measure } = channel;
  switch (measure.kind) {
    case 'average':
      return averages.mean(channel, window);
    case 'counter':
      return growth(household, measure.of, window);
    case 'growth': {
      const elapsed = window.end - Math.max(window.start, household.since);
      if (elapsed <= 0) return null;
      const watt = (growth(household, measure.of, window) * WATT_MILLISECONDS_PER_KWH) / elapsed;
      // The difference of two long readings over a short time: below a milliwatt there is only noise.
      return Math.round(watt * 1000) / 1000;
    }
    case 'price':
      return measure.value;
  }
}

/** A delivery reads the same dozen moments once per channel. */
function rememberingRegisters(household: Household): Household {
  const known = new Map<Millis, Registers>();
  return {
    ...household,
    registers(at) {
      const registers = known.get(at) ?? household.registers(at);
      known.set(at, registers);
      return registers;
    },
  };
}

function growth(household: Household, of: (registers: Registers) => number, window: TopicWindow): number {
  const start = millis(Math.max(window.start, household.since));
  return of(household.registers(window.end)) - of(household.registers(start));
}

function recorded(at: Millis, value: number): ValueRecord {
  return { time: millisToSeconds(at), value: rounded(value) };
}

/** A micro-watt-hour is far below any meter; what lies under it is the noise of binary fractions. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
