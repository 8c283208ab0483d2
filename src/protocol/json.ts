import { isUtf8 } from 'node:buffer';
import { scan } from 'secure-json-parse';
import { millis, type Millis, secondsToMillis, toMillis, toSeconds } from './time';

/**
 * An answer, delivery or datagram that is not what the specification describes.
 * `path` names the place in the JSON (`$.data.t1[0]`), `expected` what should be there. It never quotes the value:
 * what a stranger sends must not travel into logs.
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';

  constructor(
    readonly path: string,
    readonly expected: string,
  ) {
    super(`${path}: expected ${expected}`);
  }
}

// JSON from outside: bytes in, a value of unknown shape out, with every trap of the format refused at the door.

/** Real answers and deliveries nest five deep; a nest of thousands ends Node-RED when the message is cloned. */
export const deepestNesting = 16;

/** What a body fails to be: the `expected` of the ProtocolError that parseJson throws, with path `$`. */
export type JsonExpectation = 'utf8' | 'json' | 'plain_keys' | 'shallow_nesting';

/**
 * Parses a JSON text (RFC 8259) from its bytes. A byte order mark is removed.
 * @throws {ProtocolError} `utf8` (not UTF-8), `json` (no JSON text), `plain_keys` (a key that would reach a prototype:
 *   `__proto__`, `constructor.prototype`) or `shallow_nesting` (more than `maxDepth` levels, 16 by default). None of them
 *   quotes the body.
 */
export function parseJson(bytes: Uint8Array, options: { readonly maxDepth?: number } = {}): unknown {
  const value = parseUnchecked(bytes);
  if (isNest(value)) refuseTraps(value, options.maxDepth ?? deepestNesting);
  return value;
}

/**
 * parseJson without its checks of depth and keys: for removeReservedKeys.
 * @throws {ProtocolError} `utf8`, `json`
 */
export function parseUnchecked(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) refuse('utf8');
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return parseText(buffer.toString('utf8'));
}

/** Names and indexes on the way to a member. */
export type JsonPath = readonly (string | number)[];

/**
 * Takes the keys that parseJson refuses out of what parseUnchecked gave, and tells where they were.
 * @throws {ProtocolError} `shallow_nesting`
 */
export function removeReservedKeys(value: unknown): JsonPath[] {
  const search = new TrapSearch();
  if (!isNest(value)) return [];
  if (search.nestsDeeperThan(value, deepestNesting)) refuse('shallow_nesting');
  return search.sawSuspect ? removeFrom(value, []) : [];
}

/** Recursive, in what is known to be shallow. */
function removeFrom(value: Nest, path: JsonPath): JsonPath[] {
  if (isList(value))
    return value.flatMap((member, index) => (isNest(member) ? removeFrom(member, [...path, index]) : []));
  return Object.entries(value).flatMap(([key, member]) => {
    const here = [...path, key];
    if (isTrap(key, member)) {
      Reflect.deleteProperty(value, key);
      return [here];
    }
    return isNest(member) ? removeFrom(member, here) : [];
  });
}

/** Whether a key may be on the way to a prototype. */
export function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor';
}

function isTrap(key: string, member: unknown): boolean {
  return key === '__proto__' || (key === 'constructor' && isNest(member) && Object.hasOwn(member, 'prototype'));
}

function refuse(expected: JsonExpectation): never {
  throw new ProtocolError('$', expected);
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    refuse('json');
  }
}

/** An object or an array. */
type Nest = Readonly<Record<string, unknown>> | readonly unknown[];

function isNest(value: unknown): value is Nest {
  return typeof value === 'object' && value !== null;
}

/** A nest that is too deep is refused as such, whatever its keys are. */
function refuseTraps(value: Nest, maxDepth: number): void {
  const search = new TrapSearch();
  if (search.nestsDeeperThan(value, maxDepth)) refuse('shallow_nesting');
  if (search.sawSuspect && scan(value, { safe: true }) === null) refuse('plain_keys');
}

/** One walk for both traps: every delivery pays for it. */
class TrapSearch {
  /** A key that may be on the way to a prototype; whether it is one, secure-json-parse tells. */
  sawSuspect = false;

  /** Recursive, but never deeper than the limit. */
  nestsDeeperThan(value: Nest, limit: number): boolean {
    if (limit === 0) return true;
    return isList(value) ? this.listNests(value, limit - 1) : this.objectNests(value, limit - 1);
  }

  private listNests(list: readonly unknown[], limit: number): boolean {
    for (let index = 0; index < list.length; index++) {
      // Not [index]: where pairs of numbers and pairs with a null meet, V8 would rebuild each list it reads that way.
      const member = list.at(index);
      if (isNest(member) && this.nestsDeeperThan(member, limit)) return true;
    }
    return false;
  }

  private objectNests(object: Readonly<Record<string, unknown>>, limit: number): boolean {
    // Not Object.values, which would copy every object; what JSON.parse makes has no inherited keys.
    for (const key in object) {
      if (isReservedKey(key)) this.sawSuspect = true;
      const member = object[key];
      if (isNest(member) && this.nestsDeeperThan(member, limit)) return true;
    }
    return false;
  }
}

function isList(value: Nest): value is readonly unknown[] {
  return Array.isArray(value);
}

// The small checks that every parser of an answer is made of. Each names the place in the JSON and what belongs there.

/** The members of a JSON object. A Map, because the names come from outside. */
export type Members = ReadonlyMap<string, unknown>;

const none: Members = new Map();

/**
 * @throws {ProtocolError} `object`. An empty list counts as an empty object: that is how PHP writes one.
 */
export function toMembers(value: unknown, path: string): Members {
  if (Array.isArray(value) && value.length === 0) return none;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ProtocolError(path, 'object');
  return new Map(Object.entries(value));
}

/** @throws {ProtocolError} `list` */
export function toList(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(path, 'list');
  return value;
}

/** Text, or null where there is none. */
export function toText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A whole number, given as such or in digits (the two Open APIs differ in `io_id`), or null. */
export function toInteger(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? Number(number) : null;
}

/** A moment in seconds (local `time`) or milliseconds (remote `time`), which cannot be confused; null when neither. */
export function toMoment(value: unknown): Millis | null {
  const asMillis = toMillis(value);
  if (asMillis !== null) return millis(asMillis);
  const asSeconds = toSeconds(value);
  return asSeconds === null ? null : secondsToMillis(asSeconds);
}

/** `$.data.t1`, or `$.data["odd name"]`, cut to a bearable length: the name comes from outside. */
export function memberPath(path: string, name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]{0,39}$/.test(name) ? `${path}.${name}` : `${path}[…]`;
}
