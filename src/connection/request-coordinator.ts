/**
 * Handles every request of a connection: equal requests share one, equal polls share one poller, and what the service
 * reported about its own state (refused key, unsupported alias, outage) applies to all callers.
 *
 * - 403: this request is polled again after ten minutes. When the list of monitors is refused as well, the key is
 * refused: polls of the connection fail at once with `AUTH` and stop, until a request by a user succeeds.
 * - 412: polls of this alias and endpoint fail at once with `ALIAS` and stop, until the I/O list of the monitor
 * changes, a request by a user succeeds, or the connection closes.
 * - A request by a user is sent once, whatever was refused before.
 * - Nothing else stops a poll. Failures that a user has to resolve (a certificate, a web page, a missing meter) are
 * retried every five minutes, all others after 5 s to 5 min, and at once when the request succeeds for another caller
 * or when the service answers again.
 */
import type {
  ClientResponse,
  MonitorClient,
  MonitorRequest,
  PublicClient,
  RequestKind,
  SendOptions,
  ValueOf,
} from '../clients/client';
import { CemmError, hasConsequence, isInternalFault, toCemmError } from '../errors';
import { backoffMs, CircuitBreaker } from './circuit-breaker';
import type { Clock } from '../time/clock';
import { SharedRequest } from './shared-request';
import { hashToFraction } from './shard';
import { inventoryMaxAgeMs, ResponseCache } from './response-cache';
import { checkedInterval, phaseMs } from '../time/interval-timer';
import { waitForWork } from '../time/wait';
import { Poller, type PollListener } from './poller';
import { getRequestMonitor, type QueueOptions, requestKey, sendRequest } from './requests';
import { Queue, Throttle, type QueuedRequest } from './queue';
import { minuteMs } from '../time/units';

const slowRetryMs = 5 * minuteMs;
/** A list of monitors up to this age shows whether the key is valid. */
const keyCheckMaxAgeMs = 10_000;
/** Polls that were held back are spread over this time. */
const wakeMs = 1_000;
const closeMs = 500;

type AnyResponse = ClientResponse<ValueOf<RequestKind>>;

export interface RequestCoordinatorOptions {
  readonly client: MonitorClient | PublicClient;
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  /** Default time of one request with its retries, in ms. */
  readonly deadlineMs: number;
  /** Address of a local monitor, which is not part of a request. */
  readonly host?: string | undefined;
  /** Position of a poll in its interval, 0 ≤ x < 1; default: from a hash of host and request. */
  readonly place?: ((name: string) => number) | undefined;
  /** Called after every request that was sent, with null for a response. */
  readonly onOutcome?: (error: CemmError | null) => void;
}

export interface CachedRequestOptions extends QueueOptions {
  /** Maximum age of a list of monitors or I/Os, in ms; default 10 min. */
  readonly maxAgeMs?: number;
}

interface Poll {
  readonly request: MonitorRequest;
  readonly poller: Poller<ValueOf<RequestKind>>;
}

export class RequestCoordinator {
  /** Requests that are queued or in flight, by key. */
  private readonly shared = new Map<string, SharedRequest<AnyResponse>>();
  private readonly polls = new Map<string, Poll>();
  private readonly queue: Queue;
  private readonly throttle: Throttle;
  private readonly cache: ResponseCache;
  private readonly breaker: CircuitBreaker;
  private closed = false;

  constructor(private readonly options: RequestCoordinatorOptions) {
    const { client, clock } = options;
    this.throttle = new Throttle(client.limits.perKey);
    this.queue = new Queue(client.limits, this.throttle, clock);
    this.cache = new ResponseCache(clock, client.transport === 'remote');
    this.breaker = new CircuitBreaker(clock, () => {
      this.wake(() => true);
    });
  }

