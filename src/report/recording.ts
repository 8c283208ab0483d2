/** Records the requests of a connection and what came back. */
import type { Clock } from '../time/clock';
import { readJson } from '../clients/http-failures';
import type { Http, HttpOutcome, HttpRequest } from '../clients/http';
import type { ErrorCode } from '../errors';

/** A body that is not JSON is not kept, only its kind. */
export type Body = { readonly json: unknown } | { readonly noJson: 'empty' | 'html' | 'other' };

interface RecordedFailure {
  readonly code: ErrorCode;
  readonly reason: string;
  readonly status?: number;
}

/** A request and its answer. */
export interface Exchange {
  /** Relative to the base address, without the query. */
  readonly path: string;
  /** Without the API key. */
  readonly query: Readonly<Record<string, string>>;
  /** Time of the request, Unix ms. */
  readonly at: number;
  /** Time until the answer was complete, in ms. */
  readonly ms: number;
  readonly answer:
    | ({ readonly status: number; readonly bytes: number } & Body)
    | { readonly failure: RecordedFailure; readonly retryAfterMs: number | null };
}

const keyParameter = 'api_key';

export type RequestedPath = Pick<Exchange, 'path' | 'query'>;

/** The path and the whole query of a request, without the API key. */
export function requestedPath({ path, params = {} }: Pick<HttpRequest, 'path' | 'params'>): RequestedPath {
  const [plain = '', query = ''] = path.split('?', 2);
  const all = { ...Object.fromEntries(new URLSearchParams(query)), ...params };
  return { path: plain, query: Object.fromEntries(Object.entries(all).filter(([name]) => name !== keyParameter)) };
}

/** Passes requests on and adds each one to `exchanges`. */
export function recordingHttp(http: Http, clock: Clock, exchanges: Exchange[]): Http {
  return {
    async get(request) {
      const at = clock.now();
      const start = clock.monotonic();
      const outcome = await http.get(request);
      const ms = Math.round(clock.monotonic() - start);
      exchanges.push({ ...requestedPath(request), at, ms, answer: answerOf(outcome) });
      return outcome;
    },
    close: () => {
      http.close();
    },
  };
}

function answerOf(outcome: HttpOutcome): Exchange['answer'] {
  if (outcome.kind === 'failure') {
    const { code, reason, status } = outcome.failure;
    return {
      failure: { code, reason, ...(status !== undefined && { status }) },
      retryAfterMs: outcome.retryAfterMs,
    };
  }
  const { status, body } = outcome;
  return { status, bytes: body.byteLength, ...bodyOf(body, status) };
}

function bodyOf(body: Uint8Array, status: number): Body {
  const read = readJson(body, status);
  if ('json' in read) return { json: read.json };
  const { reason } = read.failure;
  return { noJson: reason === 'empty' || reason === 'html' ? reason : 'other' };
}
