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
  return new HttpClient(options);
}

class HttpClient implements Http {
  private readonly httpAgent: HttpAgent;
  private readonly httpsAgent: HttpsAgent;
  private readonly axios: AxiosInstance;
  private readonly clock: Clock;
  private readonly maxBytes: number;
  private readonly idleMs: number;
  /** Stop the requests in flight. A destroyed agent alone would open new sockets for them. */
  private readonly stops = new Set<() => void>();
  private closed = false;

  constructor(options: HttpOptions) {
    const { clock, maxBytes = 2 * megabytes, idleMs = 5000, lookup } = options;
    this.clock = clock;
    this.maxBytes = maxBytes;
    this.idleMs = idleMs;
    const agentOptions = { keepAlive: true, maxSockets: options.sockets, ...(lookup && { lookup }) };
    this.httpAgent = new HttpAgent(agentOptions);
    this.httpsAgent = new HttpsAgent(agentOptions);
    this.axios = axios().create({
      adapter: 'http',
      allowAbsoluteUrls: false,
      baseURL: options.baseUrl,
      decompress: false,
      headers: { Accept: 'application/json', 'Accept-Encoding': 'identity', 'User-Agent': 'node-red-contrib-cemm' },
      httpAgent: this.httpAgent,
      httpsAgent: this.httpsAgent,
      maxRedirects: 0,
      paramsSerializer: { encode: encodeURIComponent },
      // A stream, so that status, headers and size can refuse the body before it is read completely.
      responseType: 'stream',
      timeout: idleMs,
      transitional: { clarifyTimeoutError: true, silentJSONParsing: false },
      validateStatus: () => true,
      ...proxyRule(options),
      redact: ['api_key'],
    });
  }

  /** Sends the request, and sends it again when the server has closed the keep-alive socket in the meantime. */
  async get(request: HttpRequest): Promise<HttpOutcome> {
    const time = new AbortController();
    const stop = (): void => {
      time.abort();
    };
    const cancelTimeout = this.clock.after(request.timeoutMs, stop);
    request.signal.addEventListener('abort', stop);
    this.stops.add(stop);
    if (this.closed || request.signal.aborted) stop();
    try {
      const first = await this.send(request, time.signal);
      if (first !== 'stale') return first;
      const second = await this.send(request, time.signal);
      if (second !== 'stale') return { ...second, sent: 2 };
      return { kind: 'failure', failure: { code: 'NETWORK', reason: 'reset' }, retryAfterMs: null, sent: 2 };
    } finally {
      cancelTimeout();
      request.signal.removeEventListener('abort', stop);
      this.stops.delete(stop);
    }
  }

  close(): void {
    this.closed = true;
    for (const stop of this.stops) stop();
    this.httpAgent.destroy();
    this.httpsAgent.destroy();
  }

  private async send({ path, params = {}, signal }: HttpRequest, time: AbortSignal): Promise<HttpOutcome | 'stale'> {
    try {
      const response = await this.axios.get<Readable>(path, { params, signal: time });
      const outcome = await this.readResponse(response, time);
      const sender: unknown = response.request;
      return sender instanceof ClientRequest && !sender.reusedSocket && outcome.kind === 'answer'
        ? { ...outcome, isNewSocket: true }
        : outcome;
    } catch (error) {
      if (time.aborted) return makeFailure(this.stopped(signal));
      return isStale(error) ? 'stale' : makeFailure(socketFailure(error));
    }
  }

  private async readResponse(response: AxiosResponse<Readable>, time: AbortSignal): Promise<HttpOutcome> {
    const { status, data: stream } = response;
    const failure = headFailure(response, this.maxBytes);
    if (failure !== null) {
      // The socket is closed without reading the body: the status is enough, and the body may be endless.
      stream.on('error', () => undefined).destroy();
      return makeFailure(failure, retryAfter(header(response, 'retry-after'), this.clock.now()));
    }
    if (status !== 202) {
      const body = await this.readBody(stream, this.maxBytes, time);
      return body === null ? makeFailure(tooLarge) : { kind: 'answer', status, body, sent: 1 };
    }
    // The status alone makes it a promise, even when the body is incomplete.
    const code = await this.readBody(stream, promiseBytes, time).catch(() => null);
    return { kind: 'answer', status, body: code ?? new Uint8Array(), sent: 1 };
  }

  /** Reads the body; null when it is longer than `maxBytes`. Throws when the stream breaks, idles or is stopped. */
  private async readBody(stream: Readable, maxBytes: number, time: AbortSignal): Promise<Buffer | null> {
    const chunks: Buffer[] = [];
    let size = 0;
    const silence = (): void => {
      stream.destroy(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' }));
    };
    const stop = (): void => {
      stream.destroy();
    };
    let cancelSilence = this.clock.after(this.idleMs, silence);
    time.addEventListener('abort', stop);
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        cancelSilence();
        cancelSilence = this.clock.after(this.idleMs, silence);
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
  private stopped(caller: AbortSignal): Failure {
    if (caller.aborted) return { code: 'CANCELLED', reason: 'stopped' };
    return { code: 'NETWORK', reason: this.closed ? 'reset' : 'timeout' };
  }
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

function makeFailure(failure: Failure, retryAfterMs: number | null = null): HttpOutcome {
  return { kind: 'failure', failure, retryAfterMs, sent: 1 };
}

function isStale(error: unknown): boolean {
  if (!axios().isAxiosError(error) || !['ECONNRESET', 'EPIPE'].includes(errorCode(error))) return false;
  const request: unknown = error.request;
  return request instanceof ClientRequest && request.reusedSocket;
}
