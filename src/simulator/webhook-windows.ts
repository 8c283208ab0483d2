/** The topics of a webhook and the span of time each one is about (spec.md, Webhook topics). */
import { DateTime } from 'luxon';
import { millis, type Millis } from '../wire/time';

export const topics = [
  'realtime',
  'reading',
  'this/day',
  'this/month',
  'this/year',
  'last/minute',
  'last/15minutes',
  'last/hour',
  'last/day',
  'last/month',
  'last/year',
] as const;

export type Topic = (typeof topics)[number];
export type WindowTopic = Exclude<Topic, 'realtime' | 'reading'>;

/** Half-open. */
export interface Window {
  readonly start: Millis;
  readonly end: Millis;
}

export function isTopic(name: string): name is Topic {
  return (topics as readonly string[]).includes(name);
}

/**
 * The window of a topic at a moment: `this/…` runs from the start of the period to `at`, `last/…` is the whole period
 * before the one that contains `at`, on the wall clock of the zone. A day has 23, 24 or 25 hours.
 */
export function windowOf(topic: WindowTopic, at: Millis, timezone: string): Window {
  const now = DateTime.fromMillis(at, { zone: timezone });
  switch (topic) {
    case 'this/day':
      return between(now.startOf('day'), now);
    case 'this/month':
      return between(now.startOf('month'), now);
    case 'this/year':
      return between(now.startOf('year'), now);
    case 'last/minute':
      return ending(now, 1);
    case 'last/15minutes':
      return ending(now, 15);
    case 'last/hour':
      return ending(now, 60);
    case 'last/day':
      return between(now.startOf('day').minus({ days: 1 }).startOf('day'), now.startOf('day'));
    case 'last/month':
      return between(now.startOf('month').minus({ months: 1 }), now.startOf('month'));
    case 'last/year':
      return between(now.startOf('year').minus({ years: 1 }), now.startOf('year'));
  }
}

function between(start: DateTime, end: DateTime): Window {
  return { start: millis(start.toMillis()), end: millis(end.toMillis()) };
}

/** The last complete step of so many minutes; by arithmetic, because an hour that the clock shows twice is two hours. */
function ending(now: DateTime, minutes: number): Window {
  const step = minutes * 60_000;
  const wallClock = now.toMillis() + now.offset * 60_000;
  const end = now.toMillis() - (wallClock % step);
  return { start: millis(end - step), end: millis(end) };
}
