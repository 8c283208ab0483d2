/**
 * A monitor that delivers by webhook, from the vendor's description of topics and bodies alone (https://wiki.cemm.nl/tools/webhooks). It
 * shares no code with the package.
 */
import { findUnitStart } from '../bills/calendar';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Keys that the monitor has for a channel, and what its values come from. */
export type FakeChannel =
  | { readonly kind: 'counter'; readonly key: string; readonly shows: (moment: number) => number }
  /** The mean between two moments. */
  | { readonly kind: 'average'; readonly key: string; readonly mean: (from: number, to: number) => number };

export interface FakeMeter {
  readonly key: string;
  readonly channels: readonly FakeChannel[];
}

const topicsOf = {
  counter: [
    ...['reading', 'this/day', 'this/month', 'this/year'],
    ...['last/minute', 'last/15minutes', 'last/hour', 'last/day', 'last/month', 'last/year'],
  ],
  average: [
    ...['realtime', 'this/day', 'this/month'],
    ...['last/minute', 'last/15minutes', 'last/hour', 'last/day', 'last/month'],
  ],
} as const;

export const everyTopic: readonly string[] = [...new Set([...topicsOf.counter, ...topicsOf.average])];

type Record = { readonly time: number; readonly value: number } | null;

function windowOf(topic: string, at: number): readonly [from: number, to: number] {
  const [span, of = ''] = topic.split('/');
  if (of === 'day' || of === 'month' || of === 'year') {
    return span === 'this' ? [findUnitStart(of, at), at] : [findUnitStart(of, at, -1), findUnitStart(of, at)];
  }
  const length = of === 'minute' ? minuteMs : of === '15minutes' ? 15 * minuteMs : hourMs;
  const end = Math.floor(at / length) * length;
  return [end - length, end];
}

function specifyRecord(channel: FakeChannel, topic: string, at: number, since: number): Record {
  const isValid = topicsOf[channel.kind].some((one) => one === topic);
  if (!isValid) return null;
  if (topic === 'reading' || topic === 'realtime') {
    const value = channel.kind === 'counter' ? channel.shows(at) : channel.mean(at - minuteMs, at);
    return { time: at / 1000, value: roundRecordValue(value) };
  }
  const [from, to] = windowOf(topic, at);
  if (topic.startsWith('last/') && to <= since) return null;
  const start = Math.max(from, since);
  const value = channel.kind === 'counter' ? channel.shows(to) - channel.shows(start) : channel.mean(start, to);
  return { time: to / 1000, value: roundRecordValue(value) };
}

function roundRecordValue(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}

/** Meter → channel → topics. */
export type Ticked = (meter: string, channel: string) => readonly string[];

/**
 * The body of the delivery of a moment, with what is ticked on the monitor.
 * @param since when the monitor began to count
 */
export function specifiedBody(meters: readonly FakeMeter[], ticked: Ticked, at: number, since = -Infinity): object {
  const data: { [meter: string]: { [channel: string]: { [topic: string]: Record } } } = {};
  for (const { key: meter, channels } of meters) {
    for (const channel of channels) {
      const topics = ticked(meter, channel.key);
      if (topics.length === 0) continue;
      const values = Object.fromEntries(topics.map((topic) => [topic, specifyRecord(channel, topic, at, since)]));
      data[meter] = { ...data[meter], [channel.key]: values };
    }
  }
  return { format: 'basic-v1', cemm: 24_000_293, time: at / 1000, data };
}
