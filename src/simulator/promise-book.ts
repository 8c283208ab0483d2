/** The promises that the remote service has given (spec.md A, rule R1): who repeats in time gets the data. */

export interface PromiseOptions {
  /** Data are there this long after the first question; 0 = at once, Infinity = never. */
  readonly readyMs: () => number;
  /** Does repeating a question that is still open give its promise another 10 seconds. */
  readonly renews: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

export interface PromiseBook {
  /** The number of the promise to answer with, or null when the data are there. */
  ask(question: string): number | null;
}

export const PROMISE_LIFE_MS = 10_000;

interface Given {
  readonly number: number;
  readonly at: number;
  expires: number;
}

export function createPromiseBook({ readyMs, renews, now }: PromiseOptions): PromiseBook {
  const given = new Map<string, Given>();
  let count = 0;

  function give(question: string, at: number): number {
    for (const [key, { expires }] of given) if (at >= expires) given.delete(key);
    count += 1;
    given.set(question, { number: count, at, expires: at + PROMISE_LIFE_MS });
    return count;
  }

  return {
    ask: (question) => {
      if (readyMs() <= 0) return null;
      const at = now();
      const promise = given.get(question);
      if (promise === undefined || at >= promise.expires) return give(question, at);
      if (at - promise.at >= readyMs()) return null;
      if (renews) promise.expires = at + PROMISE_LIFE_MS;
      return promise.number;
    },
  };
}
