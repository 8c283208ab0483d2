/**
 * One request in the air with everybody who waits for its answer. Each waiter has its own deadline and signal; the flight
 * is called off when the last of them has left.
 */
import type { MonitorRequest, SendOptions } from '../clients/client';
import { CemmError } from '../errors';
import type { Clock } from '../clock';
import { aliasOf, endpointOf } from './requests';

/** The client watches the same deadline and knows more about what became of the requests, so it may speak first. */
const graceMs = 50;

interface Waiter<T> {
  readonly options: SendOptions;
  /** Monotonic. */
  readonly until: number;
  resolve(answer: T): void;
  reject(error: CemmError): void;
  /** Releases the timer and the listener. */
  release(): void;
}

export class SharedRequest<T> {
  private readonly waiters = new Set<Waiter<T>>();
  private readonly controller = new AbortController();
  /** What it was sent with; null while it waits in the line. */
  private sent: { readonly until: number; readonly patience: SendOptions['patience'] } | null = null;

  /** The last waiter has left. */
  onAbandoned: () => void = () => undefined;

  constructor(
    readonly request: MonitorRequest,
    private readonly clock: Clock,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** A person waits for it. */
  get urgent(): boolean {
    for (const { options } of this.waiters) if (options.patience === 'user') return true;
    return false;
  }

  join(options: SendOptions): Promise<T> {
    return new Promise((resolve, reject) => {
      const started = this.clock.monotonic();
      const onAbort = () => {
        this.dismiss(waiter, this.error('CANCELLED', 'The request was called off.', started));
      };
      const stopTimer = this.clock.after(options.deadlineMs + graceMs, () => {
        this.dismiss(waiter, this.error('DEADLINE', 'No answer in the time that was allowed.', started));
      });
      const release = () => {
        stopTimer();
        options.signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter<T> = { options, until: started + options.deadlineMs, resolve, reject, release };
      options.signal.addEventListener('abort', onAbort, { once: true });
      this.waiters.add(waiter);
    });
  }

  /**
   * Marks the flight as sent and tells with what: as much time and patience as its most patient waiter has, and never less
   * than the usual time, for those who are still to join. Whoever has less leaves earlier.
   */
  start(usualMs: number): SendOptions {
    const now = this.clock.monotonic();
    const until = Math.max(now + usualMs, ...[...this.waiters].map((waiter) => waiter.until));
    const patience = this.urgent ? 'user' : 'poll';
    this.sent = { until, patience };
    return { signal: this.signal, deadlineMs: until - now, patience };
  }

  /** True when it was sent with less time or patience than this waiter, who came later, would have given it. */
  wasSentWithLess(until: number, patience: SendOptions['patience']): boolean {
    return this.sent !== null && (this.sent.until < until || (this.sent.patience === 'poll' && patience === 'user'));
  }

  succeed(answer: T): void {
    for (const waiter of this.empty()) waiter.resolve(answer);
  }

  /** Everybody gets an error object of their own. */
  fail(error: CemmError): void {
    for (const waiter of this.empty()) waiter.reject(error.copy());
  }

  /** Calls it off for everybody. */
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

  private error(code: 'CANCELLED' | 'DEADLINE', message: string, started: number): CemmError {
    return new CemmError(code, message, {
      endpoint: endpointOf(this.request),
      alias: aliasOf(this.request) ?? undefined,
      elapsedMs: Math.round(this.clock.monotonic() - started),
    });
  }
}
