/**
 * What a flow gets to see of a failure: a plain Error whose facts are in `cause`. Of an error's own properties Node-RED
 * hands only `code`, `stack` and `cause` to a Catch node.
 */
import type { CemmError, EndpointName, ErrorCode } from '../../src/clients/errors';
import type { Say } from './sentences';

export { toCemmError as asCemmError } from '../../src/installation/unexpected';

export interface ErrorCause {
  retryable: boolean;
  status: number | null;
  endpoint: EndpointName | null;
  alias: string | null;
  requests: number;
  elapsedMs: number;
}

export interface NodeError extends Error {
  code: ErrorCode;
  cause: ErrorCause;
}

export function toNodeError(error: CemmError, say: Say): NodeError {
  const { code, retryable, status, endpoint, alias, requests, elapsedMs } = error;
  const cause: ErrorCause = { retryable, status, endpoint, alias, requests, elapsedMs };
  const seen = Object.assign(new Error(sentence(error, say)), { code, cause });
  // It would lead into this file, and every Catch node would get it.
  delete seen.stack;
  return seen;
}

/** The sentence for code and reason, else the one for the code, else what the library says in English. */
export function sentence(error: CemmError, say: Say): string {
  const { field } = error.params;
  const words = {
    alias: error.alias ?? '',
    endpoint: error.endpoint ?? '',
    status: error.status ?? '',
    seconds: Math.round(error.elapsedMs / 1000),
    requests: error.requests,
    ...error.params,
    // A field by the name that the form shows.
    ...(field === undefined ? {} : { field: say(`field.${field}`) ?? say(`form.${field}`) ?? field }),
  };
  const exact = error.reason === null ? null : say(`error.${error.code}_${error.reason}`, words);
  return exact ?? say(`error.${error.code}`, words) ?? error.message;
}
