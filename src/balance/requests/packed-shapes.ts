/**
 * Shapes as text: columns of whole numbers, each as the difference to the one before in as few bytes as it needs, then deflated
 * (RFC 1951) and in base64 (RFC 4648). A day of a smart meter by the minute takes about 1.1 kB.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { quantities } from '../meters/amounts';
import { shapeOf, type Shapes, type Slot, slotsOf } from '../meters/shape';

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
    for (const column of columns(unit)) {
      let before = 0;
      for (const slot of slots) {
        const number = column.of(slot);
        write(bytes, number - before);
        before = number;
      }
    }
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
    const [starts, lengths, amounts, gaps] = columns(unit).map(() => reader.column(count));
    if (!starts || !lengths || !amounts || !gaps || reader.isBroken) return null;
    shapes[quantity] = shapeOf(
      starts.map((start, index): Slot => {
        const length = lengths[index] ?? 0;
        return { start, end: start + length, amount: (amounts[index] ?? 0) * unit, known: length - (gaps[index] ?? 0) };
      }),
    );
  }
  return reader.isBroken ? null : shapes;
}

function columns(unit: number): readonly { readonly of: (slot: Slot) => number }[] {
  return [
    { of: ({ start }) => start },
    { of: ({ start, end }) => end - start },
    { of: ({ amount }) => amount / unit },
    { of: ({ start, end, known }) => end - start - known },
  ];
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
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = this.bytes[this.place];
      if (byte === undefined || factor > Number.MAX_SAFE_INTEGER) {
        this.isBroken = true;
        return 0;
      }
      this.place += 1;
      value += (byte % 128) * factor;
      if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= 128;
    }
  }

  /** Numbers from their differences. */
  column(count: number): number[] {
    let sum = 0;
    return Array.from({ length: count }, () => (sum += this.next()));
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
