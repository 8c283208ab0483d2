/**
 * Builds and sends the responses of a receiver. A monitor stores the first 1000 characters of a response and shows them on its
 * webhook page (https://wiki.cemm.nl/tools/webhooks), so each sentence says what to change.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../time/clock';
import { plainAddress } from './remote-network';

const errors = {
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

/** The values of `error`. */
export type WebhookErrorWord = keyof typeof errors;

/** Status, headers and body of a response. */
export interface JsonResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface WebhookResponse extends JsonResponse {
  readonly word: WebhookErrorWord | 'accepted' | 'duplicate';
}

export function jsonResponse(
  status: number,
  error: string,
  message: string,
  headers: JsonResponse['headers'] = {},
): JsonResponse {
  return { status, headers, body: JSON.stringify({ error, message }) };
}

/** @param sentence replaces the default one; may contain times and numbers of the request, and nothing else from it */
export function errorResponse(word: WebhookErrorWord, sentence?: string): WebhookResponse {
  const [status, standardSentence] = errors[word];
  const headers: Record<string, string> = {};
  if (status === 405) headers['Allow'] = 'POST';
  if (status === 429) headers['Retry-After'] = '60';
  if (status === 503) headers['Retry-After'] = '1';
  return { word, ...jsonResponse(status, word, sentence ?? standardSentence, headers) };
}

/** A repeat gets status 200 as well, so that the monitor shows success. */
export function successResponse(id: string, duplicate: boolean): WebhookResponse {
  const word = duplicate ? 'duplicate' : 'accepted';
  return { status: 200, word, headers: {}, body: JSON.stringify({ status: word, id }) };
}

/** The caller writes the body. */
function writeHead(res: ServerResponse, response: JsonResponse, more: Readonly<Record<string, string>> = {}): void {
  res.writeHead(response.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(response.body),
    'Cache-Control': 'no-store',
    ...response.headers,
    ...more,
  });
}

/** Limits of an unwanted body, in bytes and ms. It is read for the client to receive the response. */
const lingerBytes = 1024 * 1024;
const lingerMs = 1000;

/** One HTTP request and its single response. */
export class HttpExchange {
  readonly remote: string | null;
  private answered = false;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    private readonly clock: Clock,
  ) {
    this.remote = plainAddress(req.socket.remoteAddress);
    // A client that disconnects during the response is not an error of the receiver, and an unhandled `error` ends the process.
    res.on('error', () => undefined);
    req.on('error', () => undefined);
  }

  /** False if there was a response before. */
  respond(response: JsonResponse): boolean {
    if (this.answered || this.res.headersSent) return false;
    this.answered = true;
    if (this.res.destroyed) return true;
    if (this.req.complete || !announcesBody(this.req)) {
      writeHead(this.res, response);
      // Head and body together, in one packet.
      this.res.end(response.body);
      this.req.resume();
    } else {
      writeHead(this.res, response, { Connection: 'close' });
      this.res.write(response.body);
      this.linger();
    }
    return true;
  }

  /** Runs once, when the response was written or the connection is closed: it emits `close` in either case. */
  afterResponse(run: () => void): void {
    if (this.res.destroyed) run();
    else this.res.once('close', run);
  }

  /**
   * Discards the rest of the body for a moment before closing. Closing at once resets the connection, and a client may see the
   * reset before the response.
   */
  private linger(): void {
    const { req, res } = this;
    let discarded = 0;
    const endExchange = (): void => {
      stopTimer();
      req.off('data', discard);
      res.end();
    };
    const discard = (chunk: Buffer): void => {
      discarded += chunk.length;
      if (discarded > lingerBytes) endExchange();
    };
    const stopTimer = this.clock.after(lingerMs, endExchange);
    req.on('data', discard);
    req.once('end', endExchange);
    req.once('close', endExchange);
    req.resume();
  }
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
