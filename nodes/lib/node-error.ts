/** Errors as a flow sees them, with a sentence in the language of this Node-RED (nodes/lib/locales). */
import type { NodeAPI } from 'node-red';
import type { CemmError, EndpointName, ErrorCode } from '../../src/errors';

export { toCemmError as asCemmError } from '../../src/errors';

export type TextParams = Readonly<Record<string, string | number>>;

/** The text behind the key, or null where the catalogue has none. */
export type Translate = (key: string, words?: TextParams) => string | null;

/** Texts of all nodes are shipped once, with the connection. */
const common = 'node-red-contrib-cemm/cemm-connection';

export function createTranslate(RED: Pick<NodeAPI, '_'>): Translate {
  const look = (name: string, key: string, words: TextParams): string | null => {
    const text = RED._(name, { ...words });
    // A catalogue answers with the key itself (with or without its namespace) where it has no text.
    return text === '' || text === key || text.endsWith(`:${key}`) ? null : text;
  };
  return (key, words = {}) => look(key, key, words) ?? look(`${common}:${key}`, key, words);
}

interface ErrorCause {
  retryable: boolean;
  status: number | null;
  endpoint: EndpointName | null;
  alias: string | null;
  requests: number;
  elapsedMs: number;
}

interface NodeError extends Error {
  code: ErrorCode;
  cause: ErrorCause;
}

/** Of an error's own properties Node-RED hands only `code`, `stack` and `cause` to a Catch node, so the facts are in `cause`. */
export function toNodeError(error: CemmError, translate: Translate): NodeError {
  const { code, retryable, status, endpoint, alias, requests, elapsedMs } = error;
  const cause: ErrorCause = { retryable, status, endpoint, alias, requests, elapsedMs };
  const seen = Object.assign(new Error(sentence(error, translate)), { code, cause });
  // It would lead into this file, and every Catch node would get it.
  delete seen.stack;
  return seen;
}

/** The sentence for code and reason, else the one for the code, else what the library says in English. */
function sentence(error: CemmError, translate: Translate): string {
  const { field } = error.params;
  const words = {
    alias: error.alias ?? '',
    endpoint: error.endpoint ?? '',
    status: error.status ?? '',
    seconds: Math.round(error.elapsedMs / 1000),
    requests: error.requests,
    ...error.params,
    // A field by the name that the form shows.
    ...(field === undefined ? {} : { field: translate(`field.${field}`) ?? translate(`form.${field}`) ?? field }),
  };
  const exact = error.reason === null ? null : translate(`error.${error.code}_${error.reason}`, words);
  return exact ?? translate(`error.${error.code}`, words) ?? error.message;
}
