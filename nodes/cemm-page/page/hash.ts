/** A short name of a long text, the same in a browser and in the node. Not against forgery: it only keeps the answers of one viewer apart. */

/** 53 bits (cyrb53), as a text of at most 11 characters. */
export function shortHash(text: string): string {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (2 ** 32 * (low & 0x1fffff) + (high >>> 0)).toString(36);
}
