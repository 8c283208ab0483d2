/**
 * Sends GET requests. Redirects, decompression, parsing and unlimited bodies of axios are switched off, and a timeout
 * limits the whole request. An AxiosError contains the API key in several places, so none leaves this file.
 */
import { ClientRequest, Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import type Axios from 'axios';
import type { AxiosInstance, AxiosResponse } from 'axios';
import type { Clock } from '../time/clock';
import type { Failure } from '../errors';
import { lazy } from '../loading/lazy';
import { errorCode, retryAfter, socketFailure, statusFailure } from './http-failures';

export interface HttpOptions {
  /** From parseBaseUrl or hostOrigin; ends in a slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
  /** Sockets open at the same time. */
  readonly sockets: number;
  /** `environment` uses HTTPS_PROXY, for https only: the tunnel hides the key from the proxy. */
  readonly proxy: 'none' | 'environment';
  readonly lookup?: LookupFunction;
  /** Largest body in bytes; default 2 MB (a day of 1,441 samples on 8 channels is 0.3 MB). */
  readonly maxBytes?: number;
  /** Longest time without data in ms; default 5 s. */
  readonly idleMs?: number;
}

export interface HttpRequest {
  /** Relative to the base address, with every segment encoded. */
  readonly path: string;
  /** The only place for the API key. */
  readonly params?: Readonly<Record<string, string>>;
  /** Timeout of the whole request in ms: a server that sends a byte now and then never reaches an idle timeout. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The result of a request. `sent` is 2 when a stale keep-alive socket made a second request necessary. */
export type HttpOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: Uint8Array;
      readonly sent: number;
      /** It came over a connection that was opened for it: another device may have got the address. */
      readonly isNewSocket?: boolean;
    }
  | {
      readonly kind: 'failure';
      readonly failure: Failure;
      readonly retryAfterMs: number | null;
      readonly sent: number;
    };

export interface Http {
  /** Never rejects. */
  get(request: HttpRequest): Promise<HttpOutcome>;
  /** Cancels the requests in flight and closes all sockets. */
  close(): void;
}

const axios = lazy(() => require('axios') as typeof Axios);

const megabytes = 1024 * 1024;
/** Largest body of a promise: it holds a code only. */
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
  const client = axios().create({
    adapter: 'http',
    allowAbsoluteUrls: false,
    baseURL: options.baseUrl,
    decompress: false,
    headers: { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'node-red-contrib-cemm' },
    httpAgent,
    httpsAgent,
    maxRedirects: 0,
    paramsSerializer: { encode: encodeURIComponent },
    // A stream, so that status, headers and size can refuse the body before it is read completely.
    responseType: 'stream',
    timeout: limits.idleMs,
    transitional: { clarifyTimeoutError: true, silentJSONParsing: false },
    validateStatus: () => true,
    ...proxyRule(options),
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

function proxyRule({ proxy, baseUrl }: Pick<HttpOptions, 'proxy' | 'baseUrl'>): { readonly proxy?: false } {
  return proxy === 'environment' && baseUrl.startsWith('https:') ? {} : { proxy: false };
}

/**
 * True if requests with `proxy: 'environment'` to this address go through a proxy. Axios decides it by HTTPS_PROXY and
 * NO_PROXY: it replaces the agent of a request for a proxy, or fails if it cannot read the address of the proxy.
 */
export async function usesProxy(baseUrl: string): Promise<boolean> {
  const httpsAgent = new HttpsAgent();
  const httpAgent = new HttpAgent();
  let isDirect = false;
  const transport = {
    request({ agent }: { readonly agent?: unknown }): never {
      isDirect = agent === httpsAgent || agent === httpAgent;
      throw new Error('not sent');
    },
  };
  const rule = proxyRule({ proxy: 'environment', baseUrl });
  await axios()
    .get(baseUrl, { adapter: 'http', httpAgent, httpsAgent, transport, ...rule })
    .catch(() => undefined);
  return !isDirect;
}

interface Limits {
  readonly maxBytes: number;
  readonly idleMs: number;
  readonly clock: Clock;
}

/** The requests in flight. A destroyed agent alone would open new sockets for them. */
interface Air {
  readonly stops: Set<() => void>;
  closed: boolean;
}

/** Sends the request, and sends it again when the server has closed the keep-alive socket in the meantime. */
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
    const outcome = await readResponse(response, limits, time);
    const sender: unknown = response.request;
    return sender instanceof ClientRequest && !sender.reusedSocket && outcome.kind === 'answer'
      ? { ...outcome, isNewSocket: true }
      : outcome;
  } catch (error) {
    if (time.aborted) return makeFailure(stopped(request.signal, air));
    return isStale(error) ? 'stale' : makeFailure(socketFailure(error));
  }
}

async function readResponse(
  response: AxiosResponse<Readable>,
  limits: Limits,
  time: AbortSignal,
): Promise<HttpOutcome> {
  const { status, data: stream } = response;
  const failure = headFailure(response, limits.maxBytes);
  if (failure !== null) {
    // The socket is closed without reading the body: the status is enough, and the body may be endless.
    stream.on('error', () => undefined).destroy();
    return makeFailure(failure, retryAfter(header(response, 'retry-after'), limits.clock.now()));
  }
  if (status !== 202) {
    const body = await readBody(stream, limits.maxBytes, limits, time);
    return body === null ? makeFailure(tooLarge) : { kind: 'answer', status, body, sent: 1 };
  }
  // The status alone makes it a promise, even when the body is incomplete.
  const code = await readBody(stream, promiseBytes, limits, time).catch(() => null);
  return { kind: 'answer', status, body: code ?? new Uint8Array(), sent: 1 };
}

const tooLarge: Failure = { code: 'TOO_LARGE', reason: 'body' };

/** The failure that status and headers already determine; null when the body decides. */
function headFailure(response: AxiosResponse, maxBytes: number): Failure | null {
  const { status } = response;
  if (status >= 300 && status < 400)
    return { code: 'REDIRECT', reason: 'redirect', status, params: redirectTarget(response) };
  const failure = statusFailure(status);
  if (failure !== null || status === 202) return failure;
  const encoding = header(response, 'content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return { code: 'BAD_PAYLOAD', reason: 'compressed', status };
  return Number(header(response, 'content-length') ?? 0) > maxBytes ? tooLarge : null;
}

/** The host of a redirect. The rest of the address is left out, because it may contain the key. */
function redirectTarget(response: AxiosResponse): { host: string } {
  const location = header(response, 'location') ?? '';
  const host = URL.canParse(location) ? new URL(location).host : '';
  return { host: /^[a-z0-9.:[\]-]{1,255}$/.test(host) ? host : '?' };
}

function header(response: AxiosResponse, name: string): string | null {
  const value: unknown = response.headers[name];
  return typeof value === 'string' ? value : null;
}

/** Reads the body; null when it is longer than `maxBytes`. Throws when the stream breaks, idles or is stopped. */
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
    // A stream that is destroyed without an error ends like a complete one.
    time.throwIfAborted();
    return Buffer.concat(chunks, size);
  } finally {
    cancelSilence();
    time.removeEventListener('abort', stop);
  }
}

/** The failure of a stopped request: cancelled by the caller, closed, or timed out. */
function stopped(caller: AbortSignal, air: Air): Failure {
  if (caller.aborted) return { code: 'CANCELLED', reason: 'stopped' };
  return { code: 'NETWORK', reason: air.closed ? 'reset' : 'timeout' };
}

function makeFailure(failure: Failure, retryAfterMs: number | null = null): HttpOutcome {
  return { kind: 'failure', failure, retryAfterMs, sent: 1 };
}

function isStale(error: unknown): boolean {
  if (!axios().isAxiosError(error) || !['ECONNRESET', 'EPIPE'].includes(errorCode(error))) return false;
  const request: unknown = error.request;
  return request instanceof ClientRequest && request.reusedSocket;
}
