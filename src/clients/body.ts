/** The JSON of an answer, or which kind of no JSON it was. */
import { parseJson } from '../wire/json';
import { WireError } from '../wire/wire-error';
import type { Failure } from './failure';

export type Body = { readonly json: unknown } | { readonly failure: Failure };

/** The content type is not asked for: devices mislabel what they send, and a login page is told by its first sign. */
export function readJson(bytes: Uint8Array, status: number): Body {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64))
    .toString('latin1')
    .trimStart();
  if (start === '' && bytes.byteLength <= 64) return { failure: { code: 'BAD_PAYLOAD', reason: 'empty', status } };
  if (start.startsWith('<')) return { failure: { code: 'BAD_PAYLOAD', reason: 'html', status } };
  try {
    return { json: parseJson(bytes) };
  } catch (error) {
    return { failure: { ...shapeFailure(error), status } };
  }
}

/** What a parser found wrong: where in the JSON, and what belongs there. Anything but a WireError is thrown on. */
export function shapeFailure(error: unknown): Failure {
  if (!(error instanceof WireError)) throw error;
  if (error.path === '$' && error.expected !== 'object') return { code: 'BAD_PAYLOAD', reason: error.expected };
  return { code: 'BAD_PAYLOAD', reason: 'shape', params: { path: error.path, expected: error.expected } };
}
