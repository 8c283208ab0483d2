/**
 * Injectable clock for tests. Deadlines, waits and lifetimes use the monotonic time, so that setting the host's clock moves
 * none of them; only what is shown or compared with a monitor's clock uses the time of day.
 */
import { millis, type Millis } from './protocol/time';

export interface Clock {
  /** The time of day. */
  now(): Millis;
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  /** Runs once after that many milliseconds; the returned function prevents it. */
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

/** The same, but its timers do not keep the process alive: for a receiver, which waits for calls of others. */
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
