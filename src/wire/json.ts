/** JSON from outside: bytes in, a value of unknown shape out, with every trap of the format refused at the door. */
import { isUtf8 } from 'node:buffer';
import secureJsonParse from 'secure-json-parse';
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
  try {
    return secureJsonParse(text) as unknown;
  } catch {
    refuse(isJson(text) ? 'plain_keys' : 'json');
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF/, ''));
    return true;
  } catch {
    return false;
  }
}

/**
 * Level by level instead of recursively, so that the nest itself cannot exhaust the stack. After parsing instead of on
 * the bytes, because a series has few containers and many bytes.
 */
function nestsDeeperThan(value: unknown, limit: number): boolean {
  let level = isContainer(value) ? [value] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === limit) return true;
    level = containersIn(level);
  }
  return false;
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function containersIn(level: readonly Container[]): Container[] {
  const found: Container[] = [];
  for (const container of level) {
    const members: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
    // By index: iterators over thousands of pairs would cost more than the parsing allows.
    for (let index = 0; index < members.length; index++) {
      const member = members[index];
      if (isContainer(member)) found.push(member);
    }
  }
  return found;
}
