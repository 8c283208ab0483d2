import { earliestMs, isInRange, latestMs } from '../limits';

/**
 * Moments as the interfaces speak them. Seconds and milliseconds occur side by side (spec.md: `time` queries and
 * webhooks in seconds, MeasurementArrays in milliseconds), so each has a type of its own and no value crosses over
 * without one of the functions below.
 */

/** Unix epoch milliseconds. */
export type Millis = number & { readonly __unit: 'ms' };
/** Unix epoch seconds. */
export type Seconds = number & { readonly __unit: 's' };

/** No monitor is older, and inside them seconds and milliseconds cannot be confused. */
export const earliestMoment = earliestMs as Millis;
export const latestMoment = latestMs as Millis;

export function millis(value: number): Millis {
  return value as Millis;
}

export function secondsToMillis(value: Seconds): Millis {
  return (value * 1000) as Millis;
}

export function millisToSeconds(value: Millis): Seconds {
  return Math.floor(value / 1000) as Seconds;
}

/** Epoch milliseconds of a MeasurementArray, or null where the number is no moment between 2010 and 2100. */
export function toMillis(value: unknown): Millis | null {
  return typeof value === 'number' && isInRange(value) ? (value as Millis) : null;
}

/** Epoch seconds, or null where the number is no moment between 2010 and 2100. */
export function toSeconds(value: unknown): Seconds | null {
  return typeof value === 'number' && isInRange(value * 1000) ? (value as Seconds) : null;
}
