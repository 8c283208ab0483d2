/** Start of the measurements for a simulator that answers at once, even on a busy machine: it has few minutes to add up. */
import { millis, type Millis } from '../../../src/time/units';

export function weeksAgo(weeks: number, now: number = Date.now()): Millis {
  return millis(now - weeks * 7 * 86_400_000);
}
