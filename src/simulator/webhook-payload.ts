/** The body of a delivery in format `basic-v1` (spec.md, Webhook payload), and its signature. */
import { createHmac } from 'node:crypto';
import { millis, millisToSeconds, type Millis } from '../wire/time';
import type { House, Registers } from './house';
import { createAverages, type Averages } from './webhook-averages';
import { isValidTopic, meters, type Channel } from './webhook-channels';
import { windowOf, type Topic, type Window } from './webhook-windows';

const WATT_MILLISECONDS_PER_KWH = 3_600_000_000;

/** `time` in Unix seconds: when the value was last updated. */
export interface ValueRecord {
  readonly time: number;
  readonly value: number;
}

/** Topic → value; null by the null rules of spec.md. */
export type TopicValues = Record<string, ValueRecord | null>;

export interface Delivery {
  readonly format: 'basic-v1';
  readonly cemm: number;
  /** Unix seconds at which the webhook was started. */
  readonly time: number;
  /** Meter key → channel key → topic key. */
  readonly data: Record<string, Record<string, TopicValues>>;
}

/** What a sender knows beside the house; each has a default that leaves the house as it is. */
export interface DeliveryView {
  /** Kept between deliveries of one house they save time, nothing else. */
  readonly averages?: Averages;
  /** The house whose registers topic `reading` shows, where a fault makes them differ from what was counted. */
  readonly metered?: House;
  /** Is there an entry of the minute that starts here. */
  readonly hasMinute?: (start: Millis) => boolean;
}

/**
 * Everything that the monitor `cemm` sends at a moment, for the given topics of every channel. Powers are W, energies kWh,
 * volumes m³, flows L/min, prices per kWh.
 */
export function buildDelivery(
  observed: House,
  cemm: number,
  at: Millis,
  topics: readonly Topic[],
  { averages = createAverages(observed), metered = observed, hasMinute = () => true }: DeliveryView = {},
): Delivery {
  const view = { averages, hasMinute, house: rememberingRegisters(observed), metered: rememberingRegisters(metered) };
  const data: Delivery['data'] = {};
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

type View = Required<DeliveryView> & { readonly house: House };

function valueOf(view: View, channel: Channel, topic: Topic, at: Millis): ValueRecord | null {
  const { house, averages, metered, hasMinute } = view;
  if (!isValidTopic(channel.class, topic) || at < house.since) return null;
  if (topic === 'realtime') {
    const { measure } = channel;
    return measure.kind === 'average' ? recorded(at, measure.of(house.minute(at))) : null;
  }
  if (topic === 'reading') {
    const { measure } = channel;
    return measure.kind === 'counter' ? recorded(at, measure.of(metered.registers(at))) : null;
  }
  const window = windowOf(topic, at, house.timezone);
  // Null rules 2 and 3: nothing was recorded in a window that ended before the meter was there.
  if (topic.startsWith('last/') && window.end <= house.since) return null;
  if (topic === 'last/minute' && channel.class === 'AVG' && !hasMinute(window.start)) return null;
  const value = overWindow(house, averages, channel, window);
  return value === null ? null : recorded(window.end, value);
}

/** The channel over a window, as far as the meter was in service; null when it has no value there. */
export function overWindow(house: House, averages: Averages, channel: Channel, window: Window): number | null {
  const { measure } = channel;
  switch (measure.kind) {
    case 'average':
      return averages.mean(channel, window);
    case 'counter':
      return growth(house, measure.of, window);
    case 'growth': {
      const elapsed = window.end - Math.max(window.start, house.since);
      if (elapsed <= 0) return null;
      const watt = (growth(house, measure.of, window) * WATT_MILLISECONDS_PER_KWH) / elapsed;
      // The difference of two long readings over a short time: below a milliwatt there is only noise.
      return Math.round(watt * 1000) / 1000;
    }
    case 'price':
      return measure.value;
  }
}

/** A delivery reads the same dozen moments once per channel. */
function rememberingRegisters(house: House): House {
  const known = new Map<Millis, Registers>();
  return {
    ...house,
    registers(at) {
      const registers = known.get(at) ?? house.registers(at);
      known.set(at, registers);
      return registers;
    },
  };
}

function growth(house: House, of: (registers: Registers) => number, window: Window): number {
  const start = millis(Math.max(window.start, house.since));
  return of(house.registers(window.end)) - of(house.registers(start));
}

function recorded(at: Millis, value: number): ValueRecord {
  return { time: millisToSeconds(at), value: withoutNoise(value) };
}

/** A micro-watt-hour is far below any meter; what lies under it is the noise of binary fractions. */
export function withoutNoise(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
