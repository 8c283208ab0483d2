/**
 * Shapes as text: columns of whole numbers, each as the difference to the one before in as few bytes as it needs, then deflated
 * (RFC 1951) and in base64 (RFC 4648). A day of a smart meter by the minute takes about 1.1 kB.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { quantities } from '../meters/amounts';
import { entryOf } from '../meters/entries';
import { emptyShape, type Shapes, slotsOf } from '../meters/shape';

/** A day has 1,500 slots. */
const mostSlots = 2_000;
const mostBytes = 200_000;

export function packShapes(shapes: Shapes): string {
  const bytes: number[] = [];
  quantities.forEach((quantity, index) => {
    const shape = shapes[quantity];
    if (shape === undefined) return;
    const slots = slotsOf(shape);
    const unit = slots.reduce((common, { amount }) => commonDivisor(common, amount), 0) || 1;
    for (const number of [index, slots.length, unit]) write(bytes, number);
    writeRuns(
      bytes,
      slots.map(({ start }) => start),
    );
    writeRuns(
      bytes,
      slots.map(({ start, end }) => end - start),
    );
    writeRuns(
      bytes,
      slots.map(({ start, end, known }) => end - start - known),
    );
    for (const number of differences(slots.map(({ amount }) => amount / unit))) write(bytes, number);
  });
  return deflateRawSync(Buffer.from(bytes)).toString('base64');
}

/** Null for anything but the result of `packShapes`. */
export function unpackShapes(text: unknown): Shapes | null {
  if (typeof text !== 'string') return null;
  const bytes = inflated(text);
  if (bytes === null) return null;
  const shapes: Shapes = {};
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const [quantity, count, unit] = [quantities[reader.next()], reader.next(), reader.next()];
    if (quantity === undefined || count < 0 || count > mostSlots) return null;
    const shape = emptyShape(count);
    const { starts, ends, amounts, known } = shape;
    for (const column of [starts, ends, known]) reader.runs(column);
    reader.column(amounts);
    for (let slot = 0; slot < count; slot += 1) {
      const length = entryOf(ends, slot);
      ends[slot] = length + entryOf(starts, slot);
      amounts[slot] = unit * entryOf(amounts, slot);
      known[slot] = length - entryOf(known, slot);
    }
    shapes[quantity] = shape;
  }
  return reader.isBroken ? null : shapes;
}

function differences(numbers: readonly number[]): number[] {
  return numbers.map((number, index) => number - (numbers[index - 1] ?? 0));
}

/** Equal differences, which times have, once with their count. */
function writeRuns(bytes: number[], numbers: readonly number[]): void {
  let [run, before] = [0, 0];
  const end = (): void => {
    if (run > 0) for (const number of [run, before]) write(bytes, number);
    run = 0;
  };
  for (const difference of differences(numbers)) {
    if (difference !== before) end();
    before = difference;
    run += 1;
  }
  end();
}

function commonDivisor(one: number, other: number): number {
  let [a, b] = [Math.abs(one), Math.abs(other)];
  while (b > 0) [a, b] = [b, a % b];
  return a;
}

/** Seven bits per byte, the lowest first; the sign is the lowest bit. */
function write(bytes: number[], number: number): void {
  let rest = number < 0 ? -2 * number - 1 : 2 * number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

class Reader {
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

  private broken(): number {
    this.isBroken = true;
    return 0;
  }
}

/** Null if it cannot be inflated within the limit. */
function inflated(text: string): Uint8Array | null {
  try {
    return inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: mostBytes });
  } catch {
    return null;
  }
}
