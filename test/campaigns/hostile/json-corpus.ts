/**
 * JSON texts at and beyond the edge of RFC 8259, drawn by a grammar: valid ones, ones with a single error, and known
 * disagreements of parsers.
 */
import type { Random } from '../../support/random';

const numbers = ['0', '-0', '1', '-1.5e3', '1e999', '-1e999', '1e-400', '9007199254740993', '123456789'.repeat(40)];
const noNumbers = [
  '01',
  '+1',
  '1.',
  '.5',
  '1e',
  '1e+',
  '0x1',
  'NaN',
  'Infinity',
  '-Infinity',
  '-',
  '--1',
  '1_000',
  '١',
];
const strings = [
  '""',
  '"a"',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u20ac"',
  '"\\/\\b\\f"',
  '"😀"',
  '"\u2028"',
];
const noStrings = ['"', '"\n"', '"\t"', '"\\x"', '"\\u12"', '"\\u{1}"', '"\\', "'a'", '“a”', '"\0"', 'a', '"\\ud800'];
const words = ['true', 'false', 'null'];
const noWords = ['True', 'NULL', 'undefined', 'nul', 'truefalse', 'None', 'tru\u0435'];
const blanks = ['', ' ', '\n', '\t', '\r\n', '  '];
const noBlanks = ['\u00a0', '\f', '\v', '\u2029', '/* */', '// x\n', '\ufeff', '\0'];
const names = [
  'format',
  'cemm',
  'time',
  'data',
  'value',
  'zon',
  'reading',
  'x',
  '',
  '__proto__',
  'constructor',
  'toString',
];

/** A text that may or may not be JSON; most are under 2 kB. */
export function jsonText(random: Random): Buffer {
  switch (random.int(0, 9)) {
    case 0:
      return nest(random);
    case 1:
      return encoded(random, value(random, 3, 0));
    case 2:
      return mutated(random, Buffer.from(value(random, 3, 0)));
    case 3:
      return mutated(random, Buffer.from(deliveryLike(random, 0.2)));
    case 4:
      return Buffer.from(deliveryLike(random, 0));
    case 5:
      return Buffer.from(deliveryLike(random, 0.15));
    case 6:
      return random.bytes(random.int(0, 200));
    default:
      return Buffer.from(value(random, 4, 0.08));
  }
}

/** @param flaws share of invalid parts */
function value(random: Random, depth: number, flaws: number): string {
  const blank = (): string => random.pick(random.happens(flaws / 2) ? noBlanks : blanks);
  const bad = random.happens(flaws);
  const kind = depth === 0 ? random.int(0, 2) : random.int(0, 4);
  switch (kind) {
    case 0:
      return random.pick(bad ? noNumbers : numbers);
    case 1:
      return random.pick(bad ? noStrings : strings);
    case 2:
      return random.pick(bad ? noWords : words);
    case 3: {
      const items = Array.from({ length: random.int(0, 4) }, () => blank() + value(random, depth - 1, flaws) + blank());
      return bad
        ? random.pick(['[' + items.join(',') + ',]', '[' + items.join(' '), items.join(',') + ']', '[,]'])
        : `[${items.join(',')}]`;
    }
    default: {
      const pairs = Array.from(
        { length: random.int(0, 4) },
        () => `${blank()}${JSON.stringify(random.pick(names))}${blank()}:${value(random, depth - 1, flaws)}`,
      );
      return bad
        ? random.pick([
            `{${pairs.join(',')},}`,
            `{${pairs.join(';')}`,
            '{"a"}',
            '{a:1}',
            '{"a" 1}',
            '{1:1}',
            '{"a":1}}',
          ])
        : `{${pairs.join(',')}}`;
    }
  }
}

/** A delivery with records of any kind. Never from the monitor of the valid deliveries. */
export function deliveryLike(random: Random, flaws: number): string {
  const record = (): string =>
    random.happens(0.5)
      ? `{"time":${random.pick(numbers)},"value":${value(random, 0, flaws)}}`
      : value(random, 2, flaws);
  const named = (inner: () => string): string =>
    `{${Array.from({ length: random.int(0, 3) }, (_, index) => `${JSON.stringify(`${random.pick(names)}${index}`)}:${inner()}`).join(',')}}`;
  const data = random.happens(0.2)
    ? `[${Array.from({ length: random.int(0, 5) }, () => `[${random.pick(numbers)},${value(random, 0, flaws)}]`).join(',')}]`
    : named(() => named(() => named(record)));
  const time = random.happens(0.7) ? String(1_760_000_000 + random.int(0, 1_000_000)) : value(random, 0, flaws);
  const format = random.happens(0.8) ? '"basic-v1"' : value(random, 0, flaws);
  return `{"format":${format},"cemm":${random.int(1, 1000)},"time":${time},"data":${data}}`;
}

function nest(random: Random): Buffer {
  const levels = random.pick([15, 16, 17, 100, 1000, 12_000, 40_000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"a":', '}]'],
  ] as const);
  const closed = random.happens(0.6);
  return Buffer.from(`${open.repeat(levels)}${closed ? `1${close.repeat(levels)}` : ''}`);
}

/** In another encoding, or in none. */
function encoded(random: Random, text: string): Buffer {
  const utf8 = Buffer.from(text);
  return random.pick([
    Buffer.from(`\ufeff${text}`, 'utf16le'),
    Buffer.from(text, 'utf16le').swap16(),
    Buffer.from(`\ufeff${text}`),
    Buffer.concat([Buffer.from('"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"')]),
    Buffer.concat([Buffer.from('"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"')]),
    Buffer.concat([Buffer.from('["'), Buffer.from([0xf8, 0x88, 0x80, 0x80, 0x80]), Buffer.from('"]')]),
    Buffer.concat([utf8, Buffer.from([0x00])]),
    Buffer.concat([utf8, utf8]),
  ]);
}

/** One to three bytes removed, inserted, doubled or changed. */
export function mutated(random: Random, bytes: Buffer): Buffer {
  let result = bytes;
  for (let count = random.int(1, 3); count > 0; count--) {
    const at = random.int(0, Math.max(0, result.length - 1));
    const put = random.happens(0.5) ? Buffer.from(random.text(1, '{}[],:"\\0e-\n')) : random.bytes(1);
    const rest = result.subarray(at);
    const middle = random.pick([rest.subarray(1), Buffer.concat([put, rest]), Buffer.concat([put, rest.subarray(1)])]);
    result = Buffer.concat([result.subarray(0, at), middle]);
  }
  return result;
}
