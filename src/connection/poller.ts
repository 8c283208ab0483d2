/** Polling at a fixed rate: the place of a poll in its interval, an interval timer, and one poller for many listeners. */
import type { ClientResponse } from '../clients/client';
import { CemmError, toCemmError } from '../errors';
import type { Clock } from '../clock';

/** The grid is moved by half of this at most: nobody who polls once a day wants to wait half a day longer for it. */
const mostPhaseMs = 5 * 60_000;

/**
 * Milliseconds by which the grid of polls is moved against the moment of the first poll: from −½ to +½ interval, so that
 * the second poll comes half an interval after the first at the earliest, and one and a half at the latest.
 * @param place in the interval, 0 ≤ x < 1
 */
export function phaseMs(place: number, intervalMs: number): number {
  return Math.round((place - 0.5) * Math.min(mostPhaseMs, intervalMs));
}

/** The slot after the last one: slots that have passed are skipped, and one whose timer fires early does not come twice. */
function nextSlot(last: number, gridStart: number, intervalMs: number, now: number): number {
  return Math.max(last + 1, Math.floor((now - gridStart) / intervalMs) + 1);
}

/**
 * Runs at once and then on a fixed grid. A slot that passes while the last run is busy, or while the machine sleeps, is
 * skipped.
 * @param phase of the grid against the first run, in ms
 * @param run must not reject
 * @returns stops it: no run begins after that (one that is busy goes on)
 */
export function startIntervalTimer(
  clock: Clock,
  intervalMs: number,
  phase: number,
  run: () => Promise<void>,
): () => void {
  const gridStart = clock.monotonic() + phase;
  let slot = 0;
  let busy = false;
  let stopTimer = clock.after(0, tick);

  function tick(): void {
    const now = clock.monotonic();
    slot = nextSlot(slot, gridStart, intervalMs, now);
    stopTimer = clock.after(gridStart + slot * intervalMs - now, tick);
    if (busy) return;
    busy = true;
    void run().finally(() => {
      busy = false;
    });
  }

  return () => {
    stopTimer();
  };
}

// One request asked again and again for everybody who wants it at the same interval. The first poll goes out at once, the
// others on a fixed grid that is moved by a phase of its own, so that polls meet neither each other nor the webhooks at :00.
// A slot that passes while a poll is busy (or while the machine sleeps) is skipped: one poll catches up, never a burst.

/** Longer timers than 2^31 − 1 ms fire at once; a day is far below and enough for every poll. */
const longestIntervalMs = 24 * 60 * 60_000;

/**
 * The interval, at most a day.
 * @throws {CemmError} `CONFIG` (`interval`) where it is no time
 */
export function checkedInterval(intervalMs: number): number {
  if (intervalMs > 0) return Math.min(intervalMs, longestIntervalMs);
  throw new CemmError('CONFIG', 'The interval is not a time.', { reason: 'interval' });
}

export interface PollFailure {
  readonly error: CemmError;
  /** In a row, this one included. */
  readonly failures: number;
  /** Until the next try; null when there is none before somebody acts. */
  readonly nextRetryMs: number | null;
}

export interface PollListener<A> {
  onResponse(response: ClientResponse<A>): void;
  onFailure(failure: PollFailure): void;
}

interface PollSource<A> {
  readonly clock: Clock;
  readonly random: () => number;
  /** Of the grid of polls against the first poll, from −½ to +½ interval. */
  readonly phaseMs: number;
  /** Sends one request; rejects with CemmError only. */
  request(signal: AbortSignal): Promise<ClientResponse<A>>;
  /** Milliseconds to wait after the n-th failure in a row; null: not before `wake`. */
  retryMs(error: CemmError, failures: number, intervalMs: number): number | null;
}

export class Poller<A> {
  private readonly listeners = new Set<PollListener<A>>();
  /** Who came since the last poll went out and has not been served yet. */
  private readonly unserved = new Set<PollListener<A>>();
  private readonly controller = new AbortController();
  private readonly gridStart: number;
  /** The last slot of the grid that was polled or skipped; slot 0 is the start. */
  private slot = 0;
  private failures = 0;
  private lastFailure: PollFailure | null = null;
  private busy = false;
  private stopTimer: (() => void) | null = null;

