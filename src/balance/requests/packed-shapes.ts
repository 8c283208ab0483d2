/**
 * Shapes as text (`src/store/packed-numbers.ts`). A day of a smart meter by the minute takes about 1.1 kB.
 */
import {
  commonDivisor,
  differences,
  NumberReader,
  packBytes,
  unpackBytes,
  writeNumber,
  writeRuns,
} from '../../store/packed-numbers';
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
    for (const number of [index, slots.length, unit]) writeNumber(bytes, number);
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
    for (const number of differences(slots.map(({ amount }) => amount / unit))) writeNumber(bytes, number);
  });
  return packBytes(bytes);
}

/** Null for anything but the result of `packShapes`. */
export function unpackShapes(text: unknown): Shapes | null {
  if (typeof text !== 'string') return null;
  const bytes = unpackBytes(text, mostBytes);
  if (bytes === null) return null;
  const shapes: Shapes = {};
  const reader = new NumberReader(bytes);
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
