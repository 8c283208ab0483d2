/**
 * Pauses after failures. The backoff has full jitter, because many pollers fail at the same time. The circuit breaker
 * holds back the polls of an unreachable service: after five failures in a row for 30 s, then one poll is sent as a
 * probe, and each failed probe doubles the pause up to 5 min. Requests by a user bypass the circuit breaker, and their
 * success closes it. A service that says when to come back (`Retry-After`) gets no poll before.
 */
import { type CemmError, hasConsequence } from '../errors';
import type { Clock } from '../time/clock';
import { minuteMs } from '../time/units';

const firstRetryMs = 5_000;
const longestRetryMs = 5 * minuteMs;
/** Lower limit of the jitter: without it the pause could be almost 0. */
const shortestRetryMs = 1_000;

/** Milliseconds to wait after the n-th failure in a row: up to 5 s, then up to 10, 20, … 300 s. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(longestRetryMs, firstRetryMs * 2 ** (Math.max(1, failures) - 1));
  return Math.max(shortestRetryMs, Math.round(random() * ceiling));
}

const failuresToOpen = 5;
const firstPauseMs = 30_000;
const longestPauseMs = 5 * minuteMs;

export class CircuitBreaker {
  private failures = 0;
  private pauseMs = 0;
  private openUntil = 0;
  private cause: CemmError | null = null;
  private probing = false;
  /** The answer that said when to come back; null: none did. */
  private rest: { readonly until: number; readonly cause: CemmError } | null = null;

  constructor(
    private readonly clock: Clock,
    /** Called when the service answers after the circuit breaker was open. */
    private readonly onClosed: () => void,
  ) {}

  /** Why a poll may not be sent now, or null; the first poll after the pause becomes the probe. */
  refusal(): CemmError | null {
    const cause = this.pauseCause() ?? (this.probing ? (this.cause?.copy() ?? null) : null);
    if (cause === null && this.cause !== null) this.probing = true;
    return cause;
  }

  /** Why neither a poll nor a probe may be sent now, or null. */
  pauseCause(): CemmError | null {
    if (this.rest !== null && this.restMs() > 0) return this.rest.cause.copy();
    return this.cause !== null && this.clock.monotonic() < this.openUntil ? this.cause.copy() : null;
  }

  /** Milliseconds until a poll may be sent, as a probe when the circuit breaker is open. */
  waitMs(): number {
    const openMs = this.cause === null ? 0 : this.openUntil - this.clock.monotonic();
    return Math.max(0, openMs, this.restMs());
  }

  closeCircuit(): void {
    const wasOpen = this.cause !== null;
    this.failures = 0;
    this.pauseMs = 0;
    this.cause = null;
    this.probing = false;
    if (wasOpen) this.onClosed();
  }

  /** The probe was cancelled before it had a result. */
  abandoned(): void {
    this.probing = false;
  }

  failed(error: CemmError): void {
    if (hasConsequence(error.code, 'closes_circuit')) {
      this.closeCircuit();
      return;
    }
    this.probing = false;
    if (!hasConsequence(error.code, 'opens_circuit')) return;
    const { retryAfterMs } = error.params;
    if (typeof retryAfterMs === 'number' && retryAfterMs > this.restMs()) {
      this.rest = { until: this.clock.monotonic() + retryAfterMs, cause: error };
    }
    this.failures += 1;
    if (this.failures < failuresToOpen) return;
    // Requests that were in flight together fail together and count as one failure.
    if (this.cause !== null && this.clock.monotonic() < this.openUntil) return;
    this.pauseMs = this.pauseMs === 0 ? firstPauseMs : Math.min(longestPauseMs, this.pauseMs * 2);
    this.openUntil = this.clock.monotonic() + this.pauseMs;
    this.cause = error;
  }

  private restMs(): number {
    return this.rest === null ? 0 : Math.max(0, this.rest.until - this.clock.monotonic());
  }
}
