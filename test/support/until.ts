/** Waits for conditions, never for durations: the generous limit only ends a failed test. */
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience';

/** A condition that asks a server is asked again when a request gets no answer: fetch then throws a TypeError with the cause. */
export async function until<T>(
  what: string,
  condition: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  limitMs = 60_000,
): Promise<T> {
  const end = performance.now() + limitMs * patience;
  for (;;) {
    let unanswered: unknown;
    try {
      const value = await condition();
      if (value !== undefined && value !== null && value !== false) return value;
    } catch (error) {
      if (!(error instanceof TypeError) || error.message !== 'fetch failed') throw error;
      unanswered = error.cause;
    }
    if (performance.now() > end) {
      throw new Error(`waited ${(limitMs * patience) / 1000} s for ${what}`, { cause: unanswered });
    }
    await sleep(25);
  }
}
