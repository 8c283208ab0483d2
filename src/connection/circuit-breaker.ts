/** Waiting times after failures (reliability 6.3): full jitter, because many pollers fail at the same moment. */
import type { CemmError, ErrorCode } from '../errors';
import type { Clock } from '../clock';

const firstRetryMs = 5_000;
const longestRetryMs = 5 * 60_000;
/** A draw near zero would be no pause at all. */
const shortestRetryMs = 1_000;

/** Milliseconds to wait after the n-th failure in a row: up to 5 s, then 10, 20, … 300 s, for ever. */
export function backoffMs(failures: number, random: () => number): number {
  const ceiling = Math.min(longestRetryMs, firstRetryMs * 2 ** (Math.max(1, failures) - 1));
  return Math.max(shortestRetryMs, Math.round(random() * ceiling));
}

// Spares a service that cannot be reached (reliability 6.3): after five failures in a row no poll goes out for 30 s, then
// one as a probe, and each failed probe doubles the pause up to 5 min. A person's request always goes out: whoever has
// just mended the network wants to see it at once, and its answer closes the breaker for everybody.

const failuresToOpen = 5;
const firstPauseMs = 30_000;
const longestPauseMs = 5 * 60_000;

/** The service did not answer, or said that it is overloaded. */
const unreachable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NETWORK',
  'TLS',
  'DEADLINE',
  'UPSTREAM',
  'UPSTREAM_TIMEOUT',
  'RATE',
]);

/** Refusals by a service that is alive. A 403 is not among them: it has its own pause and says nothing here. */
const alive: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['ALIAS', 'MONITOR_OFFLINE', 'PROMISE_EXPIRED']);

export class CircuitBreaker {
  private failures = 0;
  private pauseMs = 0;
  private openUntil = 0;
  private cause: CemmError | null = null;
  private probing = false;

  constructor(
    private readonly clock: Clock,
    /** Called when the service answers again after the breaker was open. */
    private readonly onClosed: () => void,
  ) {}

  /** Why a poll may not go out now, or null when it may; the first one after the pause becomes the probe. */
  refusal(): CemmError | null {
    if (this.cause === null) return null;
    if (this.probing || this.clock.monotonic() < this.openUntil) return this.cause.copy();
    this.probing = true;
    return null;
  }

  /** Milliseconds until a probe may go out; 0 when nothing holds a poll back. */
  waitMs(): number {
    return this.cause === null ? 0 : Math.max(0, this.openUntil - this.clock.monotonic());
  }

  answered(): void {
    const wasOpen = this.cause !== null;
    this.failures = 0;
    this.pauseMs = 0;
    this.cause = null;
    this.probing = false;
    if (wasOpen) this.onClosed();
  }

  /** The probe was called off before it came to anything. */
  abandoned(): void {
    this.probing = false;
  }

  failed(error: CemmError): void {
    if (alive.has(error.code)) {
      this.answered();
      return;
    }
    this.probing = false;
    if (!unreachable.has(error.code)) return;
    this.failures += 1;
    if (this.failures < failuresToOpen) return;
    // Questions that were in the air together fail together: they are one reason to wait, not several.
    if (this.cause !== null && this.clock.monotonic() < this.openUntil) return;
    this.pauseMs = this.pauseMs === 0 ? firstPauseMs : Math.min(longestPauseMs, this.pauseMs * 2);
    this.openUntil = this.clock.monotonic() + this.pauseMs;
    this.cause = error;
  }
}
