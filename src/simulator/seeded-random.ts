/** Random numbers that depend only on a seed, the number of a stream and an index, so the simulator stores none. */

/** Seed and number of a stream. */
export type RandomStream = number & { readonly __brand: 'Stream' };

export function randomStream(seed: number, number: number): RandomStream {
  return mix(mix(seed) + number) as RandomStream;
}

/** A number in [0, 1). */
export function randomAt(source: RandomStream, index: number): number {
  return (mix(source + index) >>> 0) / 0x1_0000_0000;
}

/** `randomAt` for a single number of a stream. */
export function seededRandom(seed: number, number: number, index: number): number {
  return randomAt(randomStream(seed, number), index);
}

/** A number in [0, 1) that changes slowly: random at multiples of `step`, linear between them. */
export function smoothRandom(source: RandomStream, index: number, step: number): number {
  const cell = Math.floor(index / step);
  const before = randomAt(source, cell);
  const after = randomAt(source, cell + 1);
  return before + (after - before) * (index / step - cell);
}

/** An integer hash (multiply and shift). */
function mix(value: number): number {
  let word = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return ((word ^ (word >>> 16)) + 0x9e3779b9) | 0;
}
