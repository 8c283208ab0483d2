/** One call and its single answer, whatever has become of the connection meanwhile. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeReplyHead, type JsonReply } from './answers';
import type { ReceiverClock } from './clock';

/** How much of an unwanted body is read on, and for how long, so that the caller gets to see the answer at all. */
const lingerBytes = 1024 * 1024;
const lingerMs = 1000;

/** Of an IPv4 address that came in by IPv6. */
const mappedPrefix = '::ffff:';

export class Exchange {
  readonly remote: string | null;
  private answered = false;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
    private readonly clock: ReceiverClock,
  ) {
    const address = req.socket.remoteAddress ?? null;
    this.remote = address?.startsWith(mappedPrefix) ? address.slice(mappedPrefix.length) : address;
    // A caller that goes away while being answered is none of our errors, and nobody else listens for it.
    res.on('error', ignore);
    req.on('error', ignore);
  }

  /** True where this call was the answer, false where there had been one. */
  answer(reply: JsonReply): boolean {
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
  afterwards(run: () => void): void {
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
