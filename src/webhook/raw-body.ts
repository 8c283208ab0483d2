/**
 * Reads the body of a request unchanged, with a size limit, a deadline and a memory limit for all arriving bodies. A signature
 * is computed over these bytes, so nothing is decompressed or parsed here.
 */
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../time/clock';
import { type BodyClaim, sizeToGrowTo } from './body-memory';

type BodyFailure = 'raw_body_unavailable' | 'too_large' | 'too_slow' | 'busy' | 'gone';

export type BodyResult =
  | { readonly bytes: Buffer; readonly failure: null }
  /** `gone`: the client disconnected. `busy`: the memory is used up, or the reading was cancelled. */
  | { readonly bytes: null; readonly failure: BodyFailure };

export interface BodyLimits {
  readonly bytes: number;
  readonly deadlineMs: number;
  /** Stays with the body until the caller releases it. */
  readonly claim: BodyClaim;
}

/** True if an earlier body parser has read the body. */
export function isAlreadyRead(req: IncomingMessage): boolean {
  return req.readableEnded || req.readableDidRead;
}

/** Calls `done` exactly once. The returned function cancels the reading with `busy`. */
export function readRawBody(
  req: IncomingMessage,
  limits: BodyLimits,
  clock: Clock,
  done: (result: BodyResult) => void,
): () => void {
  if (isAlreadyRead(req)) {
    done({ bytes: null, failure: 'raw_body_unavailable' });
    return () => undefined;
  }
  const body = new GrowingBuffer(limits);
  let finished = false;
  const endReading = (result: BodyResult): void => {
    if (finished) return;
    finished = true;
    stopTimer();
    req.off('data', onData);
    req.off('end', onEnd);
    req.off('close', onClose);
    done(result);
  };
  const fail = (failure: BodyFailure): void => {
    endReading({ bytes: null, failure });
  };
  const onData = (chunk: Buffer): void => {
    const failure = body.append(chunk);
    if (failure !== null) fail(failure);
  };
  const onEnd = (): void => {
    endReading({ bytes: body.bytes(), failure: null });
  };
  const onClose = (): void => {
    fail('gone');
  };
  const stopTimer = clock.after(limits.deadlineMs, () => {
    fail('too_slow');
  });
  req.on('data', onData);
  req.on('end', onEnd);
  req.on('close', onClose);
  return () => {
    fail('busy');
  };
}

const firstSize = 4096;

/**
 * Keeps the first chunk unchanged, which is usually everything, then one buffer that doubles. A list of chunks would take a
 * hundred times the memory of a body that arrives byte by byte. A Content-Length is only a claim, so nothing is reserved for
 * it.
 */
class GrowingBuffer {
  private buffer: Buffer = empty;
  private length = 0;

  constructor(private readonly limits: BodyLimits) {}

  append(chunk: Buffer): 'too_large' | 'busy' | null {
    const needed = this.length + chunk.length;
    if (needed > this.limits.bytes) return 'too_large';
    if (this.length === 0) return this.keepFirst(chunk);
    if (needed > this.buffer.length) {
      const wanted = Math.min(Math.max(needed, this.buffer.length * 2, firstSize), this.limits.bytes);
      const size = sizeToGrowTo(needed, wanted);
      if (!this.limits.claim.growTo(size)) return 'busy';
      const larger = Buffer.allocUnsafeSlow(size);
      this.buffer.copy(larger, 0, 0, this.length);
      this.buffer = larger;
    }
    chunk.copy(this.buffer, this.length);
    this.length = needed;
    return null;
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  private keepFirst(chunk: Buffer): 'busy' | null {
    if (!this.limits.claim.growTo(chunk.length)) return 'busy';
    this.buffer = chunk;
    this.length = chunk.length;
    return null;
  }
}

const empty = Buffer.alloc(0);
