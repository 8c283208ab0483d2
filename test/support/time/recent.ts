/** A simulator whose meters have been in service since then has little to add up, and answers at once on a busy machine. */
import { millis, type Millis } from '../../../src/protocol/time';

export function weeksAgo(weeks: number, now: number = Date.now()): Millis {
  return millis(now - weeks * 7 * 86_400_000);
}
