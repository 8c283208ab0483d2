/** Columns of numbers: the minutes of a day, the registers of a house. */
export type Column = Float64Array | Int16Array | Uint8Array | Uint16Array;

/** @throws {RangeError} behind either end: a simulated house has no gaps to be silent about. */
export function numberAt(column: Column, index: number): number {
  const value = column[index];
  if (value === undefined) throw new RangeError(`a column of ${column.length} has no ${index}`);
  return value;
}

/** @throws {RangeError} as numberAt */
export function increase(column: Column, index: number, by: number): void {
  column[index] = numberAt(column, index) + by;
}