  /**
   * The response from the cache, from an equal request in flight, or from a new request. Rejects with CemmError only,
   * with a new object for each caller. Responses are shared between callers and read-only.
   */
  async request<R extends MonitorRequest>(
    request: R,
    options: CachedRequestOptions,
  ): Promise<ClientResponse<ValueOf<R['kind']>>> {
    return await this.requestAny(request, options);
  }

  /** Sends at once and then every `intervalMs` (at most 24 h), until the returned function is called. */
  poll<R extends MonitorRequest>(
    request: R,
    intervalMs: number,
    listener: PollListener<ValueOf<R['kind']>>,
  ): () => void {
    const interval = checkedInterval(intervalMs);
    if (this.closed) return () => undefined;
    const key = `${String(interval)} ${requestKey(request)}`;
    const poll = this.polls.get(key) ?? this.startPoll(request, interval, key);
    poll.poller.add(listener);
    return () => {
      poll.poller.remove(listener);
      if (poll.poller.empty && this.polls.get(key) === poll) this.polls.delete(key);
    };
  }

  /** True if no request waits or is in flight. */
  get isIdle(): boolean {
    return this.shared.size === 0;
  }

  /** Sends polls that wait for a retry at once, because the monitor was found at another address. */
  retryAll(): void {
    this.breaker.closeCircuit();
    this.wake(() => true);
  }

  /** Cancels everything in flight with `CANCELLED`; settles when the client has released it, after 500 ms at the latest. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { poller } of this.polls.values()) poller.stop();
    this.polls.clear();
    this.queue.close();
    for (const shared of this.shared.values()) shared.abort(cancelled());
    this.shared.clear();
    this.options.client.close();
    this.cache.clear();
    await waitForWork(this.options.clock, closeMs, this.queue.settled());
  }

  private async requestAny(request: MonitorRequest, options: CachedRequestOptions): Promise<AnyResponse> {
    const until = this.options.clock.monotonic() + options.deadlineMs;
    if (this.closed || options.signal.aborted) throw cancelled();
    const known = this.cache.recall(request, options.maxAgeMs ?? inventoryMaxAgeMs);
    if (known !== null) return known;
    const existing = this.shared.get(requestKey(request));
    if (existing === undefined) this.throwKnownFailure(request, options.patience);
    const shared = existing ?? new SharedRequest<AnyResponse>(request, this.options.clock);
    const response = shared.join(options);
    if (existing === undefined) this.enqueue(shared);
    else this.queue.serve();
    try {
      return await response;
    } catch (error) {
      const leftMs = until - this.options.clock.monotonic();
      if (!endedEarly(error) || leftMs <= 0 || !shared.wasSentWithLess(until, options.patience)) throw error;
      return this.requestAny(request, { ...options, deadlineMs: leftMs });
    }
  }

  private startPoll(request: MonitorRequest, intervalMs: number, key: string): Poll {
    const { clock, random, deadlineMs, host = '', place = hashToFraction } = this.options;
    const poller = new Poller<ValueOf<RequestKind>>(
      {
        clock,
        random,
        phaseMs: phaseMs(place(`${host} ${requestKey(request)}`), intervalMs),
        // A poll needs a new list, not the cached one.
        request: (signal, isFirst) =>
          this.requestAny(request, { signal, deadlineMs, patience: 'poll', maxAgeMs: intervalMs / 2, isFirst }),
        retryMs: (error, failures) => this.retryMs(request, error, failures, intervalMs),
      },
      intervalMs,
    );
    const poll = { request, poller };
    this.polls.set(key, poll);
    return poll;
  }

  private retryMs(request: MonitorRequest, error: CemmError, failures: number, intervalMs: number): number | null {
    if (isInternalFault(error) || (error.code === 'AUTH' && this.cache.keyRefusal !== null)) return null;
    const refusedMs = this.cache.refusedForMs(request);
    if (refusedMs > 0) return Number.isFinite(refusedMs) ? refusedMs + this.options.random() * wakeMs : null;
    if (!error.retryable) return Math.max(intervalMs, slowRetryMs);
    const heldMs = this.breaker.waitMs();
    return heldMs > 0 ? heldMs + this.options.random() * wakeMs : backoffMs(failures, this.options.random);
  }

  /** Throws a known failure, so that the poll is not sent. */
  private throwKnownFailure(request: MonitorRequest, patience: SendOptions['patience']): void {
    if (patience === 'user') return;
    const failure = this.cache.knownFailure(request) ?? this.breaker.refusal();
    if (failure !== null) throw failure;
  }

