/**
 * The one place of a connection through which every request goes (reliability 6.4): equal requests share one flight,
 * equal polls share one timer, and what the service said about its own state (refused key, unsupported alias, outage)
 * holds for everybody.
 *
 * - 403: this request is polled again after ten minutes. Where the list of monitors is refused as well it is the key:
 *   polls of the connection fail at once with `AUTH` and stop, until a person's request succeeds.
 * - 412: polls of this alias and endpoint fail at once with `ALIAS` and stop, until the monitor's I/O list changes, a
 *   person's request succeeds, or the connection closes.
 * - A person's request goes out whatever was refused before, once.
 * - Nothing else stops a poll. What time alone will hardly mend (a certificate, a page of somebody else, a missing meter) is
 *   tried again every five minutes, everything else after 5 s to 5 min; and at once when it succeeds for somebody else, or
 *   when the service is back.
 */
import type { ClientResponse, SendOptions, MonitorClient } from '../clients/client';
import { CemmError, isInternalFault, toCemmError } from '../errors';
import { backoffMs, CircuitBreaker } from './circuit-breaker';
import type { Clock } from '../clock';
import type { PublicClient } from '../clients/public-client';
import { SharedRequest } from './shared-request';
import { fractionOf } from './shard';
import { inventoryMaxAgeMs, ResponseCache } from './response-cache';
import { checkedInterval, phaseMs, Poller, type Watcher } from './poller';
import { type ResponseTo, monitorOf, type MonitorRequest, requestKey, send } from './requests';
import { Queue, Throttle, type QueuedRequest } from './queue';

const slowRetryMs = 5 * 60_000;
/** A list of monitors of this age says whether the key holds. */
const keyCheckMaxAgeMs = 10_000;
/** Polls that were held back go out spread over this time. */
const wakeMs = 1_000;
const closeMs = 500;

type AnyAnswer = ClientResponse<ResponseTo<MonitorRequest>>;

/** The one place that knows that a request's key decides the type of its answer. */
type Typed<Q extends MonitorRequest> = ClientResponse<ResponseTo<Q>>;

export interface RequestCoordinatorOptions {
  readonly client: MonitorClient | PublicClient;
  readonly clock: Clock;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  /** Time for one request with all its repeats, where the caller names none. */
  readonly deadlineMs: number;
  /** Address of a local monitor, which is not named in what it is asked. */
  readonly host?: string | undefined;
  /** Where in its interval something is polled, 0 ≤ x < 1; by default by a hash of host and request. */
  readonly place?: ((asked: string) => number) | undefined;
  /** After every request that was sent: null where it was answered. */
  readonly onOutcome?: (error: CemmError | null) => void;
}

export interface CachedRequestOptions extends SendOptions {
  /** How old a list of monitors or I/Os may be, in ms; default 10 min. */
  readonly maxAgeMs?: number;
}

interface Poll {
  readonly request: MonitorRequest;
  readonly timer: Poller<ResponseTo<MonitorRequest>>;
}

export class RequestCoordinator {
  private readonly flights = new Map<string, SharedRequest<AnyAnswer>>();
  private readonly polls = new Map<string, Poll>();
  private readonly inTheAir = new Set<Promise<void>>();
  private readonly queue: Queue;
  private readonly throttle: Throttle;
  private readonly memory: ResponseCache;
  private readonly breaker: CircuitBreaker;
  private closed = false;

  constructor(private readonly options: RequestCoordinatorOptions) {
    const { client, clock } = options;
    this.throttle = new Throttle(client.limits.perKey);
    this.queue = new Queue(client.limits, this.throttle, clock);
    this.memory = new ResponseCache(clock, client.transport === 'remote');
    this.breaker = new CircuitBreaker(clock, () => {
      this.wake(() => true);
    });
  }

  /**
   * The answer, from memory, from the flight that is under way, or from one of its own. Rejects with CemmError only, each
   * caller with an object of its own. Answers are shared between callers and read-only.
   */
  async request<Q extends MonitorRequest>(request: Q, options: CachedRequestOptions): Promise<Typed<Q>> {
    const until = this.options.clock.monotonic() + options.deadlineMs;
    if (this.closed || options.signal.aborted) throw cancelled();
    const known = this.memory.recall(request, options.maxAgeMs ?? inventoryMaxAgeMs);
    if (known !== null) return known as Typed<Q>;
    const underWay = this.flights.get(requestKey(request));
    if (underWay === undefined) this.refuse(request, options.patience);
    const flight = underWay ?? new SharedRequest<AnyAnswer>(request, this.options.clock);
    const answer = flight.join(options);
    if (underWay === undefined) this.launch(flight);
    try {
      return (await answer) as Typed<Q>;
    } catch (error) {
      const leftMs = until - this.options.clock.monotonic();
      if (!endedEarly(error) || leftMs <= 0 || !flight.wasSentWithLess(until, options.patience)) throw error;
      return this.request(request, { ...options, deadlineMs: leftMs });
    }
  }

  /** Asks at once and then every `intervalMs` (at most 24 h), until the returned function is called. */
  watch<Q extends MonitorRequest>(request: Q, intervalMs: number, watcher: Watcher<ResponseTo<Q>>): () => void {
    const interval = checkedInterval(intervalMs);
    if (this.closed) return () => undefined;
    const key = `${String(interval)} ${requestKey(request)}`;
    const poll = this.polls.get(key) ?? this.startPoll(request, interval, key);
    const own: Watcher<ResponseTo<MonitorRequest>> = {
      onAnswer: (answer) => {
        watcher.onAnswer(answer as Typed<Q>);
      },
      onFailure: (failure) => {
        watcher.onFailure(failure);
      },
    };
    poll.timer.add(own);
    return () => {
      poll.timer.remove(own);
      if (poll.timer.empty && this.polls.get(key) === poll) this.polls.delete(key);
    };
  }

