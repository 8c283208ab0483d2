/** What a caller is told (contract.md section 4). The monitor stores the first 1000 characters: it is the user's only diagnosis. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock';

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
export type WebhookErrorWord = keyof typeof refusals;

/** What goes over the wire. */
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

/** `sentence` replaces the standard one; it must not repeat anything that the caller sent but moments and numbers. */
export function errorResponse(word: WebhookErrorWord, sentence?: string): WebhookResponse {
  const [status, standard] = refusals[word];
  const headers: Record<string, string> = {};
  if (status === 405) headers['Allow'] = 'POST';
  if (status === 429) headers['Retry-After'] = '60';
  if (status === 503) headers['Retry-After'] = '1';
  return { word, ...jsonResponse(status, word, sentence ?? standard, headers) };
}

/** A repeat is answered like the first one, so that the monitor shows success. */
export function successResponse(id: string, duplicate: boolean): WebhookResponse {
  const word = duplicate ? 'duplicate' : 'accepted';
  return { status: 200, word, headers: {}, body: JSON.stringify({ status: word, id }) };
}

/** The caller sends the body, which is the reply's and nothing else. */
function writeReplyHead(res: ServerResponse, reply: JsonResponse, more: Readonly<Record<string, string>> = {}): void {
  res.writeHead(reply.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(reply.body),
    'Cache-Control': 'no-store',
    ...reply.headers,
    ...more,
  });
}

// One call and its single answer, whatever has become of the connection meanwhile.

/** How much of an unwanted body is read on, and for how long, so that the caller gets to see the answer at all. */
const lingerBytes = 1024 * 1024;
const lingerMs = 1000;

/** Of an IPv4 address that came in by IPv6. */
const mappedPrefix = '::ffff:';

export class HttpExchange {
  readonly remote: string | null;
  private answered = false;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    private readonly clock: Clock,
  ) {
    const address = req.socket.remoteAddress ?? null;
    this.remote = address?.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
    // A caller that goes away while being answered is none of our errors, and nobody else listens for it.
    res.on('error', ignore);
    req.on('error', ignore);
  }

  /** True where this call was the answer, false where there had been one. */
  respond(reply: JsonResponse): boolean {
    if (this.answered || this.res.headersSent) return false;
    this.answered = true;
    if (this.res.destroyed) return true;
    if (this.req.complete || !announcesBody(this.req)) {
      writeReplyHead(this.res, reply);
      // In one piece with the head: one packet, and one call of the operating system.
      this.res.end(reply.body);
      this.req.resume();
    } else {
      writeReplyHead(this.res, reply, { Connection: 'close' });
      this.res.write(reply.body);
      this.linger();
    }
    return true;
  }

  /** Runs once when the answer is with the operating system or the connection is gone: a response closes in either case. */
  afterResponse(run: () => void): void {
    if (this.res.destroyed) run();
    else this.res.once('close', run);
  }

  /**
   * Closing at once would reset the connection, and the reset overtakes the answer: so the rest of the body is thrown away
   * for a moment before the response is ended.
   */
  private linger(): void {
    const { req, res } = this;
    let discarded = 0;
    const finish = (): void => {
      stopTimer();
      req.off('data', discard);
      res.end();
    };
    const discard = (chunk: Buffer): void => {
      discarded += chunk.length;
      if (discarded > lingerBytes) finish();
    };
    const stopTimer = this.clock.after(lingerMs, finish);
    req.on('data', discard);
    req.once('end', finish);
    req.once('close', finish);
    req.resume();
  }
}

function ignore(): void {
  // See where it is put on.
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
