/** Which deliveries have been here already: digests only, bounded in number and in time. */
import type { ReceiverClock } from './clock';

export class ReplayMemory {
  /** Digest → monotonic moment at which it is forgotten, oldest first. */
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly clock: ReceiverClock,
    private readonly capacity = 10_000,
  ) {}

  has(digest: string): boolean {
    const until = this.seen.get(digest);
    return until !== undefined && until > this.clock.monotonic();
  }

  /** Forgets the oldest where there is no room, and everything at the front that has expired. */
  remember(digest: string, lifeMs: number): void {
    const now = this.clock.monotonic();
    this.seen.delete(digest);
    for (const [oldest, until] of this.seen) {
      if (until > now && this.seen.size < this.capacity) break;
      this.seen.delete(oldest);
    }
    this.seen.set(digest, now + lifeMs);
  }

  get size(): number {
    return this.seen.size;
  }
}
