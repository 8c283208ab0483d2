/** List entries at indexes that exist: a list per part of a period has one entry for each part. */

/** @throws {RangeError} the index is outside the list, which is a bug of this package */
export function getEntry<T>(list: ArrayLike<T>, index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new RangeError(`no entry ${index} in a list of ${list.length}`);
  return entry;
}
