/** Every moment and every wait of the receiver goes through this, so that a test can hold the time in its hand. */
import { millis, type Millis } from '../wire/time';

export interface ReceiverClock {
  /** The wall clock. */
  now(): Millis;
  /** Milliseconds that only go forward: what waits and lifetimes are measured with. */
  monotonic(): number;
  /** Runs once after so many milliseconds; the returned function prevents it. */
  after(ms: number, run: () => void): () => void;
  /** Runs in a later turn of the event loop. */
  soon(run: () => void): void;
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: ReceiverClock = {
  now: () => millis(Date.now()),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
  soon: (run) => {
    setImmediate(run);
  },
};
