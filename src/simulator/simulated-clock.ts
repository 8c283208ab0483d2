/** The clock of the simulator: real time, shifted, frozen or faster. The simulator uses it instead of Date. */
import { setTimeout } from 'node:timers/promises';
import { millis, type Millis } from '../time/units';

export interface SimulatedClock {
  /** Unix ms. */
  now(): Millis;
  /** Simulated milliseconds per real millisecond; 0: frozen. */
  readonly speed: number;
}

export interface SimulatedClockOptions {
  /** Start of the clock, Unix ms. Default: the real time. */
  readonly start?: Millis;
  /** 1: real time; 60: a minute per second; 0: frozen. Default 1. */
  readonly speed?: number;
}

export function createSimulatedClock({ start, speed = 1 }: SimulatedClockOptions = {}): SimulatedClock {
  const origin = performance.now();
  const first = start ?? Date.now();
  return { speed, now: () => millis(Math.floor(first + (performance.now() - origin) * speed)) };
}

/** Waits in real time. Ends early when the signal comes. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
