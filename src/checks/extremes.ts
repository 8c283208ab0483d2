/** The largest and the smallest number of a list of any length: as arguments of Math.max it could be too long. Also runs in a browser. */

/** -Infinity for an empty list. */
export function largest(numbers: Iterable<number>): number {
  let most = -Infinity;
  for (const number of numbers) most = Math.max(most, number);
  return most;
}

/** Infinity for an empty list. */
export function smallest(numbers: Iterable<number>): number {
  let least = Infinity;
  for (const number of numbers) least = Math.min(least, number);
  return least;
}
