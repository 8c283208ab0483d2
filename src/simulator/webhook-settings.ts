/** What a webhook is told to do, checked once; every refusal is a sentence and quotes no value, for values may be keys. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { defaultRequest, parsePublicRequest, type TimeseriesQuery } from './public-timeseries';
import type { WebhookOptions } from './simulator';
import { isTopic, topics, type Topic } from './webhook-windows';

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
export function checkHeader(line: string): readonly [string, string] {
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
