/** Which deliveries have been here already: digests only, bounded in number and in time. */
import type { ReceiverClock } from './clock';

interface Entry {
  readonly digest: string;
  /** Monotonic moment at which it is forgotten. */
  readonly until: number;
}

export class ReplayMemory {
  private readonly seen = new Map<string, Entry>();
  /** Oldest first, from `first` on: taking the oldest out of a Map by iterating costs a walk over all that were deleted. */
  private order: Entry[] = [];
  private first = 0;

  constructor(
    private readonly clock: ReceiverClock,
    private readonly capacity = 10_000,
  ) {}

  has(digest: string): boolean {
    const entry = this.seen.get(digest);
    return entry !== undefined && entry.until > this.clock.monotonic();
  }

  /** Forgets the oldest where there is no room, and everything at the front that has expired. */
  remember(digest: string, lifeMs: number): void {
    const now = this.clock.monotonic();
    for (;;) {
      const oldest = this.order[this.first];
      if (oldest === undefined || (oldest.until > now && this.order.length - this.first < this.capacity)) break;
      this.first += 1;
      // It may have been remembered anew since.
      if (this.seen.get(oldest.digest) === oldest) this.seen.delete(oldest.digest);
    }
    if (this.first >= this.capacity) {
      this.order = this.order.slice(this.first);
      this.first = 0;
    }
    const entry = { digest, until: now + lifeMs };
    this.seen.set(digest, entry);
    this.order.push(entry);
  }

  get size(): number {
    return this.seen.size;
  }
}
