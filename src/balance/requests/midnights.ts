/**
 * Reads the counters of a local monitor at every local midnight. It has current readings only, and a day is the difference of two
 * midnights. It is read shortly before the border and at it, so that a single failure does not lose the day.
 */
import { periodContaining } from '../../calendar/periods';
import type { Clock } from '../../time/clock';
import { minuteMs } from '../../time/units';

/** A reading counts for a midnight that is at most five minutes later; the nearest reading is used. */
const earlyMs = minuteMs;
/** A reading this long after a border still counts for it. */
const lateMs = 1_000;
/** The machine may sleep, and its clock may change. */
const longestWaitMs = 10 * minuteMs;

/**
 * @param read must not reject
 * @returns a function that stops it
 */
export function atMidnights(clock: Clock, timezone: string, read: () => Promise<void>): () => void {
  let stopTimer = (): void => undefined;
  let stopped = false;
  let due = nextReading(clock.now());

  function nextReading(now: number): number {
    const { end } = periodContaining('day', timezone, clock.now());
    const first = [end - earlyMs, end + lateMs].find((moment) => moment > now);
    return first ?? end + lateMs;
  }

  function wait(): void {
    if (stopped) return;
    const delay = Math.min(longestWaitMs, Math.max(0, due - clock.now()));
    stopTimer = clock.after(delay, () => {
      const now = clock.now();
      if (now < due) {
        // The clock was set back, or half of the wait is over.
        due = Math.min(due, nextReading(now));
        wait();
        return;
      }
      const isTimely = now - due < earlyMs / 2;
      due = nextReading(now);
      void (isTimely ? read() : Promise.resolve()).then(wait);
    });
  }

  wait();
  return () => {
    stopped = true;
    stopTimer();
  };
}
