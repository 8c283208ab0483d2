/**
 * Points in time. The interfaces mix seconds (`time` in queries, webhooks) and milliseconds (samples of the Open APIs,
 * http://developer.cemm.nl/api-en/), so each unit has its own type, and the functions below convert.
 */
import { earliestMs, isInRange, latestMs } from './date-text';

/** Unix time in milliseconds. */
export type Millis = number & { readonly __unit: 'ms' };
/** Unix time in seconds. */
export type Seconds = number & { readonly __unit: 's' };

export const minuteMs = 60_000;
export const quarterMs = 15 * minuteMs;
export const hourMs = 60 * minuteMs;
/** A day of 24 hours; a day of the calendar may have 23 or 25. */
export const dayMs = 24 * hourMs;

/** 2010-01-01T00:00:00Z: no monitor is older. From here to `latestMoment`, seconds and milliseconds cannot be confused. */
export const earliestMoment = earliestMs as Millis;
/** 2100-01-01T00:00:00Z, the first moment that is too late. */
export const latestMoment = latestMs as Millis;

/** Marks a number as Unix milliseconds. Does not check it: use `toMillis` for numbers from outside. */
export function millis(value: number): Millis {
  return value as Millis;
}

export function secondsToMillis(value: Seconds): Millis {
  return (value * 1000) as Millis;
}

/** Rounds down to the whole second. */
export function millisToSeconds(value: Millis): Seconds {
  return Math.floor(value / 1000) as Seconds;
}

/** Unix milliseconds between 2010 and 2100; null for anything else. */
export function toMillis(value: unknown): Millis | null {
  return typeof value === 'number' && isInRange(value) ? (value as Millis) : null;
}

/** Unix seconds between 2010 and 2100; null for anything else. */
export function toSeconds(value: unknown): Seconds | null {
  return typeof value === 'number' && isInRange(value * 1000) ? (value as Seconds) : null;
}
