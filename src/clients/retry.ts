/** Trying again after a failure outside a promise: twice at most, later each time, and not at all when all of it fails. */
import type { ErrorCode } from './errors';

/** Retries per question. The service says 502 after it has tried to reach the monitor itself: once more is enough. */
const allowed: Readonly<Partial<Record<ErrorCode, number>>> = {
  NETWORK: 2,
  UPSTREAM_TIMEOUT: 2,
  UPSTREAM: 2,
  RATE: 2,
  MONITOR_OFFLINE: 1,
};
const firstCeilingMs = 1000;
const lastCeilingMs = 10_000;

/**
 * How long to wait before the next try, or null when there is none: full jitter below a ceiling that doubles.
 * @param retries how many this question has had
 * @param retryAfterMs what the service asked for; wins where there is one
 */
export function retryPause(
  code: ErrorCode,
  retries: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  if (retries >= (allowed[code] ?? 0)) return null;
  return retryAfterMs ?? random() * Math.min(lastCeilingMs, firstCeilingMs * 2 ** retries);
}

/**
 * The retries that one API key has left. When everything fails, retries only add to the load: then each question gets its
 * one try, until successes have filled the bucket again (the standard mode of the AWS SDKs, scaled down).
 */
export class RetryQuota {
  static readonly #full = 50;
  static readonly #cost = 5;
  #left = RetryQuota.#full;

  /** False where nothing is left. */
  take(): boolean {
    if (this.#left < RetryQuota.#cost) return false;
    this.#left -= RetryQuota.#cost;
    return true;
  }

  succeeded(): void {
    this.#left = Math.min(RetryQuota.#full, this.#left + 1);
  }
}
