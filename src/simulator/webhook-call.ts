/** What a webhook is told to do, checked once; every refusal is a sentence and quotes no value, for values may be keys. */
import http, { validateHeaderName, validateHeaderValue } from 'node:http';
import https from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import { defaultRequest, parsePublicRequest, type TimeseriesQuery } from './public-api';
import type { WebhookOptions } from './simulator';
import { isTopic, type Topic, topics } from './webhook-channels';

export interface WebhookSettings {
  readonly url: URL;
  readonly hmacKey: string | null;
  readonly headers: readonly (readonly [string, string])[];
  readonly everySeconds: number;
  /** Infinity = go on. */
  readonly count: number;
  readonly content:
    | { readonly type: 'post'; readonly topics: readonly Topic[] }
    | { readonly type: 'public'; readonly request: TimeseriesQuery | 'meters' };
}

const SECONDS_PER_DAY = 86_400;
/** They say where the body ends and belong to the transport. */
const transportHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade']);

/** @throws RangeError with a sentence that says what to write instead. */
export function checkWebhook(options: WebhookOptions): WebhookSettings {
  const { hmacKey, headers = [], everySeconds = 60, count = Infinity } = options;
  if (hmacKey === '') throw new RangeError('The HMAC key of the webhook is empty: give it a key or leave it out.');
  if (!Number.isInteger(everySeconds) || everySeconds < 1 || everySeconds > SECONDS_PER_DAY) {
    throw new RangeError(`The interval of the webhook must be 1 to ${SECONDS_PER_DAY} whole seconds.`);
  }
  if (count !== Infinity && !(Number.isInteger(count) && count >= 1)) {
    throw new RangeError('The number of deliveries must be a whole number from 1.');
  }
  return {
    url: checkUrl(options.url),
    hmacKey: hmacKey ?? null,
    headers: headers.map(checkHeader),
    everySeconds,
    count,
    content:
      options.type === 'public'
        ? { type: 'public', request: parsePublicRequest(options.publicRequest ?? defaultRequest) }
        : { type: 'post', topics: (options.topics ?? topics).map(checkTopic) },
  };
}

function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new RangeError('The address of the webhook must be a whole one, such as http://127.0.0.1:1880/cemm.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new RangeError(
      'The address of the webhook must not carry a name or password: use a header or query parameter.',
    );
  }
  return url;
}

/** Reads `Name: value`; what surrounds the value is no part of it. */
function checkHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim();
  const value = line.slice(colon + 1).trim();
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch {
    throw new RangeError("An extra header must be written as 'Name: value'.");
  }
  if (transportHeaders.has(name.toLowerCase())) {
    throw new RangeError(`The header ${name} is set by the monitor itself: leave it out.`);
  }
  return [name, value];
}

function checkTopic(name: string): Topic {
  if (isTopic(name)) return name;
  throw new RangeError(`A topic of the webhook must be one of: ${topics.join(', ')}.`);
}

// One POST of a monitor, with its limit of five seconds, and the record that is kept of it (spec.md, Events E4 and E5).

/** Milliseconds for the whole call: connecting, sending, and the answer to its last byte. */
export const callLimitMs = 5000;

const RESPONSE_CHARACTERS_KEPT = 1000;
/** More than any receiver has to say; what comes after it is not waited for. */
const RESPONSE_BYTES_READ = 65_536;

export interface Call {
  readonly url: URL;
  /** Beside Host, Connection and Content-Length, which belong to the transport. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly limitMs: number;
  /** Ends the call early, when the monitor is switched off. */
  readonly signal: AbortSignal;
}

interface CallOutcome {
  readonly status: number | null;
  /** First 1000 characters. */
  readonly response: string | null;
  /** In words, without the address; null when an answer came, whatever its status. */
  readonly error: string | null;
}

/** Sends the call. Never rejects: what went wrong is in `error`. Redirects are not followed. */
export function post(call: Call): Promise<CallOutcome> {
  return new Promise((resolve) => {
    let status: number | null = null;
    let response: string | null = null;
    const request = (call.url.protocol === 'https:' ? https : http).request(call.url, {
      method: 'POST',
      headers: headerLines(call).flat(),
      agent: false,
      signal: call.signal,
    });
    const timer = setTimeout(() => {
      settle(`no complete answer within ${call.limitMs / 1000} seconds`);
    }, call.limitMs);

    function settle(error: string | null): void {
      clearTimeout(timer);
      resolve({ status, response, error });
      request.destroy();
    }

    request.on('error', (error) => {
      settle(inWords(error));
    });
    request.on('response', (incoming) => {
      const decoder = new StringDecoder('utf8');
      let bytes = 0;
      let text = '';
      status = incoming.statusCode ?? null;
      response = text;
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (text.length < RESPONSE_CHARACTERS_KEPT) text += decoder.write(chunk);
        response = text.slice(0, RESPONSE_CHARACTERS_KEPT);
        if (bytes > RESPONSE_BYTES_READ) settle(null);
      });
      incoming.on('error', (error) => {
        settle(inWords(error));
      });
      incoming.on('end', () => {
        settle(null);
      });
    });
    request.end(call.body);
  });
}

/** The request as it goes over the line, for the status page; of a signature only the first 8 digits. */
export function rawRequest(call: Call): string {
  const lines = headerLines(call).map(([name, value]) =>
    name.toLowerCase() === 'x-signature' ? `${name}: ${value.slice(0, 8)}…` : `${name}: ${value}`,
  );
  const path = `${call.url.pathname}${call.url.search}`;
  return [`POST ${path} HTTP/1.1`, ...lines, '', call.body.toString('utf8')].join('\r\n');
}

function headerLines(call: Call): (readonly [string, string])[] {
  return [
    ['Host', call.url.host],
    ...call.headers,
    ['Content-Length', String(call.body.length)],
    ['Connection', 'close'],
  ];
}

const words: Readonly<Record<string, string>> = {
  ABORT_ERR: 'the monitor was switched off',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was closed before the answer was complete',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name is unknown',
};

function inWords({ code = 'the call failed' }: NodeJS.ErrnoException): string {
  return words[code] ?? code;
}
