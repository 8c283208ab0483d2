/** The simulator's time: real, shifted, frozen or running faster. Everything in this room asks a Clock and never Date. */
import { millis, type Millis } from '../protocol/time';

export interface SimulatedClock {
  now(): Millis;
  /** Simulated milliseconds per real one; 0 = frozen. */
  readonly speed: number;
}

export interface SimulatedClockOptions {
  /** Where the clock starts; default: the real time. */
  readonly start?: Millis;
  /** 1 = as time goes by, 60 = a minute each second, 0 = frozen. */
  readonly speed?: number;
}

export function createSimulatedClock({ start, speed = 1 }: SimulatedClockOptions = {}): SimulatedClock {
  const origin = performance.now();
  const first = start ?? Date.now();
  return { speed, now: () => millis(Math.floor(first + (performance.now() - origin) * speed)) };
}
