/**
 * One request with all callers that wait for its response. Each caller has its own deadline and signal; the request is
 * cancelled when the last caller has left. A deadline begins when the request is sent. A queued request of a user also ends
 * when the service answers no other request for that time; one of a poll does not: nobody waits for it, and a key of hundreds
 * of monitors takes minutes to read them all.
 */
import { largest } from '../checks/extremes';
import type { MonitorRequest, SendOptions } from '../clients/client';
import { CemmError } from '../errors';
import type { Clock } from '../time/clock';
import { getRequestAlias, nameEndpoint, type QueueOptions, type Rank, rankRequest, ranks } from './requests';

/** The client has the same deadline and a more precise error, so it may report first. */
const graceMs = 50;

/** True for a caller whose deadline does not end a queued request. */
function isPatient({ patience, isBulk = false }: QueueOptions): boolean {
  return patience === 'poll' && !isBulk;
}

interface Waiter<T> {
  readonly options: QueueOptions;
  /** Monotonic time; null until the request of a poll is sent. */
  until: number | null;
  /** Starts the timer of its deadline, or starts it again. */
  start(): void;
  resolve(answer: T): void;
  reject(error: CemmError): void;
  /** Releases timer and listener. */
  release(): void;
}

export class SharedRequest<T> {
  private readonly waiters = new Set<Waiter<T>>();
  private readonly controller = new AbortController();
  /** The options it was sent with; null while it is queued. */
  private sent: { readonly until: number; readonly patience: SendOptions['patience'] } | null = null;

  /** Called when the last caller has left. */
  onAbandoned: () => void = () => undefined;

  constructor(
    readonly request: MonitorRequest,
    private readonly clock: Clock,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** True when a user waits for it. */
  get urgent(): boolean {
    for (const { options } of this.waiters) if (options.patience === 'user') return true;
    return false;
  }

  /** True when only polls wait for it. */
  get isPatient(): boolean {
    for (const { options } of this.waiters) if (!isPatient(options)) return false;
    return true;
  }

  /** The rank of the caller that goes first. */
  get rank(): Rank {
    let first: Rank = ranks.past;
    for (const { options } of this.waiters) {
      const rank = rankRequest(this.request, options);
      if (rank < first) first = rank;
    }
    return first;
  }

  join(options: QueueOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      const { elapsedMs = 0 } = options;
      let started = this.clock.monotonic() - elapsedMs;
      let stopTimer = (): void => undefined;
      const onAbort = () => {
        this.dismiss(waiter, this.error('CANCELLED', started));
      };
      const start = () => {
        stopTimer();
        const now = this.clock.monotonic();
        started = now - elapsedMs;
        waiter.until = now + options.deadlineMs;
        options.onStart?.();
        stopTimer = this.clock.after(options.deadlineMs + graceMs, () => {
          this.dismiss(waiter, this.error('DEADLINE', started));
        });
      };
      const release = () => {
        stopTimer();
        options.signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter<T> = { options, until: null, start, resolve, reject, release };
      options.signal.addEventListener('abort', onAbort, { once: true });
      if (this.sent !== null || !isPatient(options)) start();
      this.waiters.add(waiter);
    });
  }

  /**
   * Marks the request as sent and returns its options: the time and patience of the most patient caller, and at least
   * the default time, for callers that join later. Callers with less time leave earlier.
   */
  markSent(usualMs: number): SendOptions {
    const now = this.clock.monotonic();
    for (const waiter of this.waiters) waiter.start();
    const until = largest([now + usualMs, ...[...this.waiters].flatMap((waiter) => waiter.until ?? [])]);
    const patience = this.urgent ? 'user' : 'poll';
    this.sent = { until, patience };
    return { signal: this.signal, deadlineMs: until - now, patience };
  }

  /** Gives callers of a queued request their whole time again, because the service answers. */
  restartDeadlines(): void {
    if (this.sent !== null) return;
    for (const waiter of this.waiters) if (waiter.until !== null) waiter.start();
  }

  /** True when it was sent with less time or patience than this later caller has. */
  wasSentWithLess(until: number, patience: SendOptions['patience']): boolean {
    return this.sent !== null && (this.sent.until < until || (this.sent.patience === 'poll' && patience === 'user'));
  }

  succeed(answer: T): void {
    for (const waiter of this.empty()) waiter.resolve(answer);
  }

  /** Rejects each caller with a new error object. */
  fail(error: CemmError): void {
    for (const waiter of this.empty()) waiter.reject(error.copy());
  }

  /** Cancels it for all callers. */
  abort(error: CemmError): void {
    this.fail(error);
    this.controller.abort();
  }

  private dismiss(waiter: Waiter<T>, error: CemmError): void {
    if (!this.waiters.delete(waiter)) return;
    waiter.release();
    waiter.reject(error);
    if (this.waiters.size > 0) return;
    this.controller.abort();
    this.onAbandoned();
  }

  private empty(): Waiter<T>[] {
    const all = [...this.waiters];
    this.waiters.clear();
    for (const waiter of all) waiter.release();
    return all;
  }

  private error(code: 'CANCELLED' | 'DEADLINE', started: number): CemmError {
    return new CemmError(code, {
      endpoint: nameEndpoint(this.request),
      alias: getRequestAlias(this.request) ?? undefined,
      elapsedMs: Math.round(this.clock.monotonic() - started),
    });
  }
}
