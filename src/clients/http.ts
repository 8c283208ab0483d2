/**
 * The one way out: GET requests with every default of axios that trusts a stranger switched off (no redirects, no
 * decompression, no unlimited body, no idle-only timeout, no parsing on its own). An AxiosError carries the API key in up
 * to ten places, so none leaves this file in any form.
 */
import { ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';
import type { Clock } from '../clock';
import type { Failure } from '../errors';
import { errorCode, retryAfter, socketFailure, statusFailure } from './http-failures';

export interface HttpOptions {
  /** Checked by parseBaseUrl or built by hostOrigin; ends in a slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Sockets at a time. */
  readonly sockets: number;
  /** `environment` honours HTTPS_PROXY, and that for https only: through a tunnel the proxy never sees the key. */
  readonly proxy: 'none' | 'environment';
  readonly lookup?: LookupFunction;
  /** Largest body, in bytes; 2 MB by default (an honest day of 1,441 samples on 8 channels is 0.3 MB). */
  readonly maxBytes?: number;
  /** Longest silence, in ms; 5 s by default. */
  readonly idleMs?: number;
}

export interface HttpRequest {
  /** Relative to the base address, every segment encoded. */
  readonly path: string;
  /** The only place for the API key. */
  readonly params?: Readonly<Record<string, string>>;
  /** Time for the whole request, in ms: an idle timeout alone lets a dripping server hold on for ever. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** What came of it. `sent` counts requests: a stale keep-alive socket costs a second one. */
export type HttpOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Uint8Array; readonly sent: number }
  | {
      readonly kind: 'failure';
      readonly failure: Failure;
      readonly retryAfterMs: number | null;
      readonly sent: number;
    };

export interface Http {
  /** Never rejects. */
  get(request: HttpRequest): Promise<HttpOutcome>;
  /** Ends what is in the air and closes all sockets. */
  close(): void;
}

const megabytes = 1024 * 1024;
/** The body of a promise is a code; whatever is longer is not worth the wait. */
const promiseBytes = 64 * 1024;

export function createHttp(options: HttpOptions): Http {
  const agentOptions = {
    keepAlive: true,
    maxSockets: options.sockets,
    ...(options.lookup && { lookup: options.lookup }),
  };
  const httpAgent = new HttpAgent(agentOptions);
  const httpsAgent = new HttpsAgent(agentOptions);
  const limits = { maxBytes: options.maxBytes ?? 2 * megabytes, idleMs: options.idleMs ?? 5000, clock: options.clock };
  const client = axios.create({
    adapter: 'http',
    allowAbsoluteUrls: false,
    baseURL: options.baseUrl,
    decompress: false,
    headers: { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'node-red-contrib-cemm' },
    httpAgent,
    httpsAgent,
    maxRedirects: 0,
    paramsSerializer: { encode: encodeURIComponent },
    // A body as a stream, so that status and headers can refuse it before it is read, and the size while it is.
    responseType: 'stream',
    timeout: limits.idleMs,
    transitional: { clarifyTimeoutError: true, silentJSONParsing: false },
    validateStatus: () => true,
    ...(options.proxy === 'environment' && options.baseUrl.startsWith('https:') ? {} : { proxy: false as const }),
    redact: ['api_key'],
  });
  const air: Air = { stops: new Set(), closed: false };
  return {
    get: (request) => getOnFreshSocket(client, request, limits, air),
    close: () => {
      air.closed = true;
      for (const stop of air.stops) stop();
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

interface Limits {
  readonly maxBytes: number;
  readonly idleMs: number;
  readonly clock: Clock;
}

/** What is being asked: a destroyed agent alone would open new sockets for it. */
interface Air {
  readonly stops: Set<() => void>;
  closed: boolean;
}

/** A server may close a kept socket just as it is used again: that is nobody's failure, and a second try is free of harm. */
async function getOnFreshSocket(
  client: AxiosInstance,
  request: HttpRequest,
  limits: Limits,
  air: Air,
): Promise<HttpOutcome> {
  const time = new AbortController();
  const stop = (): void => {
    time.abort();
  };
  const cancelTimeout = limits.clock.after(request.timeoutMs, stop);
  request.signal.addEventListener('abort', stop);
  air.stops.add(stop);
  if (air.closed || request.signal.aborted) stop();
  try {
    const first = await get(client, request, limits, time.signal, air);
    if (first !== 'stale') return first;
    const second = await get(client, request, limits, time.signal, air);
    if (second !== 'stale') return { ...second, sent: 2 };
    return { kind: 'failure', failure: { code: 'NETWORK', reason: 'reset' }, retryAfterMs: null, sent: 2 };
  } finally {
    cancelTimeout();
    request.signal.removeEventListener('abort', stop);
    air.stops.delete(stop);
  }
}

async function get(
  client: AxiosInstance,
  request: HttpRequest,
  limits: Limits,
  time: AbortSignal,
  air: Air,
): Promise<HttpOutcome | 'stale'> {
  try {
    const response = await client.get<Readable>(request.path, { params: request.params ?? {}, signal: time });
    return await receive(response, limits, time);
  } catch (error) {
    if (time.aborted) return failed(stopped(request.signal, air));
    return isStale(error) ? 'stale' : failed(socketFailure(error));
  }
}

async function receive(response: AxiosResponse<Readable>, limits: Limits, time: AbortSignal): Promise<HttpOutcome> {
  const { status, data: stream } = response;
  const failure = headFailure(response, limits.maxBytes);
  if (failure !== null) {
    // Unread, and with its socket: what a status says needs no body, and an endless one would cost the time of others.
    stream.on('error', () => undefined).destroy();
    return failed(failure, retryAfter(header(response, 'retry-after'), limits.clock.now()));
  }
  if (status !== 202) {
    const body = await readBody(stream, limits.maxBytes, limits, time);
    return body === null ? failed(tooLarge) : { kind: 'answer', status, body, sent: 1 };
  }
  // A promise is one by its status alone, even where its body breaks off.
  const code = await readBody(stream, promiseBytes, limits, time).catch(() => null);
  return { kind: 'answer', status, body: code ?? new Uint8Array(), sent: 1 };
}

const tooLarge: Failure = { code: 'TOO_LARGE', reason: 'body' };

/** What status and headers already decide. */
function headFailure(response: AxiosResponse, maxBytes: number): Failure | null {
  const { status } = response;
  if (status >= 300 && status < 400) return { code: 'REDIRECT', reason: 'redirect', status, params: target(response) };
  const failure = statusFailure(status);
  if (failure !== null || status === 202) return failure;
  const encoding = header(response, 'content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return { code: 'BAD_PAYLOAD', reason: 'compressed', status };
  return Number(header(response, 'content-length') ?? 0) > maxBytes ? tooLarge : null;
}

/** Only the host of a redirect is told: the rest of its address may repeat the query, and with it the key. */
function target(response: AxiosResponse): { host: string } {
  const location = header(response, 'location') ?? '';
  const host = URL.canParse(location) ? new URL(location).host : '';
  return { host: /^[a-z0-9.:[\]-]{1,255}$/.test(host) ? host : '?' };
}

function header(response: AxiosResponse, name: string): string | null {
  const value: unknown = response.headers[name];
  return typeof value === 'string' ? value : null;
}

/** The body, or null where it is longer than `maxBytes`. Throws where the stream breaks, falls silent or is stopped. */
async function readBody(stream: Readable, maxBytes: number, limits: Limits, time: AbortSignal): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const silence = (): void => {
    stream.destroy(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' }));
  };
  const stop = (): void => {
    stream.destroy();
  };
  let cancelSilence = limits.clock.after(limits.idleMs, silence);
  time.addEventListener('abort', stop);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      cancelSilence();
      cancelSilence = limits.clock.after(limits.idleMs, silence);
      size += chunk.length;
      if (size > maxBytes) return null;
      chunks.push(chunk);
    }
    // A stream that was destroyed without an error ends like a complete one.
    time.throwIfAborted();
    return Buffer.concat(chunks, size);
  } finally {
    cancelSilence();
    time.removeEventListener('abort', stop);
  }
}

/** Ended by the caller (whose business the cause is), by close, or by the time for this one request. */
function stopped(caller: AbortSignal, air: Air): Failure {
  if (caller.aborted) return { code: 'CANCELLED', reason: 'stopped' };
  return { code: 'NETWORK', reason: air.closed ? 'reset' : 'timeout' };
}

function failed(failure: Failure, retryAfterMs: number | null = null): HttpOutcome {
  return { kind: 'failure', failure, retryAfterMs, sent: 1 };
}

function isStale(error: unknown): boolean {
  if (!axios.isAxiosError(error) || !['ECONNRESET', 'EPIPE'].includes(errorCode(error))) return false;
  const request: unknown = error.request;
  return request instanceof ClientRequest && request.reusedSocket;
}
