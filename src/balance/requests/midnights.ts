/**
 * Reads the counters of a local monitor at every local midnight: it has current readings only, and the difference of two
 * midnights is the amount of a day. One reading shortly before and one at the border, so a single failure does not lose the
 * day.
 */
import { periodContaining } from '../../calendar/periods';
import type { Clock } from '../../clock';
import { minuteMs } from '../../protocol/time';

/** A reading stands for a midnight at most five minutes later; the closer one counts. */
const earlyMs = minuteMs;
/** A reading this long after a border still stands for it. */
const lateMs = 1_000;
/** The machine may sleep, and its clock may be set. */
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
        // Set back, or half of the way.
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
