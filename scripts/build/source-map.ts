/**
 * Source maps that lead from a line to a line: what a stack trace shows. The columns of every token would make them as
 * large as the code itself.
 */

interface SourceMap {
  readonly mappings: string;
  readonly [property: string]: unknown;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The text of a map (version 3 with one source) with the first mapping of each line and without names. */
export function toLineMap(text: string): string {
  const map = JSON.parse(text) as SourceMap;
  return JSON.stringify({ ...map, names: [], mappings: firstOfEachLine(map.mappings) });
}

function firstOfEachLine(mappings: string): string {
  // All but the column in the made file go on counting from line to line.
  let line = 0;
  let written = 0;
  return mappings
    .split(';')
    .map((segments) => {
      let first: number | null = null;
      for (const segment of segments.split(',')) {
        const [, , lines] = decode(segment);
        if (lines === undefined) continue;
        line += lines;
        first ??= line;
      }
      if (first === null) return '';
      const moved = first - written;
      written = first;
      return encode([0, 0, moved, 0]);
    })
    .join(';');
}

/** Base 64 VLQ: five bits a digit, the sixth says that more follow, the very first bit is the sign. */
function decode(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const digit of segment) {
    const bits = digits.indexOf(digit);
    value += (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    numbers.push(value & 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encode(numbers: readonly number[]): string {
  let text = '';
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      const bits = rest & 31;
      rest >>= 5;
      text += digits.charAt(rest > 0 ? bits | 32 : bits);
    } while (rest > 0);
  }
  return text;
}
