import type { Clock } from '../../../../src/clients/clock';
import { millis } from '../../../../src/wire/time';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Lets everything that is ready to go on do so, promises of promises included. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}

/** A clock that stands still until it is moved; timers run in order at their moments. */
export class FakeClock implements Clock {
  private now = 1_000;
  private wallOffset = Date.UTC(2026, 9, 20, 10, 0, 0);
  private readonly timers = new Set<Timer>();

  get pending(): number {
    return this.timers.size;
  }

  /** What the longest timer was set to. */
  longest = 0;

  monotonic(): number {
    return this.now;
  }

  wall() {
    return millis(this.wallOffset + this.now);
  }

  after(delayMs: number, run: () => void): () => void {
    this.longest = Math.max(this.longest, delayMs);
    const timer = { at: this.now + delayMs, run };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  async advance(ms: number): Promise<void> {
    const end = this.now + ms;
    await settle();
    for (let due = this.next(end); due !== null; due = this.next(end)) {
      this.now = Math.max(this.now, due.at);
      this.timers.delete(due);
      due.run();
      await settle();
    }
    this.now = end;
  }

  /** The host's clock is set; the monotonic one goes on as it was. */
  stepWall(ms: number): void {
    this.wallOffset += ms;
  }

  /** The machine sleeps: time passes, and whatever was due fires late, at once, on waking. */
  async sleep(ms: number): Promise<void> {
    this.now += ms;
    await this.advance(0);
  }

  private next(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.timers) if (timer.at <= end && (first === null || timer.at < first.at)) first = timer;
    return first;
  }
}
