/** The errors of this library: codes, reasons and endpoints, CemmError, and the conversion of any thrown value to it. */
import { createRequire } from 'node:module';
import { missingPackage } from './loading/missing-package';
import { ProtocolError } from './protocol/protocol-error';
import { lazy } from './loading/lazy';
import type * as Sentences from './sentences';

export interface Failure {
  readonly code: ErrorCode;
  /** Distinguishes the causes of one code; selects the message. */
  readonly reason: string;
  readonly status?: number;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Effects of an error code, besides its sentence. */
type Consequence =
  /** The same request may succeed later without a changed setting. */
  | 'retryable'
  /** Number of immediate repeats of a request to the remote service; without one of both there is none. */
  | 'repeated_once'
  | 'repeated_twice'
  /** The service is overloaded: fewer requests run at a time. */
  | 'overload'
  /** It may be about this monitor alone, so it is an overload only if the monitor answered before. */
  | 'of_monitor'
  /** Nobody answered, or the service is overloaded: several in a row open the circuit breaker. */
  | 'opens_circuit'
  /** A refusal by a service that works: closes the circuit breaker. A 403 does not, it has its own pause. */
  | 'closes_circuit'
  /** Transient: a promise is still polled. */
  | 'keeps_promise'
  /** The answering monitor may still be the right one, so its identity stays verified. */
  | 'keeps_identity'
  /** The monitor may have moved to another address. One that answers with an error has not. */
  | 'may_have_moved'
  /** In response to the list of I/Os: the monitor may still answer other requests. */
  | 'spares_other_requests';

/** One row per code. The sentences are in sentences.ts. */
const codes = {
  AUTH: ['spares_other_requests'],
  ALIAS: ['closes_circuit', 'keeps_identity', 'spares_other_requests'],
  UPSTREAM_TIMEOUT: ['retryable', 'repeated_twice', 'overload', 'opens_circuit', 'keeps_promise'],
  // The service has tried to reach the monitor before it answers 502.
  MONITOR_OFFLINE: ['retryable', 'repeated_once', 'overload', 'of_monitor', 'closes_circuit', 'keeps_promise'],
  UPSTREAM: ['retryable', 'repeated_twice', 'overload', 'opens_circuit', 'keeps_promise', 'spares_other_requests'],
  RATE: ['retryable', 'repeated_twice', 'overload', 'opens_circuit'],
  PROMISE_EXPIRED: ['retryable', 'overload', 'of_monitor', 'closes_circuit', 'spares_other_requests'],
  NETWORK: ['retryable', 'repeated_twice', 'opens_circuit', 'keeps_promise', 'may_have_moved'],
  TLS: ['opens_circuit'],
  DEADLINE: ['retryable', 'opens_circuit', 'may_have_moved'],
  BAD_PAYLOAD: ['retryable', 'spares_other_requests'],
  TOO_LARGE: ['spares_other_requests'],
  REDIRECT: ['spares_other_requests'],
  NOT_A_MONITOR: ['may_have_moved'],
  WRONG_MONITOR: ['may_have_moved'],
  CANCELLED: ['keeps_identity'],
  CONFIG: [],
  INPUT: ['keeps_identity'],
  UNSUPPORTED: ['keeps_identity', 'spares_other_requests'],
} as const satisfies Readonly<Record<string, readonly Consequence[]>>;

/**
 * Codes of CemmError. The error is built from permitted facts and never from another error, not even as `cause`,
 * because HTTP errors contain the API key.
 */
export type ErrorCode = keyof typeof codes;

export const errorCodes: readonly ErrorCode[] = Object.keys(codes).filter((word) => isErrorCode(word));

function isErrorCode(word: string): word is ErrorCode {
  return Object.hasOwn(codes, word);
}

export function hasConsequence(code: ErrorCode, consequence: Consequence): boolean {
  return codes[code].some((one) => one === consequence);
}

/**
 * The endpoints by name (http://developer.cemm.nl/api-en/; the last three belong to the public API). Errors name them
 * instead of a URL.
 */
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
   * Distinguishes the causes of one code (`refused`, `name_not_found`, `several_monitors`, …) and selects the message
   * in the user's language. Lower-case, no spaces.
   */
  readonly reason?: string | undefined;
  /** Values for the message; never a URL, header, key or body. */
  readonly params?: Readonly<Record<string, string | number>> | undefined;
}

type NullableFacts = { readonly [Name in keyof ErrorFacts]: ErrorFacts[Name] | null };

/** The values of an error for its sentence, by the names of the placeholders. */
export function sentenceValues(facts: NullableFacts): Readonly<Record<string, string | number>> {
  return {
    alias: facts.alias ?? '',
    endpoint: facts.endpoint ?? '',
    status: facts.status ?? '',
    seconds: Math.round((facts.elapsedMs ?? 0) / 1000),
    requests: facts.requests ?? 0,
    ...facts.params,
  };
}

