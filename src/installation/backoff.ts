/** Waiting times after failures (reliability 6.3): full jitter, because many pollers fail at the same moment. */

const FIRST_MS = 5_000;
const CEILING_MS = 5 * 60_000;
/** A draw near zero would be no pause at all. */
const FLOOR_MS = 1_000;

/** Milliseconds to wait after the n-th failure in a row: up to 5 s, then 10, 20, … 300 s, for ever. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(CEILING_MS, FIRST_MS * 2 ** (Math.max(1, failures) - 1));
  return Math.max(FLOOR_MS, Math.round(random() * ceiling));
}
