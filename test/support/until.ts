/** Waits for conditions, never for durations: the limit is generous and only there so that a failure ends. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function until<T>(
  what: string,
  condition: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  limitMs = 60_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > end) throw new Error(`waited ${limitMs / 1000} s for ${what}`);
    await sleep(25);
  }
}