/** Part of a sentence that dialogs alone have. */
const dialogPhrase = /(?<=`) (?:in|of) the connection/g;

/** Loaded with the first error, so that the sentences cost nothing at the start of Node-RED. */
const loadSentences = lazy(() => require('./sentences') as typeof Sentences);

/** The English sentence for code and reason, otherwise the one for the code. */
function errorSentence(code: ErrorCode, facts: ErrorFacts): string {
  const key = `${code}_${facts.reason ?? ''}`;
  const { sentences, programSentences } = loadSentences();
  const sentence = programSentences[key] ?? sentences[key] ?? programSentences[code] ?? sentences[code] ?? code;
  const values = sentenceValues(facts);
  return sentence.replace(dialogPhrase, '').replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '?'));
}

export class CemmError extends Error {
  override readonly name = 'CemmError';
  readonly code: ErrorCode;
  /** True when the same request may succeed later without a changed setting. */
  readonly retryable: boolean;
  readonly status: number | null;
  readonly endpoint: EndpointName | null;
  readonly alias: string | null;
  readonly requests: number;
  readonly elapsedMs: number;
  readonly reason: string | null;
  readonly params: Readonly<Record<string, string | number>>;

  /** The message is the sentence for code and reason, with the facts filled in. */
  constructor(code: ErrorCode, facts: ErrorFacts = {}) {
    super(errorSentence(code, facts));
    this.code = code;
    this.retryable = hasConsequence(code, 'retryable');
    this.status = facts.status ?? null;
    this.endpoint = facts.endpoint ?? null;
    this.alias = facts.alias ?? null;
    this.requests = facts.requests ?? 0;
    this.elapsedMs = facts.elapsedMs ?? 0;
    this.reason = facts.reason ?? null;
    this.params = facts.params ?? {};
  }

  /** The same error as a new object: flows may change errors, so two callers never share one. */
  copy(): CemmError {
    return new CemmError(this.code, {
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

const unknown = 'unknown';

interface InternalFault extends Failure {
  readonly reason: 'unexpected' | 'missing_package';
  readonly params: Readonly<Record<string, string>>;
}

/**
 * A fault of this package or of its installation, which waiting does not resolve. Of the thrown error only class, place and version
 * are kept, or the name of the package that is missing, because its text may contain a URL or a key.
 */
export function internalFault(thrown: unknown): InternalFault {
  const missing = missingPackage(thrown);
  if (missing !== null) return { code: 'UNSUPPORTED', reason: 'missing_package', params: { package: missing } };
  return {
    code: 'UNSUPPORTED',
    reason: 'unexpected',
    params: { kind: classifyThrown(thrown), place: findThrownPlace(thrown), version: packageVersion() },
  };
}

/** True for an internal error, after which a request is not repeated. */
export function isInternalFault(error: CemmError): boolean {
  return error.code === 'UNSUPPORTED' && (error.reason === 'unexpected' || error.reason === 'missing_package');
}

/** A class name, or the type of a value that is not an error. */
function classifyThrown(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  return /^\w{1,40}$/.test(thrown.name) ? thrown.name : 'Error';
}

/** File, line and column below `src` or `nodes`, such as `model/series.js:1:4711`. */
function findThrownPlace(thrown: unknown): string {
  if (!(thrown instanceof Error)) return unknown;
  const { message, stack = '' } = thrown;
  // The stack begins with the message, which may look like a place.
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  for (const frame of frames) {
    const [, place] = /^\s+at .*[\\/](?:src|nodes)[\\/]([\w.\\/-]{1,80}\.[jt]s:\d+:\d+)\)?$/.exec(frame) ?? [];
    if (place !== undefined) return place.replaceAll('\\', '/');
  }
  return unknown;
}

/** The version of this package; `unknown` where its package.json cannot be found. */
export function packageVersion(): string {
  try {
    const found: unknown = createRequire(__filename)('node-red-contrib-cemm/package.json');
    const isPackage = typeof found === 'object' && found !== null && 'version' in found;
    return isPackage && typeof found.version === 'string' ? found.version : unknown;
  } catch {
    // Bundled into another file.
    return unknown;
  }
}

/**
 * Converts any thrown value to a CemmError. Nothing of another error is kept, except the place in the response of a
 * ProtocolError, which quotes no value.
 */
export function toCemmError(error: unknown): CemmError {
  if (error instanceof CemmError) return error;
  if (error instanceof ProtocolError) {
    return new CemmError('BAD_PAYLOAD', { reason: 'shape', params: { path: error.path, expected: error.expected } });
  }
  const { code, reason, params } = internalFault(error);
  return new CemmError(code, { reason, params });
}
