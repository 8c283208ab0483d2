/** Errors in a flow, with a sentence in the language of the node (nodes/lib/locales). */
import { type CemmError, type EndpointName, type ErrorCode, sentenceValues } from '../../../src/errors';
import { faultField } from './fault-field';
import type { Translate } from './translate';

export { toCemmError as asCemmError } from '../../../src/errors';

/** Reasons of a house without a reading, and of a monitor that cannot be asked for this moment. */
const reasonsForPages = ['nothing_yet', 'balance'] as const;

interface ErrorCause {
  retryable: boolean;
  status: number | null;
  endpoint: EndpointName | null;
  alias: string | null;
  requests: number;
  elapsedMs: number;
  /** Only what a page says in the language of its viewer. */
  reason?: (typeof reasonsForPages)[number];
}

/**
 * Not an instance of Error. The debug sidebar truncates the sentence of an Error, and shows other objects by their `toString()`
 * unless their class name contains "Error" (`encodeObject` of @node-red/util). A Catch node gets `toString()` as its message
 * and, of the other properties, only `code`, `stack` and `cause`, so the details are in `cause`.
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
  const { code, reason, retryable, status, endpoint, alias, requests, elapsedMs } = error;
  const ofPage = reasonsForPages.find((one) => one === reason);
  return new Failure(sentence(error, translate), code, {
    retryable,
    status,
    endpoint,
    alias,
    requests,
    elapsedMs,
    ...(ofPage !== undefined && { reason: ofPage }),
  });
}

/** The sentence for code and reason, or the one for the code, or the library's English message. */
function sentence(error: CemmError, translate: Translate): string {
  const values = sentenceValues(error);
  const field = faultField(error, translate) ?? '';
  const words = { ...values, field, why: checkSentence(error, field, translate) };
  const exact = error.reason === null ? null : translate(`error.${error.code}_${error.reason}`, words);
  return (exact ?? translate(`error.${error.code}`, words) ?? error.message).trim();
}

/** Sentence of the dialog about a stored property that cannot be used; blank if it has none. */
function checkSentence({ params }: CemmError, field: string, translate: Translate): string {
  const { check } = params;
  return typeof check === 'string' && check !== '' ? (translate(check, { ...params, field }) ?? '') : '';
}
