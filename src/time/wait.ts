/** Waits that end early. */
import type { Clock } from './clock';

/** Resolves after this time, or at once when the signal fires. */
export function waitFor(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const stopTimer = clock.after(Math.max(0, ms), end);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

/**
 * Resolves when the work is done, and after this time at the latest.
 * @param work never rejects
 */
export function waitForWork(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stopTimer = clock.after(ms, resolve);
    void work.then(() => {
      stopTimer();
      resolve();
    });
  });
}
