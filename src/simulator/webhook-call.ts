/** Settings of a webhook, validated, and the HTTP request of one delivery. */
import http, { validateHeaderName, validateHeaderValue } from 'node:http';
import https from 'node:https';
import { StringDecoder } from 'node:string_decoder';
import type { House } from './house';
import { chooseHouse } from './houses';
import { defaultRequest, parsePublicRequest, type TimeseriesQuery } from './public-api';
import type { DeliveryStatus, WebhookOptions } from './simulator';
import { isTopic, type Topic, topics } from './webhook-channels';

/** Valid settings of a webhook. */
export interface WebhookSettings {
  readonly url: URL;
  readonly hmacKey: string | null;
  readonly headers: readonly (readonly [string, string])[];
  readonly everySeconds: number;
  /** Infinity: no limit. */
  readonly count: number;
  readonly content:
    | { readonly type: 'post'; readonly topics: readonly Topic[] }
    | { readonly type: 'public'; readonly request: TimeseriesQuery | 'meters' };
}

const secondsPerDay = 86_400;
/** Headers that Node.js sets. */
const transportHeaders = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'upgrade']);

/** @throws {RangeError} with a sentence that says what to write and quotes no value, because values can be keys */
export function checkWebhook(options: WebhookOptions, house: House = chooseHouse()): WebhookSettings {
  const { hmacKey, headers = [], everySeconds = 60, count = Infinity } = options;
  if (hmacKey === '') throw new RangeError('The HMAC key of the webhook is empty: give it a key or leave it out.');
  if (!Number.isInteger(everySeconds) || everySeconds < 1 || everySeconds > secondsPerDay) {
    throw new RangeError(`The interval of the webhook must be 1 to ${secondsPerDay} whole seconds.`);
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
        ? { type: 'public', request: parsePublicRequest(options.publicRequest ?? defaultRequest, house) }
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

/** Parses `Name: value` without the spaces around both. */
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

/** Timeout of a delivery in ms, from the connection to the last byte of the response (https://wiki.cemm.nl/tools/webhooks). */
export const callLimitMs = 5000;

const mostCharactersKept = 1000;
/** The request ends after so many bytes of the response. */
const mostBytesRead = 65_536;

/** The HTTP request of one delivery. */
export interface Call {
  readonly url: URL;
  /** Without Host, Connection and Content-Length. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly limitMs: number;
  /** Cancels the request when the simulator closes. */
  readonly signal: AbortSignal;
}

type CallOutcome = Pick<DeliveryStatus, 'status' | 'response' | 'error'>;

/** Sends the request. Never rejects: failures are in `error`. Does not follow redirects. */
export function sendCall(call: Call): Promise<CallOutcome> {
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
        if (text.length < mostCharactersKept) text += decoder.write(chunk);
        response = text.slice(0, mostCharactersKept);
        if (bytes > mostBytesRead) settle(null);
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

/** The text of the request, for the status page, with only the first 8 digits of the signature. */
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
