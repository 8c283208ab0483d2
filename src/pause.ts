/** Long computations pause between their parts, so that requests, messages and timers of the same process go on. */
import { setImmediate } from 'node:timers/promises';

/** Longest time that a computation runs without a pause, in ms; several at once add up. */
const mostMs = 8;

/**
 * Call it between the parts of a computation, such as days: `const pause = createPause(); for (…) { await pause(); … }`. It waits for
 * the events of the process when the computation has run long enough, and otherwise goes on at once.
 * @param now monotonic clock, ms; for tests
 */
export function createPause(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < mostMs) return;
    await setImmediate();
    since = now();
  };
}
