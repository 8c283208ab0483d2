/** Counts failed proofs per address, so that a guessing flood is told to wait. A valid call is never limited. */
import type { ReceiverClock } from './clock';

interface Tally {
  since: number;
  failures: number;
}

export class FailureLimit {
  private readonly tallies = new Map<string, Tally>();

  constructor(
    private readonly clock: ReceiverClock,
    private readonly perMinute = 60,
    private readonly capacity = 1000,
  ) {}

  /** Counts one failure; true where the address has had more than its share of this minute. */
  exceeded(address: string): boolean {
    const now = this.clock.monotonic();
    let tally = this.tallies.get(address);
    if (tally === undefined || now - tally.since >= 60_000) {
      tally = { since: now, failures: 0 };
      this.tallies.delete(address);
      this.makeRoom();
      this.tallies.set(address, tally);
    }
    tally.failures += 1;
    return tally.failures > this.perMinute;
  }

  get size(): number {
    return this.tallies.size;
  }

  private makeRoom(): void {
    for (const oldest of this.tallies.keys()) {
      if (this.tallies.size < this.capacity) return;
      this.tallies.delete(oldest);
    }
  }
}
