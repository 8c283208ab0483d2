/** Long computations pause between their parts, so that requests, messages and timers of the same process go on. */
import { setImmediate } from 'node:timers/promises';

/** Longest time without a pause, in ms, of all computations that pause together. */
const mostMs = 4;

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

/** The computations that continue after the next events of the process. */
interface Turn {
  readonly begun: Promise<void>;
  waiting: number;
}

let nextTurn: Turn | null = null;

/** Returns how many continue together. */
async function waitForTurn(): Promise<number> {
  nextTurn ??= { begun: setImmediate(), waiting: 0 };
  const turn = nextTurn;
  turn.waiting += 1;
  await turn.begun;
  if (nextTurn === turn) nextTurn = null;
  return turn.waiting;
}

/**
 * Call it between the parts of a computation, such as days: `const pause = createPause(); for (…) { await pause(); … }`. It waits for
 * the events of the process when the computation has run for its share of the time, and otherwise goes on at once.
 * @param now monotonic clock, ms; for tests
 */
export function createPause(now: () => number = () => performance.now()): () => Promise<void> {
  let since = now();
  let share = mostMs;
  return async () => {
    if (now() - since < share) return;
    share = mostMs / (await waitForTurn());
    since = now();
  };
}
