/** Long computations pause between their parts, so that requests, messages and timers of the same process go on. */
import { setImmediate } from 'node:timers/promises';

/** Longest time that a computation runs without a pause, in ms; several at once add up. */
const mostMs = 8;

/** A computation that stops between its parts, at each `yield`. */
export type InParts<Result> = Generator<undefined, Result, undefined>;

export function runAtOnce<Result>(computation: InParts<Result>): Result {
  for (;;) {
    const { done, value } = computation.next();
    if (done === true) return value;
  }
}

/** @param pause called between two parts; what it throws ends the computation */
export async function runWithPauses<Result>(computation: InParts<Result>, pause: () => Promise<void>): Promise<Result> {
  for (;;) {
    const { done, value } = computation.next();
    if (done === true) return value;
    await pause();
  }
}

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
