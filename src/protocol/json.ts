/**
 * JSON from outside: parses bytes, refuses reserved keys and deep nesting, and reads the members of a parsed value with
 * checks. Every error names the place in the JSON and the expected type, and never quotes the value.
 */
import { isUtf8 } from 'node:buffer';
import { scan } from 'secure-json-parse';
import { ProtocolError } from './protocol-error';
import { isList } from '../checks/record';
import { millis, type Millis, secondsToMillis, toMillis, toSeconds } from '../time/units';

export { ProtocolError };

/** Levels of nesting. Monitors send five; thousands of levels crash Node-RED when it clones the message. */
export const deepestNesting = 16;

/** The `expected` of the errors of `parseJson`, whose path is `$`. */
export type JsonExpectation = 'utf8' | 'json' | 'plain_keys' | 'shallow_nesting';

/**
 * Parses a JSON text (RFC 8259) in UTF-8. Removes a byte order mark.
 * @param options `maxDepth` is the number of levels allowed, 16 by default
 * @throws {ProtocolError} `utf8` (not UTF-8), `json` (not a JSON text), `plain_keys` (a key that reaches a prototype:
 *   `__proto__`, `constructor.prototype`) or `shallow_nesting` (more than `maxDepth` levels)
 */
export function parseJson(bytes: Uint8Array, options: { readonly maxDepth?: number } = {}): unknown {
  const value = parseUnchecked(bytes);
  if (isNested(value)) checkNesting(value, options.maxDepth ?? deepestNesting);
  return value;
}

/**
 * `parseJson` without the checks of keys and nesting. Pass the value to `removeReservedKeys` before using it.
 * @throws {ProtocolError} `utf8`, `json`
 */
export function parseUnchecked(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) refuseJson('utf8');
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return parseText(buffer.toString('utf8'));
}

/** Names and indexes from the root to a member. */
export type JsonPath = readonly (string | number)[];

/**
 * Deletes from a value of `parseUnchecked` the keys that `parseJson` refuses.
 * @returns the paths of the deleted keys
 * @throws {ProtocolError} `shallow_nesting`
 */
export function removeReservedKeys(value: unknown): JsonPath[] {
  const scanner = new NestingScanner();
  if (!isNested(value)) return [];
  if (scanner.isDeeperThan(value, deepestNesting)) refuseJson('shallow_nesting');
  return scanner.foundReservedKey ? removeFrom(value, []) : [];
}

/** Recursive: the depth was checked before. */
function removeFrom(value: Nested, path: JsonPath): JsonPath[] {
  if (isList(value))
    return value.flatMap((member, index) => (isNested(member) ? removeFrom(member, [...path, index]) : []));
  return Object.entries(value).flatMap(([key, member]) => {
    const here = [...path, key];
    if (reachesPrototype(key, member)) {
      Reflect.deleteProperty(value, key);
      return [here];
    }
    return isNested(member) ? removeFrom(member, here) : [];
  });
}

/** True for a key that may reach a prototype. */
function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor';
}

function reachesPrototype(key: string, member: unknown): boolean {
  return key === '__proto__' || (key === 'constructor' && isNested(member) && Object.hasOwn(member, 'prototype'));
}

function refuseJson(expected: JsonExpectation): never {
  throw new ProtocolError('$', expected);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    refuseJson('json');
  }
}

/** An object or an array. */
type Nested = Readonly<Record<string, unknown>> | readonly unknown[];

function isNested(value: unknown): value is Nested {
  return typeof value === 'object' && value !== null;
}

/** Reports deep nesting first, whatever the keys are. */
function checkNesting(value: Nested, maxDepth: number): void {
  const scanner = new NestingScanner();
  if (scanner.isDeeperThan(value, maxDepth)) refuseJson('shallow_nesting');
  if (scanner.foundReservedKey && scan(value, { safe: true }) === null) refuseJson('plain_keys');
}

/** Checks depth and keys in one pass, because every delivery is scanned. */
class NestingScanner {
  /** A key that may reach a prototype was found; secure-json-parse then decides. */
  foundReservedKey = false;

  /** Recursive, but at most `limit` levels. */
  isDeeperThan(value: Nested, limit: number): boolean {
    if (limit === 0) return true;
    return isList(value) ? this.isListDeeper(value, limit - 1) : this.isObjectDeeper(value, limit - 1);
  }

  private isListDeeper(list: readonly unknown[], limit: number): boolean {
    for (let index = 0; index < list.length; index++) {
      // at() instead of [index]: if some pairs hold only numbers and others a null, V8 converts each list that [index] reads.
      const member = list.at(index);
      if (isNested(member) && this.isDeeperThan(member, limit)) return true;
    }
    return false;
  }

  private isObjectDeeper(object: Readonly<Record<string, unknown>>, limit: number): boolean {
    // Object.values would copy each object. Objects of JSON.parse have no inherited keys.
    for (const key in object) {
      if (isReservedKey(key)) this.foundReservedKey = true;
      const member = object[key];
      if (isNested(member) && this.isDeeperThan(member, limit)) return true;
    }
    return false;
  }
}

/** The members of a JSON object. A Map, because a name could be `__proto__`. */
export type Members = ReadonlyMap<string, unknown>;

/**
 * The members of an object. An empty list counts as an empty object, because PHP encodes an empty object as `[]`.
 * @throws {ProtocolError} `object`
 */
export function toMembers(value: unknown, path: string): Members {
  if (Array.isArray(value) && value.length === 0) return new Map();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProtocolError(path, 'object');
  return new Map(Object.entries(value));
}

/** @throws {ProtocolError} `list` */
export function toList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(path, 'list');
  return value;
}

/** A text that is not empty; null for anything else. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An integer, sent as a number or in digits (the two Open APIs differ in `io_id`); null for anything else. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : null;
}

/** A time in seconds (`time` of the local Open API) or milliseconds (of the remote one); null for anything else. */
export function toMoment(value: unknown): Millis | null {
  const asMillis = toMillis(value);
  if (asMillis !== null) return millis(asMillis);
  const asSeconds = toSeconds(value);
  return asSeconds === null ? null : secondsToMillis(asSeconds);
}

/** `$.data.t1`; `$.data[…]` if the name is long or has other characters than letters, digits and `_`. */
export function memberPath(path: string, name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name) ? `${path}.${name}` : `${path}[…]`;
}

/** Sums of larger numbers would be infinite. */
const largestReading = 1e100;

/** The number; null if it is none, or too large to be added. JSON has a negative zero; energy values do not. */
export function toReading(value: unknown): number | null {
  return typeof value === 'number' && Math.abs(value) <= largestReading ? value + 0 : null;
}
