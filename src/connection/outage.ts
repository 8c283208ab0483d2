/**
 * Which failures are an outage worth telling (peers.md D-1): an answer that comes late now and then is none, and a meter
 * that comes and goes must not flood a log.
 *
 * - Offline after three failures in a row, or when two intervals have passed without an answer; at once when the failure
 *   will not go away by itself.
 * - Online again with the first answer.
 * - At most one such pair in 15 minutes. An outage that begins sooner is told when the 15 minutes are over, if it lasts;
 *   only an outage that stops the polling is never kept back.
 */
import type { CemmError } from '../errors';
import type { Millis } from '../protocol/time';
import type { Clock } from '../clock';
import type { PollFailure } from './poller';

const failuresToReport = 3;
const silentIntervals = 2;
const quietMs = 15 * 60_000;

type AvailabilityNews =
  | { readonly state: 'online'; readonly since: Millis; readonly failures: number }
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
  private lastTold = Number.NEGATIVE_INFINITY;
  /** The code that was told; null while online. */
  private told: string | null = null;

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

  /** An answer; the recovery, where an outage was told. */
  answered(): AvailabilityNews | null {
    const news: AvailabilityNews | null =
      this.told === null ? null : { state: 'online', since: this.clock.now(), failures: this.failures };
    this.told = null;
    this.failures = 0;
    this.lastAnswer = this.clock.monotonic();
    return news;
  }

  /** A failure; the outage, where it is due. */
  failed({ error, nextRetryMs }: PollFailure): AvailabilityNews | null {
    if (this.failures === 0) this.since = this.clock.now();
    this.failures += 1;
    if (!this.isDue(error, nextRetryMs)) return null;
    this.cover(error);
    return { state: 'offline', since: this.since, failures: this.failures, error, nextRetryMs };
  }

  /** Counts as told: somebody told it for several meters together. */
  cover(error: CemmError): void {
    this.told = error.code;
    this.lastTold = this.clock.monotonic();
  }

  /** Counts as not told: the outage of all is over, and from here on this one speaks for itself. */
  uncover(): void {
    this.told = null;
  }

  private isDue(error: CemmError, nextRetryMs: number | null): boolean {
    const stays = !error.retryable;
    if (this.told !== null) return stays && this.told !== error.code;
    if (nextRetryMs === null) return true;
    const now = this.clock.monotonic();
    const silent = now - this.lastAnswer >= silentIntervals * this.intervalMs;
    return (stays || this.failures >= failuresToReport || silent) && now - this.lastTold >= quietMs;
  }
}

// The outages of all meters that one listener hears: when every one of them fails it is the monitor (or the way to it)
// that is away, and that is told once, not once per meter.

/** About one meter, or (alias null) about the monitor with everything that was asked of it. */
export interface MeterChange {
  readonly alias: string | null;
  readonly news: AvailabilityNews;
}

export class MeterOutages {
  private readonly outages = new Map<string, Outage>();
  /** Why all of them are away, once that was told. */
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

  answered(alias: string): MeterChange | null {
    const news = this.outages.get(alias)?.answered() ?? null;
    if (news === null) return null;
    if (this.allAreAway === null) return { alias, news };
    this.allAreAway = null;
    for (const outage of this.outages.values()) outage.uncover();
    return { alias: null, news };
  }

  failed(alias: string, failure: PollFailure): MeterChange | null {
    const news = this.outages.get(alias)?.failed(failure) ?? null;
    if (news === null) return null;
    if (!this.concernsAll(failure.error)) return { alias, news };
    this.allAreAway = failure.error;
    for (const outage of this.outages.values()) outage.cover(failure.error);
    return { alias: null, news };
  }

  private concernsAll(error: CemmError): boolean {
    return error.code !== 'ALIAS' && [...this.outages.values()].every(({ failing }) => failing);
  }
}
