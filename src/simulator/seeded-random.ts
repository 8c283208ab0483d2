/** A source of chance: everything drawn from it depends on the seed, the number of the stream and an index. */
export type RandomStream = number & { readonly __brand: 'Stream' };

export function randomStream(seed: number, number: number): RandomStream {
  return mix(mix(seed) + number) as RandomStream;
}

/** Chance without a generator: a number in [0, 1) that depends on its arguments alone, so that a house needs no memory. */
export function randomAt(source: RandomStream, index: number): number {
  return (mix(source + index) >>> 0) / 0x1_0000_0000;
}

/** A single draw, where speed does not matter. */
export function seededRandom(seed: number, number: number, index: number): number {
  return randomAt(randomStream(seed, number), index);
}

/** A slow wave in [0, 1): chance at every `step`th index, straight lines between. */
export function smoothRandom(source: RandomStream, index: number, step: number): number {
  const cell = Math.floor(index / step);
  const before = randomAt(source, cell);
  const after = randomAt(source, cell + 1);
  return before + (after - before) * (index / step - cell);
}

/** Spreads every bit of the input over the whole word (multiply and shift, the usual integer finalizer). */
function mix(value: number): number {
  let word = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  word = Math.imul(word ^ (word >>> 15), 0x846ca68b);
  return (word ^ (word >>> 16)) + 0x9e3779b9;
}
