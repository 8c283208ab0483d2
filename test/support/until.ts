/** Waits for conditions, never for durations: the generous limit only ends a failed test. */
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from './patience';

export async function until<T>(
  what: string,
  condition: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  limitMs = 60_000,
): Promise<T> {
  const end = performance.now() + limitMs * patience;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited ${(limitMs * patience) / 1000} s for ${what}`);
    await sleep(25);
  }
}
