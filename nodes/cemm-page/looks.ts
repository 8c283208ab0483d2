/** When the page node looks for what is due: every second, sooner after a message, at once for a browser that asks little. */
import type { Clock } from '../../src/time/clock';

/** A look also finds viewers that are gone, and balances that are due. */
const longestMs = 1_000;
/** However many messages arrive, looks that may wait are no more frequent than this. */
const shortestMs = 50;
/** Addresses that get a look at once between two of those, each one. */
const mostAddresses = 5;

export class Looks {
  private lookedAt = -Infinity;
  private nextAt = Infinity;
  private stopTimer = (): void => undefined;
  /** Addresses that got a look at once since the last one of the others. */
  private readonly served = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly look: () => void,
  ) {
    this.schedule(longestMs);
  }

  /** At once, or as soon as the interval since the last look allows. */
  lookSoon(): void {
    const wait = this.lookedAt + shortestMs - this.clock.monotonic();
    if (wait <= 0) this.lookForAll();
    else if (this.lookedAt + shortestMs < this.nextAt) this.schedule(wait);
  }

  /** At once, unless this address or too many others just had that. */
  lookFor(address: string): void {
    if (this.served.has(address) || this.served.size >= mostAddresses) {
      this.lookSoon();
      return;
    }
    this.served.add(address);
    this.lookNow();
  }

  lookNow(): void {
    this.lookedAt = this.clock.monotonic();
    this.schedule(longestMs);
    this.look();
  }

  close(): void {
    this.stopTimer();
  }

  private lookForAll(): void {
    this.served.clear();
    this.lookNow();
  }

  private schedule(ms: number): void {
    this.stopTimer();
    this.nextAt = this.clock.monotonic() + ms;
    this.stopTimer = this.clock.after(ms, () => {
      this.lookForAll();
    });
  }
}