  private enqueue(shared: SharedRequest<AnyResponse>): void {
    const key = requestKey(shared.request);
    const forgetShared = () => {
      if (this.shared.get(key) === shared) this.shared.delete(key);
    };
    const queued: QueuedRequest = {
      key: getRequestMonitor(shared.request) ?? '',
      request: shared,
      run: () => this.run(shared, forgetShared),
      evicted: (error) => {
        forgetShared();
        this.breaker.abandoned();
        shared.fail(error);
      },
    };
    shared.onAbandoned = () => {
      forgetShared();
      this.breaker.abandoned();
      this.queue.leave(queued);
    };
    this.shared.set(key, shared);
    try {
      this.queue.enter(queued);
    } catch (error) {
      queued.evicted(toCemmError(error));
    }
  }

  /** Never rejects. */
  private async run(shared: SharedRequest<AnyResponse>, forget: () => void): Promise<void> {
    const { client, deadlineMs } = this.options;
    const { request } = shared;
    try {
      // A failure that became known while the poll was queued.
      const known = shared.isPatient ? (this.cache.knownFailure(request) ?? this.breaker.pauseCause()) : null;
      if (known !== null) {
        forget();
        shared.fail(known);
        return;
      }
      const response = await sendRequest(client, request, shared.markSent(deadlineMs));
      forget();
      if (shared.signal.aborted) return;
      this.options.onOutcome?.(null);
      this.recordResponse(request, response);
      shared.succeed(response);
    } catch (thrown) {
      const error = toCemmError(thrown);
      forget();
      this.cache.failed(request, error);
      this.throttle.failed(error.code, getRequestMonitor(request));
      this.breaker.failed(error);
      if (hasConsequence(error.code, 'closes_circuit')) this.restartDeadlines();
      shared.fail(error);
      this.options.onOutcome?.(error);
      if (error.code === 'AUTH') this.checkKey(request);
    }
  }

  /** A 403 may be about the key or about the request: the list of monitors shows which, and the cache keeps the result. */
  private checkKey({ kind }: MonitorRequest): void {
    const { client, deadlineMs } = this.options;
    if (client.transport !== 'remote' || kind === 'monitors') return;
    const { signal } = new AbortController();
    const options = { signal, deadlineMs, patience: 'poll', maxAgeMs: keyCheckMaxAgeMs } as const;
    this.requestAny({ kind: 'monitors' }, options).catch(() => undefined);
  }

  private recordResponse(request: MonitorRequest, response: AnyResponse): void {
    this.breaker.closeCircuit();
    this.restartDeadlines();
    this.throttle.recordSuccess(getRequestMonitor(request));
    const mayGoOn = this.cache.answered(request, response);
    this.wake((poll) => mayGoOn(poll.request));
  }

  private restartDeadlines(): void {
    for (const shared of this.shared.values()) shared.restartDeadlines();
  }

  private wake(concerns: (poll: Poll) => boolean): void {
    for (const poll of this.polls.values()) if (concerns(poll)) poll.poller.wake(wakeMs);
  }
}

function cancelled(): CemmError {
  return new CemmError('CANCELLED');
}

/** The shared request ended before the deadline of a later or more patient caller. */
function endedEarly(error: unknown): boolean {
  return error instanceof CemmError && (error.code === 'DEADLINE' || error.code === 'PROMISE_EXPIRED');
}
