/** Entries of lists: at indexes that exist, because a list per part of a period has one entry for each part, and in ascending order. */

/** @throws {RangeError} the index is outside the list, which is a bug of this package */
export function getEntry<T>(list: ArrayLike<T>, index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new RangeError(`no entry ${index} in a list of ${list.length}`);
  return entry;
}

/**
 * The number of entries of an ascending list before the first one that is not before. A year has 35,000 quarters of an hour.
 * @param isBefore true for the entries up to a place in the list, and false for the others
 */
export function countBefore<T>(list: ArrayLike<T>, isBefore: (entry: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(getEntry(list, middle))) low = middle + 1;
    else high = middle;
  }
  return low;
}
