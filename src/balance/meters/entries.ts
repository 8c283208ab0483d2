/** Entries of lists whose index is known to be in them: a list per part of a period has as many entries as there are parts. */

/** @throws {RangeError} for an index that is not in the list, which is a fault of this package */
export function entryOf<T>(list: ArrayLike<T>, index: number): T {
  const entry = list[index];
  if (entry === undefined) throw new RangeError(`no entry ${index} in a list of ${list.length}`);
  return entry;
}
