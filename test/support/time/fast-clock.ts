/** A faster time, shared by the simulators and the Node-REDs of a test. */
import type { SimulatedClock } from '../../../src/simulator/simulated-clock';
import { millis } from '../../../src/time/units';

export interface FastClock {
  /** For startSimulator. */
  readonly clock: SimulatedClock;
  /** For NodeRed.start; a restarted process continues with this time. */
  readonly env: Readonly<Record<string, string>>;
}

export interface FastClockOptions {
  /** First moment, epoch ms; default: the real time. */
  readonly start?: number;
  readonly speed: number;
  /** False: only the time of day is faster. True: so are timers and monotonic time of the Node-REDs. */
  readonly timers?: boolean;
}

export function fastClock({ start = Date.now(), speed, timers = false }: FastClockOptions): FastClock {
  const since = Date.now();
  return {
    clock: { speed, now: () => millis(Math.floor(start + (Date.now() - since) * speed)) },
    env: {
      CEMM_TEST_CLOCK: new Date(start).toISOString(),
      CEMM_TEST_CLOCK_SPEED: String(speed),
      CEMM_TEST_CLOCK_SINCE: String(since),
      ...(timers ? { CEMM_TEST_TIMER_SPEED: String(speed) } : {}),
    },
  };
}

/**
 * Polls, pauses and deadlines take a fifth of their time. The flows have the longest deadlines, so a slow machine does not
 * exceed them.
 * @param start first moment, epoch ms; default: the real time
 */
export function fiveTimesAsFast(start = Date.now()): FastClock {
  return fastClock({ start, speed: 5, timers: true });
}
