/** Waits for conditions, never for durations: the generous limit only ends a failed test. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CemmError } from '../../src/errors';
import { patience } from './patience';

/** A condition that asks a server is asked again when a request gets no answer. */
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
      if (!isUnanswered(error)) throw error;
      unanswered = error;
    }
    if (performance.now() > end) {
      throw new Error(`waited ${(limitMs * patience) / 1000} s for ${what}`, { cause: unanswered });
    }
    await sleep(25);
  }
}

/** An error of fetch, or of a connection of this package whose request took too long. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof CemmError) return error.code === 'NETWORK' && error.reason === 'timeout';
  return error instanceof TypeError && error.message === 'fetch failed';
}
