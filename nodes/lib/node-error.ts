/** Errors as a flow sees them, with a sentence in the language of the node (nodes/lib/locales). */
import { type CemmError, type EndpointName, type ErrorCode, sentenceValues } from '../../src/errors';
import { faultField } from './fault-field';
import type { Translate } from './translate';

export { toCemmError as asCemmError } from '../../src/errors';

interface ErrorCause {
  retryable: boolean;
  status: number | null;
  endpoint: EndpointName | null;
  alias: string | null;
  requests: number;
  elapsedMs: number;
}

/**
 * Not an instance of Error: the debug sidebar shows an Error as an object with its sentence cut off, and anything else
 * whose class is not called an error by its `toString()` (`encodeObject` of @node-red/util). A Catch node gets
 * `toString()` as its message and, of the other properties, only `code`, `stack` and `cause`, so the facts are in `cause`.
 */
class Failure implements Error {
  readonly name = 'Failure';

  constructor(
    readonly message: string,
    readonly code: ErrorCode,
    readonly cause: ErrorCause,
  ) {}

  toString(): string {
    return this.message;
  }
}

export function toNodeError(error: CemmError, translate: Translate): Failure {
  const { code, retryable, status, endpoint, alias, requests, elapsedMs } = error;
  return new Failure(sentence(error, translate), code, { retryable, status, endpoint, alias, requests, elapsedMs });
}

/** The sentence for code and reason, else the one for the code, else what the library says in English. */
function sentence(error: CemmError, translate: Translate): string {
  const words = { ...sentenceValues(error), field: faultField(error, translate) ?? '' };
  const exact = error.reason === null ? null : translate(`error.${error.code}_${error.reason}`, words);
  return exact ?? translate(`error.${error.code}`, words) ?? error.message;
}
