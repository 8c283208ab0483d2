/** Checks the arguments of public functions, as plain JavaScript has no compiler that names a wrong one. */
import { closest } from './closest';
import { CemmError } from '../errors';
import { isRecord, type UnknownRecord } from './record';

/** Accepted values of an option. */
export interface Kind {
  /** Completes the sentence “must be …”. */
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
  /** Another value of this type is not described: that would say nothing. */
  readonly type?: 'string' | 'number';
  /** The words of a choice, for the advice after a misspelled one. */
  readonly words?: readonly string[];
  readonly isNeeded?: true;
}

/** One row per option, so that the compiler names a missing one. */
export type OptionTable<Options> = { readonly [Name in keyof Options]-?: Kind };

/** `CONFIG` for the options of a connection, a receiver or a formatter, `INPUT` for those of a request. */
type OptionCode = 'CONFIG' | 'INPUT';

const longestName = 40;

export const text: Kind = { expected: 'a text', accepts: (value) => typeof value === 'string' };
export const flag: Kind = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };
export const callback: Kind = { expected: 'a function', accepts: (value) => typeof value === 'function' };
export const list: Kind = { expected: 'a list', accepts: (value) => Array.isArray(value) };
export const object: Kind = { expected: 'an object', accepts: isRecord };
export const milliseconds: Kind = {
  expected: 'a number of milliseconds',
  accepts: (value) => typeof value === 'number' && !Number.isNaN(value),
};
export const abortSignal: Kind = {
  expected: 'an AbortSignal',
  accepts: (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
};
export const texts: Kind = {
  expected: 'a list of texts',
  accepts: (value) => Array.isArray(value) && value.every((entry) => typeof entry === 'string'),
};

export function wholeNumber(least: number, most: number): Kind {
  return {
    expected: `a whole number from ${least} to ${most}`,
    accepts: (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
    type: 'number',
  };
}

export const port = wholeNumber(0, 65_535);

export function oneOf(words: readonly (string | number | boolean)[]): Kind {
  const known: ReadonlySet<unknown> = new Set(words);
  const list = words.map((word) => `\`${String(word)}\``).join(', ');
  return {
    expected: words.length === 1 ? list : `one of ${list}`,
    accepts: (value) => known.has(value),
    type: typeof words[0] === 'number' ? 'number' : 'string',
    words: words.filter((word) => typeof word === 'string'),
  };
}

export function either(one: Kind, other: Kind): Kind {
  return {
    expected: `${one.expected} or ${other.expected}`,
    accepts: (value) => one.accepts(value) || other.accepts(value),
  };
}

/** The same kind in the words of one option: `texts` as “a list of aliases, such as ['p1']”. */
export function described(kind: Kind, expected: string): Kind {
  return { ...kind, expected };
}

export function needed(kind: Kind): Kind {
  return { ...kind, isNeeded: true };
}

/**
 * Checks an argument that has a place and no name in the call, such as an alias.
 * @throws {CemmError} `option_missing`, `option_type`
 */
export function checkArgument(code: OptionCode, name: string, value: unknown, kind: Kind): void {
  if (value === undefined && kind.isNeeded === true) {
    throw new CemmError(code, { reason: 'option_missing', params: { option: name, expected: kind.expected } });
  }
  if (value === undefined || kind.accepts(value)) return;
  const instead = typeof value === 'string' ? closest(value, kind.words ?? []) : null;
  throw new CemmError(code, {
    reason: 'option_type',
    params: {
      option: name,
      expected: kind.expected,
      given: typeof value === kind.type ? '' : `, and is ${given(value)}`,
      advice: adviceOf(instead),
    },
  });
}

/**
 * Checks an object of options. Its values are never quoted, because they may be keys.
 * @param at place of the object in the call, such as `search`, for an object in an object
 * @throws {CemmError} `option_missing`, `option_type`, `option_unknown`
 */
export function checkOptions<Options>(
  code: OptionCode,
  options: unknown,
  table: OptionTable<Options>,
  at: 'options' | (string & {}) = 'options',
): void {
  checkArgument(code, at, options, object);
  const rows = new Map<string, Kind>(Object.entries<Kind>(table));
  const own: UnknownRecord = isRecord(options) ? options : {};
  const prefix = at === 'options' ? '' : `${at}.`;
  for (const name of Object.keys(own)) if (!rows.has(name)) throw unknownOption(code, name, [...rows.keys()], prefix);
  for (const [name, kind] of rows) checkArgument(code, `${prefix}${name}`, own[name], kind);
}

/** The error about a name that no option has. */
export function unknownOption(code: OptionCode, name: string, known: readonly string[], prefix = ''): CemmError {
  const advice = adviceOf(closest(name, known)) || ` There are: ${known.join(', ')}.`;
  return new CemmError(code, { reason: 'option_unknown', params: { option: `${prefix}${shortenName(name)}`, advice } });
}

function adviceOf(instead: string | null): string {
  return instead === null ? '' : ` Write \`${instead}\`.`;
}

function shortenName(name: string): string {
  return name.slice(0, longestName).replace(/[\p{C}\p{Z}`]/gu, '?');
}

/** The kind of a value, without the value. */
function given(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (Number.isNaN(value)) return 'NaN';
  const kinds = {
    string: value === '' ? 'a blank text' : 'a text',
    number: 'a number',
    bigint: 'a BigInt',
    boolean: value === true ? 'true' : 'false',
    symbol: 'a symbol',
    undefined: 'missing',
    function: 'a function',
    object: 'an object',
  };
  return kinds[typeof value];
}
