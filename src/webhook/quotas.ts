/** Limits per minute: failed authentications per address, and deliveries per installation. */
import type { Clock } from '../time/clock';
import { setRecent } from '../checks/set-recent';
import { RecentMap } from './replay-cache';
import { minuteMs } from '../time/units';

interface FailureTally {
  since: number;
  failures: number;
}

/**
 * Slows down guessing of short keys. After an address has reached the limit, requests that need a short key are refused before
 * a comparison (see RequestAuthentication). A long key is accepted regardless, because all senders behind a proxy share one
 * address; the limit only changes the response to a refused request.
 */
export class FailureLimit {
  private readonly tallies = new Map<string, FailureTally>();

  constructor(
    private readonly clock: Clock,
    private readonly perMinute = 60,
    private readonly capacity = 1000,
  ) {}

  /** True if the next failure of this address exceeds its limit for this minute. */
  isReached(address: string): boolean {
    return (this.current(address)?.failures ?? 0) >= this.perMinute;
  }

  /** Counts one failure; true if the address has exceeded its limit for this minute. */
  exceeded(address: string): boolean {
    let tally = this.current(address);
    if (tally === undefined) {
      tally = { since: this.clock.monotonic(), failures: 0 };
      setRecent(this.tallies, address, tally, this.capacity);
    }
    tally.failures += 1;
    return tally.failures > this.perMinute;
  }

  get size(): number {
    return this.tallies.size;
  }

  private current(address: string): FailureTally | undefined {
    const tally = this.tallies.get(address);
    return tally !== undefined && this.clock.monotonic() - tally.since < minuteMs ? tally : undefined;
  }
}

/** Far above the number that a monitor sends. */
const deliveriesPerMinute = 240;
export const bytesPerMinute = 4 * 1024 * 1024;

interface Tally {
  /** Monotonic time of its first delivery. */
  since: number;
  deliveries: number;
  bytes: number;
}

/** Prevents one installation from delaying the others. */
export class DeliveryQuota {
  private readonly tallies: RecentMap<Tally>;

  constructor(
    private readonly clock: Clock,
    installations = 10_000,
  ) {
    this.tallies = new RecentMap(installations);
  }

  /** True if a delivery of this size would exceed the quota. */
  isSpent(installation: string, bytes: number): boolean {
    const tally = this.tallies.get(installation);
    if (tally === undefined || this.isOver(tally)) return false;
    return tally.deliveries >= deliveriesPerMinute || tally.bytes + bytes > bytesPerMinute;
  }

  /** Called for accepted deliveries only: repeats of a captured delivery must not use up the quota of its monitor. */
  count(installation: string, bytes: number): void {
    const known = this.tallies.get(installation);
    if (known === undefined || this.isOver(known)) {
      this.tallies.set(installation, { since: this.clock.monotonic(), deliveries: 1, bytes });
      return;
    }
    known.deliveries += 1;
    known.bytes += bytes;
  }

  get size(): number {
    return this.tallies.size;
  }

  private isOver({ since }: Tally): boolean {
    return this.clock.monotonic() - since >= minuteMs;
  }
}