  /** The monitor was found at another address: what waits for the old one goes out at once. */
  retryAll(): void {
    this.breaker.answered();
    this.wake(() => true);
  }

  /** Everything in flight ends with `CANCELLED`; settles when the client has let go of it, at the latest after 500 ms. */
  async close(): Promise<void> {
    this.closed = true;
    for (const { timer } of this.polls.values()) timer.stop();
    this.polls.clear();
    this.queue.close();
    for (const flight of this.flights.values()) flight.abort(cancelled());
    this.flights.clear();
    this.options.client.close();
    this.memory.clear();
    await this.landed();
  }

  private startPoll(request: MonitorRequest, intervalMs: number, key: string): Poll {
    const { clock, random, deadlineMs, host = '', place = fractionOf } = this.options;
    const timer = new Poller<ResponseTo<MonitorRequest>>(
      {
        clock,
        random,
        phaseMs: phaseMs(place(`${host} ${requestKey(request)}`), intervalMs),
        // A poll wants news: what the connection remembers was news before.
        ask: (signal) => this.request(request, { signal, deadlineMs, patience: 'poll', maxAgeMs: intervalMs / 2 }),
        retryMs: (error, failures) => this.retryMs(request, error, failures, intervalMs),
      },
      intervalMs,
    );
    const poll = { request, timer };
    this.polls.set(key, poll);
    return poll;
  }

  private retryMs(request: MonitorRequest, error: CemmError, failures: number, intervalMs: number): number | null {
    if (isInternalFault(error) || (error.code === 'AUTH' && this.memory.keyRefusal !== null)) return null;
    const refusedMs = this.memory.refusedForMs(request);
    if (refusedMs > 0) return Number.isFinite(refusedMs) ? refusedMs + this.options.random() * wakeMs : null;
    if (!error.retryable) return Math.max(intervalMs, slowRetryMs);
    const heldMs = this.breaker.waitMs();
    return heldMs > 0 ? heldMs + this.options.random() * wakeMs : backoffMs(failures, this.options.random);
  }

  /** Throws what is known to be the answer to a poll. */
  private refuse(request: MonitorRequest, patience: SendOptions['patience']): void {
    if (patience === 'user') return;
    const refusal = this.memory.refusal(request) ?? this.memory.keyRefusal ?? this.breaker.refusal();
    if (refusal !== null) throw refusal;
  }

  private launch(flight: SharedRequest<AnyAnswer>): void {
    const key = requestKey(flight.request);
    const forget = () => {
      if (this.flights.get(key) === flight) this.flights.delete(key);
    };
    const ticket: QueuedRequest = {
      key: monitorOf(flight.request) ?? '',
      get urgent() {
        return flight.urgent;
      },
      run: () => this.fly(flight, forget),
      evicted: (error) => {
        forget();
        this.breaker.abandoned();
        flight.fail(error);
      },
    };
    flight.onAbandoned = () => {
      forget();
      this.breaker.abandoned();
      this.queue.leave(ticket);
    };
    this.flights.set(key, flight);
    try {
      this.queue.enter(ticket);
    } catch (error) {
      ticket.evicted(toCemmError(error));
    }
  }

  private fly(flight: SharedRequest<AnyAnswer>, forget: () => void): Promise<void> {
    const journey = this.journey(flight, forget).finally(() => {
      this.inTheAir.delete(journey);
    });
    this.inTheAir.add(journey);
    return journey;
  }

  private async journey(flight: SharedRequest<AnyAnswer>, forget: () => void): Promise<void> {
    const { client, deadlineMs } = this.options;
    try {
      const answer = await send(client, flight.request, flight.start(deadlineMs));
      forget();
      if (flight.signal.aborted) return;
      this.options.onOutcome?.(null);
      this.learn(flight.request, answer);
      flight.succeed(answer);
    } catch (thrown) {
      const error = toCemmError(thrown);
      forget();
      this.memory.failed(flight.request, error);
      this.throttle.failed(error.code);
      this.breaker.failed(error);
      flight.fail(error);
      this.options.onOutcome?.(error);
      if (error.code === 'AUTH') this.checkKey(flight.request);
    }
  }

  /** A 403 may be about the key or about what was asked: the list of monitors tells, and `memory` draws the conclusion. */
  private checkKey({ kind }: MonitorRequest): void {
    const { client, deadlineMs } = this.options;
    if (client.transport !== 'remote' || kind === 'monitors') return;
    const options = {
      signal: new AbortController().signal,
      deadlineMs,
      patience: 'poll',
      maxAgeMs: keyCheckMaxAgeMs,
    } as const;
    this.request({ kind: 'monitors' }, options).catch(() => undefined);
  }

  private learn(request: MonitorRequest, answer: AnyAnswer): void {
    this.breaker.answered();
    this.throttle.answered();
    const lifted = this.memory.answered(request, answer);
    this.wake((poll) => lifted(poll.request));
  }

  private wake(concerns: (poll: Poll) => boolean): void {
    for (const poll of this.polls.values()) if (concerns(poll)) poll.timer.wake(wakeMs);
  }

  private async landed(): Promise<void> {
    await new Promise<void>((resolve) => {
      const stopTimer = this.options.clock.after(closeMs, resolve);
      void Promise.allSettled(this.inTheAir).then(() => {
        stopTimer();
        resolve();
      });
    });
  }
}

function cancelled(): CemmError {
  return new CemmError('CANCELLED', 'The connection was closed or the request called off.');
}

/** The flight gave up where a later or more patient caller would have gone on. */
function endedEarly(error: unknown): boolean {
  return error instanceof CemmError && (error.code === 'DEADLINE' || error.code === 'PROMISE_EXPIRED');
}
