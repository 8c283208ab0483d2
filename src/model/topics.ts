/** The topics of a webhook (spec.md, Webhook topics): which class of channel has which, and the time each one is about. */
import { periodContaining, previousPeriod } from '../calendar/periods';
import { toWallTime } from '../calendar/zone';
import type { PeriodUnit } from '../calendar/period';
import { millis, type Millis } from '../wire/time';
import type { MissingReason } from './payload';

/** AVG: power, flow, voltage. COUNTER: energy and volume (PULSE too). CALCULATED: calculated data, tariffs, derived channels. */
export type ChannelClass = 'AVG' | 'COUNTER' | 'CALCULATED';

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

/** True for the topics that say how things are at the moment of the delivery. */
export function isCurrentTopic(topic: string): boolean {
  return topics.get(topic)?.span === 'now';
}

const topicsWithWindow = [...topics].flatMap(([topic, { span }]) => (span === 'now' ? [] : [topic]));

/** Place of `this/…` and `last/…` among the topics that have a window; -1 for all others. */
export function placeOfWindow(topic: string): number {
  return topicsWithWindow.indexOf(topic);
}

/**
 * The time a topic is about, in a delivery started at `at`: `this/…` from the start of the running period up to `at`,
 * `last/…` the whole period before it, both on the wall clock of the zone. Null for `realtime`, `reading` and unknown topics.
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
 * The last moment up to `at` at which the wall clock showed a multiple of so many minutes (up to 60) in its hour. An hour
 * that the clock shows twice has its steps twice; one that it skips has none.
 */
export function startOfStep(at: Millis, minutes: number, timezone: string): Millis {
  const step = minutes * 60_000;
  const shown = toWallTime(timezone, at);
  const start = millis(at - (shown % step));
  // Where the clocks were changed in between by less than a step, the clock showed something else at `start`.
  return toWallTime(timezone, start) === shown - (shown % step) ? start : startOfStep(start, minutes, timezone);
}

/** Null rules of spec.md: a topic that the class does not have is `topic_not_valid`; any other null has no (recent) value. */
export function reasonOfNull(topic: string, channelClass: ChannelClass | null): MissingReason {
  const known = topics.get(topic);
  const impossible = known !== undefined && channelClass !== null && !known.classes.includes(channelClass);
  return impossible ? 'topic_not_valid' : 'no_recent_value';
}

/**
 * The class of a channel: the monitor's own word where its catalogue is known, else by the name (spec.md: Channel
 * classes). Null where neither tells.
 */
export function classOf(channel: string, aggregation: string | null): ChannelClass | null {
  if (aggregation === 'AVG') return 'AVG';
  if (aggregation === 'COUNTER' || aggregation === 'PULSE') return 'COUNTER';
  if (aggregation === 'CALCULATED' || aggregation === 'TARIFF' || aggregation === 'DERIVED') return 'CALCULATED';
  if (/^(tariff|electric_usage)_/.test(channel)) return 'CALCULATED';
  if (/power|flow|voltage|current/.test(channel)) return 'AVG';
  if (/energy|volume|^gas$|^t[1-4]$/.test(channel)) return 'COUNTER';
  return null;
}
