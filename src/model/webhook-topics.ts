/** The topics of a webhook, the time that each of them covers, and the moments at which a webhook is due. */
import { nextPeriod, periodContaining, type PeriodUnit, previousPeriod } from '../calendar/periods';
import { toLocalTime } from '../calendar/zone';
import { millis, type Millis, minuteMs } from '../time/units';
import { isLive, isMeterReading } from './channel-fields';
import type { MissingReason } from './payload';

/** AVG: power, flow, voltage. COUNTER: energy and volume (PULSE too). CALCULATED: calculated data, tariffs, derived channels. */
type ChannelClass = 'AVG' | 'COUNTER' | 'CALCULATED';

type TopicKind = 'now' | PeriodUnit | { readonly minutes: number };

interface Topic {
  readonly classes: readonly ChannelClass[];
  readonly span: 'now' | 'this' | 'last';
  readonly of: TopicKind;
}

const all: readonly ChannelClass[] = ['AVG', 'COUNTER', 'CALCULATED'];
const counted: readonly ChannelClass[] = ['COUNTER', 'CALCULATED'];

const topics: ReadonlyMap<string, Topic> = new Map<string, Topic>([
  ['realtime', { classes: ['AVG'], span: 'now', of: 'now' }],
  ['reading', { classes: ['COUNTER'], span: 'now', of: 'now' }],
  ['this/day', { classes: all, span: 'this', of: 'day' }],
  ['this/month', { classes: all, span: 'this', of: 'month' }],
  ['this/year', { classes: counted, span: 'this', of: 'year' }],
  ['last/minute', { classes: all, span: 'last', of: { minutes: 1 } }],
  ['last/15minutes', { classes: all, span: 'last', of: { minutes: 15 } }],
  ['last/hour', { classes: all, span: 'last', of: { minutes: 60 } }],
  ['last/day', { classes: all, span: 'last', of: 'day' }],
  ['last/month', { classes: all, span: 'last', of: 'month' }],
  ['last/year', { classes: counted, span: 'last', of: 'year' }],
]);

/** Half-open, epoch ms. */
export interface Window {
  readonly start: Millis;
  readonly end: Millis;
}

/** True for the topics with current values: `realtime` and `reading`. */
export function isCurrentTopic(topic: string): boolean {
  return topics.get(topic)?.span === 'now';
}

const topicsWithWindow = [...topics].flatMap(([topic, { span }]) => (span === 'now' ? [] : [topic]));

/** Index of `this/…` and `last/…` among the topics with a window; -1 for all others. */
export function windowIndexOf(topic: string): number {
  return topicsWithWindow.indexOf(topic);
}

/**
 * The time that a topic covers, in a delivery started at `at`: `this/…` from the start of the current period to `at`, `last/…`
 * the whole period before it, both in local time of the zone. Null for `realtime`, `reading` and unknown topics.
 */
export function windowOf(topic: string, at: Millis, timezone: string): Window | null {
  const known = topics.get(topic);
  if (known === undefined || known.of === 'now') return null;
  if (typeof known.of === 'object') {
    const end = startOfStep(at, known.of.minutes, timezone);
    return { start: startOfStep(millis(end - 1), known.of.minutes, timezone), end };
  }
  const running = periodContaining(known.of, timezone, at);
  if (known.span === 'this') return { start: running.start, end: at };
  const { start, end } = previousPeriod(running);
  return { start, end };
}

/**
 * The time that a value covers, in a delivery with this window of its topic. A monitor that has no newer value repeats the one of an
 * earlier window, which ended when the value was last updated.
 * @param updatedAt null if the monitor sent no time
 */
export function windowOfValue(topic: string, window: Window, updatedAt: Millis | null, timezone: string): Window {
  if (updatedAt === null) return window;
  const minute = millis(Math.round(updatedAt / minuteMs) * minuteMs);
  if (minute > window.start) return window;
  return windowOf(topic, topics.get(topic)?.span === 'this' ? updatedAt : minute, timezone) ?? window;
}

/**
 * The last moment up to `at` whose local time is a multiple of this number of minutes (up to 60) within the hour. A repeated hour
 * has its steps twice, a skipped one has none.
 */
