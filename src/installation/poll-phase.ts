/**
 * When in its interval something is polled. With a hash of what is asked for its place, polls of many monitors spread
 * evenly over the interval, and those of two machines that start together do not fall together.
 */
/** Nobody who polls once a day wants to wait half a day longer for it. */
const WIDEST_MS = 5 * 60_000;

/**
 * Milliseconds by which the grid of polls is moved against the moment of the first poll: from −½ to +½ interval, so that
 * the second poll comes half an interval after the first at the earliest, and one and a half at the latest.
 * @param place in the interval, 0 ≤ x < 1
 */
export function phaseMs(place: number, intervalMs: number): number {
  return Math.round((place - 0.5) * Math.min(WIDEST_MS, intervalMs));
}