  constructor(
    private readonly source: PollSource<A>,
    private readonly intervalMs: number,
  ) {
    this.gridStart = source.clock.monotonic() + source.phaseMs;
  }

  get empty(): boolean {
    return this.listeners.size === 0;
  }

  /**
   * A newcomer is served at once like the first: by the poll in the air, by one out of turn of its own, or – while nothing
   * answers – with the last failure.
   */
  add(listener: PollListener<A>): void {
    this.listeners.add(listener);
    if (this.lastFailure !== null) {
      this.tellFailure([listener], this.lastFailure);
      return;
    }
    this.unserved.add(listener);
    if (!this.busy) void this.poll(this.unserved);
  }

  remove(listener: PollListener<A>): void {
    this.listeners.delete(listener);
    this.unserved.delete(listener);
    if (this.empty) this.stop();
  }

  stop(): void {
    this.listeners.clear();
    this.unserved.clear();
    this.stopTimer?.();
    this.stopTimer = null;
    this.controller.abort();
  }

  /** There is reason to believe that it works again: the next try comes within the given time. */
  wake(withinMs: number): void {
    if (this.busy || this.lastFailure === null || this.empty) return;
    this.pollAfter(this.source.random() * withinMs, this.slot);
  }

  private async poll(audience: Set<PollListener<A>>): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = null;
    this.busy = true;
    try {
      const response = await this.source.request(this.controller.signal);
      this.busy = false;
      this.succeeded(response, this.slotIsDue() ? this.listeners : audience);
    } catch (error) {
      this.busy = false;
      this.failed(toCemmError(error));
    }
  }

  private succeeded(response: ClientResponse<A>, audience: Set<PollListener<A>>): void {
    if (this.empty) return;
    // After an outage everybody waits for the first response, whoever asked for it.
    const served = [...(this.lastFailure === null ? audience : this.listeners)];
    this.unserved.clear();
    this.failures = 0;
    this.lastFailure = null;
    this.pollAtNextSlot();
    this.tell(served, (listener) => {
      listener.onResponse(response);
    });
  }

  private failed(error: CemmError): void {
    if (this.empty) return;
    this.failures += 1;
    const nextRetryMs = this.source.retryMs(error, this.failures, this.intervalMs);
    this.lastFailure = { error, failures: this.failures, nextRetryMs };
    if (nextRetryMs !== null) this.pollAfter(nextRetryMs, this.slot);
    this.unserved.clear();
    this.tellFailure([...this.listeners], this.lastFailure);
  }

  private tellFailure(audience: PollListener<A>[], failure: PollFailure): void {
    this.tell(audience, (listener) => {
      listener.onFailure({ ...failure, error: failure.error.copy() });
    });
  }

  private tell(audience: PollListener<A>[], news: (listener: PollListener<A>) => void): void {
    for (const listener of audience) {
      if (!this.listeners.has(listener)) continue;
      try {
        news(listener);
      } catch {
        // Listeners report their own failures; one that throws must neither stop the timer nor keep the news from others.
      }
    }
  }

  private slotIsDue(): boolean {
    return this.source.clock.monotonic() >= this.slotTime(this.slot + 1);
  }

  private slotTime(slot: number): number {
    return this.gridStart + slot * this.intervalMs;
  }

  private pollAtNextSlot(): void {
    const now = this.source.clock.monotonic();
    const slot = nextSlot(this.slot, this.gridStart, this.intervalMs, now);
    this.pollAfter(this.slotTime(slot) - now, slot);
  }

  private pollAfter(delayMs: number, slot: number): void {
    this.stopTimer?.();
    this.stopTimer = this.source.clock.after(delayMs, () => {
      this.slot = slot;
      void this.poll(this.listeners);
    });
  }
}
