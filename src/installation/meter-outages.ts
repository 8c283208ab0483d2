/**
 * The outages of all meters that one listener hears: when every one of them fails it is the monitor (or the way to it)
 * that is away, and that is told once, not once per meter.
 */
import type { CemmError } from '../clients/errors';
import type { Clock } from '../clients/clock';
import { Outage, type AvailabilityNews } from './outage';
import type { PollFailure } from './poll-timer';

/** About one meter, or (alias null) about the monitor with everything that was asked of it. */
export interface MeterNews {
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

  answered(alias: string): MeterNews | null {
    const news = this.outages.get(alias)?.answered() ?? null;
    if (news === null) return null;
    if (this.allAreAway === null) return { alias, news };
    this.allAreAway = null;
    for (const outage of this.outages.values()) outage.uncover();
    return { alias: null, news };
  }

  failed(alias: string, failure: PollFailure): MeterNews | null {
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
