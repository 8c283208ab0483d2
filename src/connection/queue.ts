/**
 * Limits the requests in flight: per monitor, per connection, and with a pause between two requests when the device
 * needs it. Queued requests start by rank, then in order of arrival; a waiting request rises by one rank every five
 * seconds, so that each one starts at some time. The limit per connection adapts to
 * the service: an expired promise, 408, 429, 5xx or 502 halves it; at one request, polls also wait between two
 * requests, twice as long each time. Responses restore limit and pause step by step. Requests of users never wait for
 * the pause. Monitors that are away slow down no other: a 502 or an expired promise counts when the monitor answered before.
 */
import { CemmError, type ErrorCode, hasConsequence } from '../errors';
import type { ConcurrencyLimits } from '../clients/client';
import type { Clock } from '../time/clock';
import { ranks, type Rank } from './requests';

const firstPauseMs = 500;
const longestPauseMs = 8_000;

/** The adaptive limit of one connection. */
export class Throttle {
  private allowed: number;
  private pause = 0;
  /** Responses since the last step. */
  private good = 0;
  /** The monitors whose last request had a response. */
  private readonly answering = new Set<string>();

  /** @param most requests in flight when there is no overload */
  constructor(private readonly most: number) {
    this.allowed = most;
  }

  /** Number of requests that may be in flight. */
  get limit(): number {
    return this.allowed;
  }

  /** Milliseconds between the end of a request and the next poll. */
  get pauseMs(): number {
    return this.pause;
  }

  /** @param monitor null: the service itself */
  recordSuccess(monitor: string | null): void {
    if (monitor !== null) this.answering.add(monitor);
    this.good += 1;
    if (this.good < this.allowed) return;
    this.good = 0;
    if (this.pause > 0) this.pause = this.pause > firstPauseMs ? this.pause / 2 : 0;
    else this.allowed = Math.min(this.most, this.allowed + 1);
  }

  failed(code: ErrorCode, monitor: string | null): void {
    if (!hasConsequence(code, 'overload')) return;
    if (monitor !== null && hasConsequence(code, 'of_monitor') && !this.answering.delete(monitor)) return;
    this.good = 0;
    if (this.allowed > 1) this.allowed = Math.floor(this.allowed / 2);
    else this.pause = Math.min(longestPauseMs, Math.max(firstPauseMs, this.pause * 2));
  }
}

/** Most requests in the queue for which somebody waits. */
export const mostWaiting = 100;
/** Most polls in the queue: there is one per timer and request. */
const mostPolls = 10_000;

export interface QueuedRequest {
  /** Requests with the same key (one monitor) share the limit per monitor. */
  readonly key: string;
  readonly request: {
    /** A user waits for it; may become true while the request is queued. */
    readonly urgent: boolean;
    /** Only polls wait for it; may become false while the request is queued. */
    readonly isPatient: boolean;
    /** May become smaller while the request is queued. */
    readonly rank: Rank;
  };
  /** Must not reject. The request counts as in flight until it settles. */
  run(): Promise<void>;
  /** A request of a user took its place in the full queue. */
  evicted(error: CemmError): void;
}

function queueIsFull(limit: number): CemmError {
  return new CemmError('RATE', { reason: 'queue_full', params: { limit } });
}

interface Waiting {
  readonly queued: QueuedRequest;
  /** Monotonic time. */
  readonly since: number;
}

/** Time in which a waiting request rises by one rank; none rises above that of current readings. */
const riseMs = 5_000;

/** Starts requests within the limits, and keeps the others in order. */
export class Queue {
  private readonly waiting: Waiting[] = [];
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

  /** Starts the request at once or queues it; throws `RATE` (`queue_full`) when the queue is full. */
  enter(queued: QueuedRequest): void {
    const polls = this.waiting.filter((other) => other.queued.request.isPatient).length;
    if (queued.request.isPatient) {
      if (polls >= mostPolls) throw queueIsFull(mostPolls);
    } else if (this.waiting.length - polls >= mostWaiting) this.makeRoomFor(queued);
    this.waiting.push({ queued, since: this.clock.monotonic() });
    this.serve();
  }

  /** Removes a request from the queue; a running one continues. */
  leave(queued: QueuedRequest): void {
    const place = this.waiting.findIndex((one) => one.queued === queued);
    if (place >= 0) this.waiting.splice(place, 1);
  }

  /** Starts what may start, also when a queued request has become urgent. */
  serve(): void {
    while (this.waiting.length > 0 && this.inFlight.size < this.throttle.limit && !this.paused(this.limits.gapMs)) {
      const queued = this.next();
      if (queued === null) return;
      this.leave(queued);
      this.startRequest(queued);
    }
  }

  close(): void {
    this.waiting.length = 0;
    this.stopPause?.();
    this.stopPause = null;
  }

  /** Resolves when nothing is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.inFlight);
  }

  private makeRoomFor(queued: QueuedRequest): void {
    const isInBackground = ({ queued: { request } }: Waiting): boolean => !request.urgent && !request.isPatient;
    const other = queued.request.urgent ? this.waiting.findLast(isInBackground)?.queued : undefined;
    if (other === undefined) throw queueIsFull(mostWaiting);
    this.leave(other);
    other.evicted(queueIsFull(mostWaiting));
  }

  private next(): QueuedRequest | null {
    const now = this.clock.monotonic();
    let first: QueuedRequest | null = null;
    let least = Infinity;
    for (const { queued, since } of this.waiting) {
      if ((this.running.get(queued.key) ?? 0) >= this.limits.perMonitor) continue;
      const { rank } = queued.request;
      const risen = Math.max(Math.min(rank, ranks.now), rank - Math.floor((now - since) / riseMs));
      if (risen < least) [first, least] = [queued, risen];
    }
    return least !== ranks.user && first !== null && this.paused(this.throttle.pauseMs) ? null : first;
  }

  private startRequest(queued: QueuedRequest): void {
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

  /** True for this time after the last response; the queue continues afterwards. */
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
