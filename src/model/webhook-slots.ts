/** When a webhook runs (spec.md, Events E1): at its interval, aligned to the wall clock of the installation. */
import { nextPeriod, periodContaining, previousPeriod } from '../calendar/periods';
import { toWallTime } from '../calendar/zone';
import { millis, type Millis } from '../wire/time';
import { startOfStep } from './topics';

export const webhookIntervals = ['1m', '5m', '10m', '15m', '1h', '1d'] as const;
export type WebhookInterval = (typeof webhookIntervals)[number];

const minutesOf: Readonly<Record<Exclude<WebhookInterval, '1d'>, number>> = {
  '1m': 1,
  '5m': 5,
  '10m': 10,
  '15m': 15,
  '1h': 60,
};

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
  const step = minutesOf[interval] * 60_000;
  let due = startOfStep(millis(at + step), minutesOf[interval], timezone);
  // Clocks set back or forward by less than a step can leave no slot within one step of `at`.
  for (let ahead = 2; due <= at; ahead += 1)
    due = startOfStep(millis(at + ahead * step), minutesOf[interval], timezone);
  return due;
}

/** The slot that a delivery due at this moment reports on: from the due moment before it up to it. */
export function slotEndingAt(due: Millis, interval: WebhookInterval, timezone: string): { start: Millis; end: Millis } {
  const start =
    interval === '1d'
      ? previousPeriod(periodContaining('day', timezone, due)).start
      : dueUpTo(millis(due - 1), interval, timezone);
  return { start, end: due };
}

/**
 * How many moments from one due moment up to, but not including, a later one the webhook was due at. Days are walked; shorter
 * intervals are divided, and around a change of the clocks by less than a step the span is halved.
 */
export function countDue(from: Millis, to: Millis, interval: WebhookInterval, timezone: string): number {
  if (to <= from) return 0;
  const next = dueAfter(from, interval, timezone);
  if (interval === '1d' || next >= to) return 1 + countDue(next, to, interval, timezone);
  const step = minutesOf[interval] * 60_000;
  const moved = toWallTime(timezone, to) - to - (toWallTime(timezone, from) - from);
  if ((to - from) % step === 0 && moved % step === 0) return (to - from) / step;
  const middle = dueAfter(millis(Math.floor((from + to) / 2)), interval, timezone);
  const split = middle < to ? middle : next;
  return countDue(from, split, interval, timezone) + countDue(split, to, interval, timezone);
}
