/**
 * Pauses after failures. The backoff has full jitter, because many pollers fail at the same time. The circuit breaker
 * holds back the polls of an unreachable service: after five failures in a row for 30 s, then one poll is sent as a
 * probe, and each failed probe doubles the pause up to 5 min. Requests by a user bypass the circuit breaker, and their
 * success closes it.
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

  constructor(
    private readonly clock: Clock,
    /** Called when the service answers after the circuit breaker was open. */
    private readonly onClosed: () => void,
  ) {}

  /** Why a poll may not be sent now, or null; the first poll after the pause becomes the probe. */
  refusal(): CemmError | null {
    if (this.cause === null) return null;
    if (this.probing || this.clock.monotonic() < this.openUntil) return this.cause.copy();
    this.probing = true;
    return null;
  }

  /** Milliseconds until a probe may be sent; 0 when the circuit breaker is closed. */
  waitMs(): number {
    return this.cause === null ? 0 : Math.max(0, this.openUntil - this.clock.monotonic());
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
    this.failures += 1;
    if (this.failures < failuresToOpen) return;
    // Requests that were in flight together fail together and count as one failure.
    if (this.cause !== null && this.clock.monotonic() < this.openUntil) return;
    this.pauseMs = this.pauseMs === 0 ? firstPauseMs : Math.min(longestPauseMs, this.pauseMs * 2);
    this.openUntil = this.clock.monotonic() + this.pauseMs;
    this.cause = error;
  }
}
