/**
 * Timers at a fixed rate: the first run at once, the others on a fixed grid with its own phase, so that polls of different
 * requests are spread.
 */
import type { Clock } from './clock';
import { CemmError } from '../errors';
import { dayMs, minuteMs } from './units';

/** Half of this is the largest shift of a grid: a daily poll must not move by half a day. */
const mostPhaseMs = 5 * minuteMs;

/**
 * Shift of the grid against the first poll in ms, from −½ to +½ interval, so that the second poll comes half an
 * interval after the first at the earliest, and one and a half at the latest.
 * @param place position in the interval, 0 ≤ x < 1
 */
export function phaseMs(place: number, intervalMs: number): number {
  return Math.round((place - 0.5) * Math.min(mostPhaseMs, intervalMs));
}

/** The slot after the last one. Skips slots that have passed; a timer that fires early does not repeat a slot. */
export function nextSlot(last: number, gridStart: number, intervalMs: number, now: number): number {
  return Math.max(last + 1, Math.floor((now - gridStart) / intervalMs) + 1);
}

/**
 * Runs at once and then on a fixed grid. Skips slots that pass while a run is busy, or while the machine is suspended.
 * @param phase shift of the grid against the first run, in ms
 * @param run must not reject
 * @returns stops the timer; a run that is busy continues
 */
export function startIntervalTimer(
  clock: Clock,
  intervalMs: number,
  phase: number,
  run: () => Promise<void>,
): () => void {
  const gridStart = clock.monotonic() + phase;
  let slot = 0;
  let busy = false;
  let stopTimer = clock.after(0, tick);

  function tick(): void {
    const now = clock.monotonic();
    slot = nextSlot(slot, gridStart, intervalMs, now);
    stopTimer = clock.after(gridStart + slot * intervalMs - now, tick);
    if (busy) return;
    busy = true;
    void run().finally(() => {
      busy = false;
    });
  }

  return () => {
    stopTimer();
  };
}

/** Upper limit of an interval; timers longer than 2^31 − 1 ms fire at once. */
const longestIntervalMs = dayMs;

/**
 * The interval, limited to a day.
 * @throws {CemmError} `CONFIG` (`interval`) when it is not a positive number
 */
export function checkedInterval(intervalMs: number): number {
  if (intervalMs > 0) return Math.min(intervalMs, longestIntervalMs);
  throw new CemmError('CONFIG', { reason: 'interval' });
}
