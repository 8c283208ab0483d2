/** A short name of a long text, the same in a browser and in the node. Not against forgery: it only keeps the answers of one viewer apart. */

/** 64 bits (two FNV-1a hashes with different primes), as a text of at most 14 characters. */
export function shortHash(text: string): string {
  let [first, second] = [1, 2];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 16_777_619);
    second = Math.imul(second ^ code, 1_597_334_677);
  }
  return [first, second].map((hash) => (hash >>> 0).toString(36)).join('');
}
