/**
 * Polling at a fixed rate: shares one request among many listeners. Slots that pass while a poll runs, or while the machine
 * is suspended, are skipped.
 */
import type { ClientResponse } from '../clients/client';
import type { Clock } from '../time/clock';
import { type CemmError, toCemmError } from '../errors';
import { nextSlot } from '../time/interval-timer';

export interface PollFailure {
  readonly error: CemmError;
  /** Number of failures in a row, including this one. */
  readonly failures: number;
  /** Time until the next retry; null when a user has to act first. */
  readonly nextRetryMs: number | null;
}

export interface PollListener<A> {
  onResponse(response: ClientResponse<A>): void;
  onFailure(failure: PollFailure): void;
}

interface PollSource<A> {
  readonly clock: Clock;
  readonly random: () => number;
  /** Shift of the grid against the first poll, from −½ to +½ interval. */
  readonly phaseMs: number;
  /**
   * Sends one request; rejects with CemmError only.
   * @param isFirst true if it serves listeners that have no response yet
   */
  request(signal: AbortSignal, isFirst: boolean): Promise<ClientResponse<A>>;
  /** Milliseconds to wait after the n-th failure in a row; null: until `wake`. */
  retryMs(error: CemmError, failures: number, intervalMs: number): number | null;
}

/** One request, polled for every listener with the same interval. */
export class Poller<A> {
  private readonly listeners = new Set<PollListener<A>>();
  /** Listeners that were added since the last poll and have no response yet. */
  private readonly unserved = new Set<PollListener<A>>();
  private readonly controller = new AbortController();
  private readonly gridStart: number;
  /** The last slot that was polled or skipped; slot 0 is the start. */
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

  /** Serves a new listener at once: with the poll in flight, with an extra poll, or, during an outage, with the last failure. */
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

  /** Brings the next poll forward to a moment within the given time, because the request may succeed again. */
  wake(withinMs: number): void {
    if (this.busy || this.lastFailure === null || this.empty) return;
    this.pollAfter(this.source.random() * withinMs, this.slot);
  }

  private async poll(audience: Set<PollListener<A>>): Promise<void> {
    this.stopTimer?.();
    this.stopTimer = null;
    this.busy = true;
    try {
      const response = await this.source.request(this.controller.signal, audience === this.unserved);
      this.busy = false;
      this.succeeded(response, this.slotIsDue() ? this.listeners : audience);
    } catch (error) {
      this.busy = false;
      this.failed(toCemmError(error));
    }
  }

  private succeeded(response: ClientResponse<A>, audience: Set<PollListener<A>>): void {
    if (this.empty) return;
    // The first response after an outage goes to all listeners.
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

  private tell(audience: PollListener<A>[], report: (listener: PollListener<A>) => void): void {
    for (const listener of audience) {
      if (!this.listeners.has(listener)) continue;
      try {
        report(listener);
      } catch {
        // Listeners report their own failures; one that throws must not affect the timer or the other listeners.
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
