/** A clock that stands still until a test runs it: then it jumps from one timer to the next. */
import type { Clock } from '../../../src/clients/clock';
import { millis } from '../../../src/wire/time';

export class FakeClock implements Clock {
  #now = 0;
  #timers = new Set<{ readonly at: number; readonly run: () => void }>();

  get pending(): number {
    return this.#timers.size;
  }

  monotonic(): number {
    return this.#now;
  }

  wall() {
    return millis(1_700_000_000_000 + this.#now);
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.#now + delayMs, run };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /** Runs timers in order until the promise has settled, however that is; fails when there is nothing left to run. */
  async runUntil<T>(promise: Promise<T>): Promise<T> {
    const state = { settled: false };
    const done = (): void => {
      state.settled = true;
    };
    promise.then(done, done);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (state.settled) return promise;
      const [next] = [...this.#timers].sort((one, other) => one.at - other.at);
      if (next === undefined) throw new Error('nothing left to run, and the promise has not settled');
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
  }
}
