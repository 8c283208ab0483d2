/** Why a request or a question failed, as plain values: what becomes a CemmError at the very end (question.ts). */
import { createRequire } from 'node:module';
import { ProtocolError } from './protocol/protocol-error';

export interface Failure {
  readonly code: ErrorCode;
  /** Tells apart the causes under one code; selects the sentence. */
  readonly reason: string;
  readonly status?: number;
  readonly params?: Readonly<Record<string, string | number>>;
}

/**
 * The one error that leaves this library (contract.md section 3). It is built from allow-listed facts and never from
 * another error: HTTP errors carry the API key in up to ten places, so none of them is kept, not even as `cause`.
 */
export const errorCodes = [
  'AUTH',
  'ALIAS',
  'UPSTREAM_TIMEOUT',
  'MONITOR_OFFLINE',
  'UPSTREAM',
  'RATE',
  'PROMISE_EXPIRED',
  'NETWORK',
  'TLS',
  'DEADLINE',
  'BAD_PAYLOAD',
  'TOO_LARGE',
  'REDIRECT',
  'NOT_A_MONITOR',
  'WRONG_MONITOR',
  'CANCELLED',
  'CONFIG',
  'INPUT',
  'UNSUPPORTED',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** The endpoints by name (spec.md, Endpoints; the last three are those of the public API): what an error may say instead of a URL. */
export type EndpointName =
  | 'root'
  | 'monitors'
  | 'io'
  | 'meter'
  | 'realtime'
  | 'day'
  | 'month'
  | 'year'
  | 'totals'
  | 'discovery'
  | 'cemm'
  | 'meters'
  | 'timeseries';

export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly endpoint?: EndpointName | undefined;
  readonly alias?: string | undefined;
  readonly requests?: number | undefined;
  readonly elapsedMs?: number | undefined;
  /**
   * A word that tells apart the causes under one code (`refused`, `name_not_found`, `several_monitors`, …): with the code
   * it selects the sentence in the user's language. Lower-case, no spaces.
   */
  readonly reason?: string | undefined;
  /** Values for that sentence; never a URL, header, key or body. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}

const retryable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UPSTREAM_TIMEOUT',
  'MONITOR_OFFLINE',
  'UPSTREAM',
  'RATE',
  'PROMISE_EXPIRED',
  'NETWORK',
  'DEADLINE',
  'BAD_PAYLOAD',
]);

export class CemmError extends Error {
  override readonly name = 'CemmError';
  readonly code: ErrorCode;
  /** True when the same question may succeed later without anybody changing a setting. */
  readonly retryable: boolean;
  readonly status: number | null;
  readonly endpoint: EndpointName | null;
  readonly alias: string | null;
  readonly requests: number;
  readonly elapsedMs: number;
  readonly reason: string | null;
  readonly params: Readonly<Record<string, string | number>>;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message);
    this.code = code;
    this.retryable = retryable.has(code);
    this.status = facts.status ?? null;
    this.endpoint = facts.endpoint ?? null;
    this.alias = facts.alias ?? null;
    this.requests = facts.requests ?? 0;
    this.elapsedMs = facts.elapsedMs ?? 0;
    this.reason = facts.reason ?? null;
    this.params = facts.params ?? {};
  }

  /** The same error for another waiter: errors are mutable objects in a flow, so two waiters never share one. */
  copy(): CemmError {
    return new CemmError(this.code, this.message, {
      status: this.status ?? undefined,
      endpoint: this.endpoint ?? undefined,
      alias: this.alias ?? undefined,
      requests: this.requests,
      elapsedMs: this.elapsedMs,
      reason: this.reason ?? undefined,
      params: this.params,
    });
  }
}

// A fault of this package itself: neither the monitor nor the settings are to blame, and waiting does not mend it. Of the
// foreign error only what helps to find the fault is told (its class, the place in this package, the version), never its
// text, which may carry a URL or a key.

const reason = 'unexpected';
const unknown = 'unknown';

interface InternalFault extends Failure {
  readonly params: Readonly<Record<'kind' | 'place' | 'version', string>>;
}

export function internalFault(thrown: unknown): InternalFault {
  return {
    code: 'UNSUPPORTED',
    reason,
    params: { kind: kindOf(thrown), place: placeOf(thrown), version: packageVersion() },
  };
}

/** True for what no question may be repeated after: the same fault would come again. */
export function isInternalFault(error: CemmError): boolean {
  return error.code === 'UNSUPPORTED' && error.reason === reason;
}

/** A class name, or the type of what is no error. */
function kindOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  return /^\w{1,40}$/.test(thrown.name) ? thrown.name : 'Error';
}

/** File, line and column below `src` or `nodes`, such as `model/series.js:1:4711`. */
function placeOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return unknown;
  const { message, stack = '' } = thrown;
  // The text comes first in a stack and may itself look like a place.
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  for (const frame of frames) {
    const [, place] = /^\s+at .*[\\/](?:src|nodes)[\\/]([\w.\\/-]{1,80}\.[jt]s:\d+:\d+)\)?$/.exec(frame) ?? [];
    if (place !== undefined) return place.replaceAll('\\', '/');
  }
  return unknown;
}

function packageVersion(): string {
  try {
    const found: unknown = createRequire(__filename)('node-red-contrib-cemm/package.json');
    const isPackage = typeof found === 'object' && found !== null && 'version' in found;
    return isPackage && typeof found.version === 'string' ? found.version : unknown;
  } catch {
    // Bundled into something else.
    return unknown;
  }
}

/**
 * Whatever was thrown, as the one error that may leave. Nothing of a foreign error is kept but, of a ProtocolError, the place
 * in the answer: it quotes no value.
 */
export function toCemmError(error: unknown): CemmError {
  if (error instanceof CemmError) return error;
  if (error instanceof ProtocolError) {
    return new CemmError('BAD_PAYLOAD', `The answer is not what it should be (${error.message}).`, {
      reason: 'shape',
      params: { path: error.path, expected: error.expected },
    });
  }
  const { code, reason, params } = internalFault(error);
  const where = `${params.kind} at ${params.place}, version ${params.version}`;
  return new CemmError(code, `This is a fault of the package itself (${where}). Please report it with these words.`, {
    reason,
    params,
  });
}
