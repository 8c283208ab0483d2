/**
 * Columns of numbers as text: each number as the difference to the one before in as few bytes as it needs, then deflated
 * (RFC 1951) and in base64 (RFC 4648).
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

export function packBytes(bytes: readonly number[]): string {
  return deflateRawSync(Buffer.from(bytes)).toString('base64');
}

/** Null if it cannot be inflated within the limit. */
export function unpackBytes(text: string, mostBytes: number): Uint8Array | null {
  try {
    return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes });
  } catch {
    return null;
  }
}

/** Seven bits per byte, the lowest first; the sign is the lowest bit. */
export function writeNumber(bytes: number[], number: number): void {
  let rest = number < 0 ? -2 * number - 1 : 2 * number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

export function differences(numbers: readonly number[]): number[] {
  return numbers.map((number, index) => number - (numbers[index - 1] ?? 0));
}

/** Equal differences, which times have, once with their count. */
export function writeRuns(bytes: number[], numbers: readonly number[]): void {
  let [run, before] = [0, 0];
  const end = (): void => {
    if (run > 0) for (const number of [run, before]) writeNumber(bytes, number);
    run = 0;
  };
  for (const difference of differences(numbers)) {
    if (difference !== before) end();
    before = difference;
    run += 1;
  }
  end();
}

export function commonDivisor(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

export class NumberReader {
  private place = 0;
  isBroken = false;

  constructor(private readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.isBroken || this.place >= this.bytes.length;
  }

  next(): number {
    let value = this.bytes[this.place] ?? this.broken();
    this.place += 1;
    if (value >= 128) {
      value -= 128;
      for (let factor = 128, byte = 128; byte >= 128; factor *= 128) {
        byte = this.bytes[this.place] ?? this.broken();
        if (factor > Number.MAX_SAFE_INTEGER) byte = this.broken();
        value += (byte % 128) * factor;
        this.place += 1;
      }
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Fills a column with numbers from their differences. */
  column(numbers: Float64Array): void {
    let sum = 0;
    for (let slot = 0; slot < numbers.length && !this.isBroken; slot += 1) numbers[slot] = sum += this.next();
  }

  /** Fills a column with numbers from the runs of equal differences. */
  runs(numbers: Float64Array): void {
    let [slot, sum] = [0, 0];
    while (slot < numbers.length && !this.isBroken) {
      const [run, difference] = [this.next(), this.next()];
      const end = slot + run;
      if (run < 1 || end > numbers.length) this.broken();
      else for (; slot < end; slot += 1) numbers[slot] = sum += difference;
    }
  }

  /** Numbers as their eight bytes; null if there are fewer. */
  doubles(count: number): Float64Array | null {
    const end = this.place + 8 * count;
    if (end > this.bytes.length) return null;
    const numbers = new Float64Array(Uint8Array.from(this.bytes.subarray(this.place, end)).buffer);
    this.place = end;
    return numbers;
  }

  private broken(): number {
    this.isBroken = true;
    return 0;
  }
}
