/** JSON from outside: bytes in, a value of unknown shape out, with every trap of the format refused at the door. */
import { isUtf8 } from 'node:buffer';
import { scan } from 'secure-json-parse';
import { WireError } from './wire-error';

/** Real answers and deliveries nest five deep; a nest of thousands ends Node-RED when the message is cloned. */
export const deepest = 16;

/** What a body fails to be: the `expected` of the WireError that parseJson throws, with path `$`. */
export type JsonExpectation = 'utf8' | 'json' | 'plain_keys' | 'shallow_nesting';

/**
 * Parses a JSON text (RFC 8259) from its bytes. A byte order mark is removed.
 * @throws {WireError} `utf8` (not UTF-8), `json` (no JSON text), `plain_keys` (a key that would reach a prototype:
 *   `__proto__`, `constructor.prototype`) or `shallow_nesting` (more than `maxDepth` levels, 16 by default). None of them
 *   quotes the body.
 */
export function parseJson(bytes: Uint8Array, options: { readonly maxDepth?: number } = {}): unknown {
  if (!isUtf8(bytes)) refuse('utf8');
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  const value = parseText(text);
  if (nestsDeeperThan(value, options.maxDepth ?? deepest)) refuse('shallow_nesting');
  return value;
}

function refuse(expected: JsonExpectation): never {
  throw new WireError('$', expected);
}

function parseText(text: string): unknown {
  const withoutMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let value: unknown;
  try {
    value = JSON.parse(withoutMark);
  } catch {
    refuse('json');
  }
  if (mayNamePrototype(withoutMark) && reachesPrototype(value)) refuse('plain_keys');
  return value;
}

/** A key can be spelled in plain letters or with escapes; most texts have neither, and need no search of their objects. */
function mayNamePrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes('\\u');
}

function reachesPrototype(value: unknown): boolean {
  return typeof value === 'object' && value !== null && scan(value, { safe: true }) === null;
}

/** Recursive, but never deeper than the limit. */
function nestsDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit === 0) return true;
  const members: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (let index = 0; index < members.length; index++) {
    // Not [index]: where pairs of numbers and pairs with a null meet, V8 would rebuild each list it reads that way.
    const member = members.at(index);
    if (typeof member === 'object' && nestsDeeperThan(member, limit - 1)) return true;
  }
  return false;
}
