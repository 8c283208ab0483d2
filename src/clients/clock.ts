/**
 * The two times of a client. Deadlines and the age of a promise use the monotonic one, so that a step of the host's clock
 * moves none of them; only `fetchedAt` uses the wall clock.
 */
import { millis } from '../wire/time';
import type { Millis } from '../wire/time';

export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  monotonic(): number;
  wall(): Millis;
  /** Runs once after that many milliseconds; the returned function calls it off. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => millis(Date.now()),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};
