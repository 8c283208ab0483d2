/** Chance without a generator: a number in [0, 1) that depends on its arguments alone, so that a house needs no memory. */
export function chance(seed: number, stream: number, index: number): number {
  return (mix(mix(mix(seed) + stream) + index) >>> 0) / 0x1_0000_0000;
}

/** A slow wave in [0, 1): chance at every `step`th index, straight lines between. */
export function wave(seed: number, stream: number, index: number, step: number): number {
  const cell = Math.floor(index / step);
  const before = chance(seed, stream, cell);
  const after = chance(seed, stream, cell + 1);
  return before + (after - before) * (index / step - cell);
}

/** Spreads every bit of the input over the whole word (multiply and shift, the usual integer finalizer). */
function mix(value: number): number {
  let word = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return (word ^ (word >>> 16)) + 0x9e3779b9;
}
