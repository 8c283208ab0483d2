/** What one installation may send in a minute, so that none keeps the others waiting. */
import type { ReceiverClock } from './clock';
import { RecentMap } from './recent-map';

/** Four a second, and 4 MB: many times what a monitor sends. */
export const deliveriesPerMinute = 240;
export const bytesPerMinute = 4 * 1024 * 1024;

const minuteMs = 60_000;

interface Tally {
  /** Monotonic moment of its first delivery. */
  since: number;
  deliveries: number;
  bytes: number;
}

export class DeliveryQuota {
  private readonly tallies: RecentMap<Tally>;

  constructor(
    private readonly clock: ReceiverClock,
    installations = 10_000,
  ) {
    this.tallies = new RecentMap(installations);
  }

  /** Whether one of so many bytes would be too much. */
  isSpent(installation: string, bytes: number): boolean {
    const tally = this.tallies.get(installation);
    if (tally === undefined || this.isOver(tally)) return false;
    return tally.deliveries >= deliveriesPerMinute || tally.bytes + bytes > bytesPerMinute;
  }

  /** Only what is accepted counts: whoever repeats a captured delivery must not use up what its monitor may send. */
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
