/**
 * How fast a key may be asked, learned from the answers (peers E.3, 8): a service that cannot keep up says so by a promise
 * that it does not keep (202), by 408, 429 or 5xx, or by 502 for a monitor. Each of these halves the number of requests
 * in the air; when only one is left, polls also wait between two of them, twice as long each time. Answers bring both back
 * step by step. People and jobs wait for a free place like everybody, but never for the pause.
 */
import { CemmError, type ErrorCode } from '../errors';
import type { ConcurrencyLimits } from '../clients/client';
import type { Clock } from '../clock';

const firstPauseMs = 500;
const longestPauseMs = 8_000;

const overload: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'PROMISE_EXPIRED',
  'UPSTREAM_TIMEOUT',
  'MONITOR_OFFLINE',
  'UPSTREAM',
  'RATE',
]);

export class Throttle {
  private allowed: number;
  private pause = 0;
  /** Answers since the last step. */
  private good = 0;

  /** @param most requests in the air while all is well */
  constructor(private readonly most: number) {
    this.allowed = most;
  }

  /** Questions that may be in the air. */
  get limit(): number {
    return this.allowed;
  }

  /** Milliseconds between the end of a request and the next poll. */
  get pauseMs(): number {
    return this.pause;
  }

  answered(): void {
    this.good += 1;
    if (this.good < this.allowed) return;
    this.good = 0;
    if (this.pause > 0) this.pause = this.pause > firstPauseMs ? this.pause / 2 : 0;
    else this.allowed = Math.min(this.most, this.allowed + 1);
  }

  failed(code: ErrorCode): void {
    if (!overload.has(code)) return;
    this.good = 0;
    if (this.allowed > 1) this.allowed = Math.floor(this.allowed / 2);
    else this.pause = Math.min(longestPauseMs, Math.max(firstPauseMs, this.pause * 2));
  }
}

// How many requests are in the air at a time: so many per monitor, so many per connection (fewer while the service cannot
// keep up), with a pause between two of them where the device wants one. Who waits is served in the order of arrival,
// people's requests before timed polls.

/** Questions that may wait at a time. */
export const mostWaiting = 100;

export interface QueuedRequest {
  /** Questions of one key (one monitor) share the limit per monitor. */
  readonly key: string;
  /** A person waits for it; may become true while the queued waits. */
  readonly urgent: boolean;
  /** Must not reject; the place is free again when it settles. */
  run(): Promise<void>;
  /** Another queued took its place in a full line. */
  evicted(error: CemmError): void;
}

function queueIsFull(): CemmError {
  return new CemmError('RATE', 'Too many different requests wait for this connection.', {
    reason: 'queue_full',
    params: { limit: mostWaiting },
  });
}

export class Queue {
  private readonly waiting: QueuedRequest[] = [];
  private readonly running = new Map<string, number>();
  private readonly inFlight = new Set<Promise<void>>();
  /** When the last request ended. */
  private endedAt = Number.NEGATIVE_INFINITY;
  private stopPause: (() => void) | null = null;

  constructor(
    private readonly limits: Omit<ConcurrencyLimits, 'perKey'>,
    private readonly throttle: Throttle,
    private readonly clock: Clock,
  ) {}

  /** Starts the queued at once or lets it wait; throws `RATE` (`queue_full`) when the line is full. */
  enter(queued: QueuedRequest): void {
    if (this.waiting.length >= mostWaiting) this.makeRoomFor(queued);
    this.waiting.push(queued);
    this.serve();
  }

  /** Takes a queued out of the line; one that is running already goes on. */
  leave(queued: QueuedRequest): void {
    const place = this.waiting.indexOf(queued);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  close(): void {
    this.waiting.length = 0;
    this.stopPause?.();
    this.stopPause = null;
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  private makeRoomFor(queued: QueuedRequest): void {
    const poll = queued.urgent ? this.waiting.findLast((other) => !other.urgent) : undefined;
    if (poll === undefined) throw queueIsFull();
    this.leave(poll);
    poll.evicted(queueIsFull());
  }

  private serve(): void {
    while (this.waiting.length > 0 && this.inFlight.size < this.throttle.limit && !this.paused(this.limits.gapMs)) {
      const queued = this.next();
      if (queued === null) return;
      this.leave(queued);
      this.start(queued);
    }
  }

  private next(): QueuedRequest | null {
    const ready = this.waiting.filter(({ key }) => (this.running.get(key) ?? 0) < this.limits.perMonitor);
    const person = ready.find(({ urgent }) => urgent);
    if (person !== undefined) return person;
    const [poll] = ready;
    return poll === undefined || this.paused(this.throttle.pauseMs) ? null : poll;
  }

  private start(queued: QueuedRequest): void {
    this.running.set(queued.key, (this.running.get(queued.key) ?? 0) + 1);
    const run = queued.run().finally(() => {
      this.inFlight.delete(run);
      this.finish(queued.key);
    });
    this.inFlight.add(run);
  }

  private finish(key: string): void {
    const left = (this.running.get(key) ?? 0) - 1;
    if (left > 0) this.running.set(key, left);
    else this.running.delete(key);
    this.endedAt = this.clock.monotonic();
    this.serve();
  }

  /** True so long after an answer; the line moves on when that is over. */
  private paused(forMs: number): boolean {
    const leftMs = this.endedAt + forMs - this.clock.monotonic();
    if (leftMs <= 0) return false;
    this.stopPause?.();
    this.stopPause = this.clock.after(leftMs, () => {
      this.stopPause = null;
      this.serve();
    });
    return true;
  }
}