export function startOfStep(at: Millis, minutes: number, timezone: string): Millis {
  const step = minutes * minuteMs;
  const shown = toLocalTime(timezone, at);
  const start = millis(at - (shown % step));
  // If the clocks changed in between by less than a step, `start` has another local time.
  return toLocalTime(timezone, start) === shown - (shown % step) ? start : startOfStep(start, minutes, timezone);
}

/** `topic_not_valid` if the topic does not exist for channels of this class, otherwise `no_recent_value`. */
export function reasonOfNull(topic: string, channelClass: ChannelClass | null): MissingReason {
  const known = topics.get(topic);
  const impossible = known !== undefined && channelClass !== null && !known.classes.includes(channelClass);
  return impossible ? 'topic_not_valid' : 'no_recent_value';
}

/** The class of a channel: from the aggregation in the catalogue of the monitor, otherwise from the kind of its field. Null if unknown. */
export function classOf(channel: string, aggregation: string | null): ChannelClass | null {
  if (aggregation === 'AVG') return 'AVG';
  if (aggregation === 'COUNTER' || aggregation === 'PULSE') return 'COUNTER';
  if (aggregation === 'CALCULATED' || aggregation === 'TARIFF' || aggregation === 'DERIVED') return 'CALCULATED';
  if (/^(tariff|electric_usage)_/.test(channel)) return 'CALCULATED';
  if (isLive(channel)) return 'AVG';
  return isMeterReading(channel) ? 'COUNTER' : null;
}

/** Intervals of a webhook, aligned to the local time of the installation. */
export const webhookIntervals = ['1m', '5m', '10m', '15m', '1h', '1d'] as const;
export type WebhookInterval = (typeof webhookIntervals)[number];

const minutesOf = { '1m': 1, '5m': 5, '10m': 10, '15m': 15, '1h': 60 } as const;

export function isWebhookInterval(value: string): value is WebhookInterval {
  return (webhookIntervals as readonly string[]).includes(value);
}

/** The last moment up to `at` at which the webhook was due. */
export function dueUpTo(at: Millis, interval: WebhookInterval, timezone: string): Millis {
  if (interval === '1d') return periodContaining('day', timezone, at).start;
  return startOfStep(at, minutesOf[interval], timezone);
}

/** The first moment after `at` at which the webhook is due. */
export function dueAfter(at: Millis, interval: WebhookInterval, timezone: string): Millis {
  if (interval === '1d') return nextPeriod(periodContaining('day', timezone, at)).start;
  const step = minutesOf[interval] * minuteMs;
  let due = startOfStep(millis(at + step), minutesOf[interval], timezone);
  // A change of the clocks by less than a step can leave no slot within one step of `at`.
  for (let ahead = 2; due <= at; ahead += 1)
    due = startOfStep(millis(at + ahead * step), minutesOf[interval], timezone);
  return due;
}

/** The slot of a delivery that is due at this moment: from the previous due moment to this one. */
export function slotEndingAt(due: Millis, interval: WebhookInterval, timezone: string): Window {
  return { start: dueUpTo(millis(due - 1), interval, timezone), end: due };
}

/**
 * Number of due moments from one due moment to a later one (exclusive). Days are counted one by one, shorter intervals by
 * division; if the clocks change by less than a step in the time, the time is halved.
 */
export function countDue(from: Millis, to: Millis, interval: WebhookInterval, timezone: string): number {
  if (to <= from) return 0;
  const next = dueAfter(from, interval, timezone);
  if (interval === '1d' || next >= to) return 1 + countDue(next, to, interval, timezone);
  const step = minutesOf[interval] * minuteMs;
  const moved = toLocalTime(timezone, to) - to - (toLocalTime(timezone, from) - from);
  if ((to - from) % step === 0 && moved % step === 0) return (to - from) / step;
  const middle = dueAfter(millis(Math.floor((from + to) / 2)), interval, timezone);
  const split = middle < to ? middle : next;
  return countDue(from, split, interval, timezone) + countDue(split, to, interval, timezone);
}
