/** Seeded random numbers: the same seed draws the same cases on every machine (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
  }

  /** From 0 inclusive to 1 exclusive. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.int(0, list.length - 1)];
    if (found === undefined) throw new RangeError('nothing to pick from');
    return found;
  }

  /** True with this probability. */
  happens(share: number): boolean {
    return this.next() < share;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.int(0, 255)));
  }

  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet.charAt(this.int(0, alphabet.length - 1))).join('');
  }
}

/** Numbers from 0 inclusive to 1 exclusive, one at each call. */
export function drawNumbers(seed: number): () => number {
  const random = new Random(seed);
  return () => random.next();
}
