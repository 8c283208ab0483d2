/** Secrets that can be recognized in any encoding. */
import { seededRandom } from '../../../src/simulator/seeded-random';

const letters = 'bcdfghjkqvwxz';

const scripts = [
  'бвгджзклмн',
  'βγδζθλξπφψ',
  '가나다라마바사아자차',
  'בגדהוזחטכל',
  '\u{1d44e}\u{1d44f}\u{1d450}\u{1d451}',
];

/** Characters of the shortest form. */
const shortest = 8;

export class MarkedSecrets {
  private drawn = 0;
  private readonly plain: string[] = [];
  private readonly macs: string[] = [];

  constructor(private readonly seed: number) {}

  get count(): number {
    return this.plain.length + this.macs.length;
  }

  random(): number {
    this.drawn += 1;
    return seededRandom(this.seed, 900, this.drawn);
  }

  /** Letters and digits in both cases, with a space and an umlaut now and then. */
  text(): string {
    const between = ['', ' ', 'ü', '-', '"', '/'][this.below(6)] ?? '';
    return this.markSecret(`${this.word()}${between}${this.word()}`);
  }

  /** A text that may be a part of a path. */
  alias(): string {
    return this.markSecret(`${this.word()}${this.word()}`.toLowerCase());
  }

  digits(length: number): string {
    return this.markSecret(Array.from({ length }, () => 1 + this.below(9)).join(''));
  }

  number(): number {
    return Number(this.digits(9));
  }

  /** A reading of eight digits, and a fraction that stays. */
  reading(): number {
    const whole = this.digits(8);
    return Number(`${whole}.5`);
  }

  /** Less than 100, as a coordinate: its digits are found whatever is added before the point. */
  decimal(): number {
    const decimals = this.digits(12);
    return Number(`${10 + this.below(90)}.${decimals}`);
  }

  /** A name in the letters of another script. */
  otherScript(): string {
    const script = scripts[this.below(scripts.length)] ?? 'жщ';
    return this.markSecret(Array.from({ length: 9 }, () => Array.from(script)[this.below(script.length)]).join(''));
  }

  hex(): string {
    return this.markSecret(this.hexDigits(64));
  }

  ip(): string {
    return this.markSecret(`10.${100 + this.below(150)}.${100 + this.below(150)}.${100 + this.below(150)}`);
  }

  mac(): string {
    const digits = `d8${this.hexDigits(10)}`;
    this.macs.push(digits);
    return digits.replace(/..(?=.)/g, '$&:').toUpperCase();
  }

  /** The secrets that are in the text. */
  foundIn(text: string): string[] {
    const lower = text.toLowerCase();
    // Most forms are not found, which their beginning shows at once.
    const beginnings = new Set<string>();
    for (let at = 0; at + shortest <= lower.length; at += 1) beginnings.add(lower.slice(at, at + shortest));
    const found = (form: string): boolean => beginnings.has(form.slice(0, shortest)) && lower.includes(form);
    return [
      ...this.plain.filter((secret) => encodings(secret).some((form) => found(form.toLowerCase()))),
      ...this.macs.filter((mac) =>
        formsOf(mac).some((form) => found(form) || encodings(form).some((one) => found(one.toLowerCase()))),
      ),
    ];
  }

  private word(): string {
    const word = Array.from({ length: 5 }, () => letters[this.below(letters.length)] ?? 'q').join('');
    return `${word.slice(0, 2).toUpperCase()}${word.slice(2)}${10 + this.below(90)}`;
  }

  private hexDigits(length: number): string {
    return Array.from({ length }, () => this.below(16).toString(16)).join('');
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private markSecret(secret: string): string {
    this.plain.push(secret);
    return secret;
  }
}

function formsOf(mac: string): string[] {
  const reversed = Array.from(mac).reverse().join('');
  const pairs = mac.match(/../g) ?? [];
  const backwards = [...pairs].reverse();
  return [
    mac,
    reversed,
    ...[':', '-', '.', ' ', ''].flatMap((separator) => [pairs.join(separator), backwards.join(separator)]),
  ];
}

/** Base64 depends on the place of a text, so its middle is looked for at all three places. */
function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const base64 = [0, 1, 2].map((offset) => {
    const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return shifted.slice(offset === 0 ? 0 : 4, shifted.length - 4);
  });
  const escaped = secret
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  return [
    ...[secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), escaped, bytes.toString('hex')],
    ...base64.filter((text) => text.length >= 8),
  ];
}
