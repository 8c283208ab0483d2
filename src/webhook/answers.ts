/** What a caller is told (contract.md section 4). The monitor stores the first 1000 characters: it is the user's only diagnosis. */
import type { ServerResponse } from 'node:http';

const refusals = {
  bad_json: [400, 'The body is not JSON.'],
  too_deep: [400, 'The JSON nests deeper than 16 levels.'],
  bad_encoding: [400, 'The body is not UTF-8.'],
  missing_signature: [401, 'The X-Signature header is missing: set the HMAC key in the webhook of the monitor.'],
  bad_signature: [401, 'X-Signature is not the HMAC-SHA512 of this body in 128 hex digits: compare both HMAC keys.'],
  bad_key: [401, 'The API key in the header or URL is missing or wrong.'],
  monitor_not_allowed: [403, 'This monitor is not on the list of the receiving node.'],
  method: [405, 'Only POST is accepted here.'],
  too_slow: [408, 'The body did not arrive within 3 seconds.'],
  stale: [409, 'The clocks of monitor and receiver are too far apart.'],
  too_large: [413, 'The body is larger than 256 kB.'],
  content_type: [415, 'Send Content-Type: application/json in UTF-8.'],
  content_encoding: [415, 'Compressed bodies are not accepted.'],
  not_a_delivery: [422, 'The body is neither a JSON object nor a JSON list.'],
  too_many_failures: [429, 'Too many calls from this address failed: wait a minute.'],
  too_many_deliveries: [429, 'This installation has sent 240 deliveries or 4 MB in this minute: send less often.'],
  raw_body_unavailable: [
    500,
    'The body was read before it got here, so nothing can be verified: see the Node-RED log.',
  ],
  busy: [503, 'The receiver is busy or restarting: try again.'],
} as const satisfies Record<string, readonly [number, string]>;

/** The `error` words. */
export type Refusal = keyof typeof refusals;

/** What goes over the wire. */
export interface JsonReply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Reply extends JsonReply {
  readonly word: Refusal | 'accepted' | 'duplicate';
}

export function jsonReply(
  status: number,
  error: string,
  message: string,
  headers: JsonReply['headers'] = {},
): JsonReply {
  return { status, headers, body: JSON.stringify({ error, message }) };
}

/** `sentence` replaces the standard one; it must not repeat anything that the caller sent but moments and numbers. */
export function refuse(word: Refusal, sentence?: string): Reply {
  const [status, standard] = refusals[word];
  const headers: Record<string, string> = {};
  if (status === 405) headers['Allow'] = 'POST';
  if (status === 429) headers['Retry-After'] = '60';
  if (status === 503) headers['Retry-After'] = '1';
  return { word, ...jsonReply(status, word, sentence ?? standard, headers) };
}

/** A repeat is answered like the first one, so that the monitor shows success. */
export function accept(id: string, duplicate: boolean): Reply {
  const word = duplicate ? 'duplicate' : 'accepted';
  return { status: 200, word, headers: {}, body: JSON.stringify({ status: word, id }) };
}

/** The caller sends the body, which is the reply's and nothing else. */
export function writeReplyHead(
  res: ServerResponse,
  reply: JsonReply,
  more: Readonly<Record<string, string>> = {},
): void {
  res.writeHead(reply.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(reply.body),
    'Cache-Control': 'no-store',
    ...reply.headers,
    ...more,
  });
}
