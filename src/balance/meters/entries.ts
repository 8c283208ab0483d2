/** List entries at indexes that are known to exist: a list per part of a period has one entry per part. */

/** @throws {RangeError} for an index outside the list, which is a fault of this package */
export function entryOf<T>(list: ArrayLike<T>, index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new RangeError(`no entry ${index} in a list of ${list.length}`);
  return entry;
}
