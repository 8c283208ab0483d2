/**
 * Injectable clock for tests. Deadlines, waits and lifetimes use the monotonic time, so a change of the host's clock does not
 * move them. The time of day is only displayed, or compared with a monitor's clock.
 */
import { millis, type Millis } from './units';

export interface Clock {
  /** The time of day. */
  now(): Millis;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /** Runs once after `delayMs`; the returned function prevents it. */
  after(delayMs: number, run: () => void): () => void;
  /** Runs in a later turn of the event loop. */
  soon(run: () => void): void;
}

export const systemClock: Clock = {
  now: () => millis(Date.now()),
  monotonic: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
  soon(run) {
    setImmediate(run);
  },
};

/** Its timers do not keep the process alive: for a receiver, which waits for requests. */
export const backgroundClock: Clock = {
  ...systemClock,
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};
