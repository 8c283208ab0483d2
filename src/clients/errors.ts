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
