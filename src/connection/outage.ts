/**
 * Decides which failures are reported as an outage. A single late response is none, and a meter with a bad connection
 * must not fill the log.
 *
 * - Offline after three failures in a row, or after two intervals without a response; at once when the failure is
 * permanent.
 * - Online again with the first response.
 * - At most one such pair in 15 minutes. A later outage is reported when the 15 minutes are over, if it lasts; an
 * outage that stops the polling is always reported at once.
 *
 * When all meters of a listener fail, one outage is reported for the monitor instead of one per meter.
 */
import type { CemmError } from '../errors';
import { type Millis, quarterMs } from '../time/units';
import type { Clock } from '../time/clock';
import type { PollFailure } from './poller';

const failuresToReport = 3;
const silentIntervals = 2;
const quietMs = quarterMs;

type Availability =
  | { readonly state: 'online' | 'stale'; readonly since: number; readonly failures: number }
  | {
      readonly state: 'offline';
      readonly since: Millis;
      readonly failures: number;
      readonly error: CemmError;
      readonly nextRetryMs: number | null;
    };

export class Outage {
  private failures = 0;
  private since: Millis;
  private lastAnswer: number;
  private reportedAt = Number.NEGATIVE_INFINITY;
  /** Code of the reported failure; null while online. */
  private reportedCode: string | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
  ) {
    this.since = clock.now();
    this.lastAnswer = clock.monotonic();
  }

  get failing(): boolean {
    return this.failures > 0;
  }

  /** A response; returns the recovery when an outage was reported. */
  recordResponse(): Availability | null {
    const availability: Availability | null =
      this.reportedCode === null ? null : { state: 'online', since: this.clock.now(), failures: this.failures };
    this.reportedCode = null;
    this.failures = 0;
    this.lastAnswer = this.clock.monotonic();
    return availability;
  }

  /** A failure; returns the outage when it is due. */
  failed({ error, nextRetryMs }: PollFailure): Availability | null {
    if (this.failures === 0) this.since = this.clock.now();
    this.failures += 1;
    if (!this.isDue(error, nextRetryMs)) return null;
    this.cover(error);
    return { state: 'offline', since: this.since, failures: this.failures, error, nextRetryMs };
  }

  /** Marks the outage as reported, by the common outage of several meters. */
  cover(error: CemmError): void {
    this.reportedCode = error.code;
    this.reportedAt = this.clock.monotonic();
  }

  /** Marks the outage as not reported, because the common outage is over. */
  uncover(): void {
    this.reportedCode = null;
  }

  private isDue(error: CemmError, nextRetryMs: number | null): boolean {
    const stays = !error.retryable;
    if (this.reportedCode !== null) return stays && this.reportedCode !== error.code;
    if (nextRetryMs === null) return true;
    const now = this.clock.monotonic();
    const silent = now - this.lastAnswer >= silentIntervals * this.intervalMs;
    return (stays || this.failures >= failuresToReport || silent) && now - this.reportedAt >= quietMs;
  }
}

/** A change of one meter, or (alias null) of the monitor with all requested meters. */
export interface MeterChange {
  readonly alias: string | null;
  readonly availability: Availability;
}

export class MeterOutages {
  private readonly outages = new Map<string, Outage>();
  /** Cause of the reported outage of all meters. */
  private allAreAway: CemmError | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
  ) {}

  add(alias: string): void {
    if (this.outages.has(alias)) return;
    const outage = new Outage(this.clock, this.intervalMs);
    if (this.allAreAway !== null) outage.cover(this.allAreAway);
    this.outages.set(alias, outage);
  }

  remove(alias: string): void {
    this.outages.delete(alias);
  }

  recordResponse(alias: string): MeterChange | null {
    const availability = this.outages.get(alias)?.recordResponse() ?? null;
    if (availability === null) return null;
    if (this.allAreAway === null) return { alias, availability };
    this.allAreAway = null;
    for (const outage of this.outages.values()) outage.uncover();
    return { alias: null, availability };
  }

  failed(alias: string, failure: PollFailure): MeterChange | null {
    const availability = this.outages.get(alias)?.failed(failure) ?? null;
    if (availability === null) return null;
    if (!this.concernsAll(failure.error)) return { alias, availability };
    this.allAreAway = failure.error;
    for (const outage of this.outages.values()) outage.cover(failure.error);
    return { alias: null, availability };
  }

  private concernsAll(error: CemmError): boolean {
    return error.code !== 'ALIAS' && [...this.outages.values()].every(({ failing }) => failing);
  }
}
