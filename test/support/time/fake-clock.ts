/** A clock that stands still until a test moves it. Timers run in order, each at its own moment. */
import type { Clock } from '../../../src/time/clock';
import { millis, type Millis } from '../../../src/time/units';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Runs everything that is ready, including promises of promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
}

export class FakeClock implements Clock {
  private elapsed = 0;
  private wallOffset: number;
  private readonly timers = new Set<Timer>();

  /** The longest delay of any timer. */
  longest = 0;

  constructor(start = '2026-10-20T10:00:00Z') {
    this.wallOffset = Date.parse(start) - this.elapsed;
  }

  get timerCount(): number {
    return this.timers.size;
  }

  /** Infinity if no timer is set. */
  get msToNextTimer(): number {
    return (this.next(Infinity)?.at ?? Infinity) - this.elapsed;
  }

  now(): Millis {
    return millis(this.wallOffset + this.elapsed);
  }

  monotonic(): number {
    return this.elapsed;
  }

  after(delayMs: number, run: () => void): () => void {
    this.longest = Math.max(this.longest, delayMs);
    const timer = { at: this.elapsed + delayMs, run };
    this.timers.add(timer);
    return () => {
      this.timers.delete(timer);
    };
  }

  soon(run: () => void): void {
    setImmediate(run);
  }

  /** Advances without giving promises a turn. */
  tick(ms: number): void {
    const end = this.elapsed + ms;
    for (let timer = this.next(end); timer !== null; timer = this.next(end)) this.run(timer);
    this.elapsed = end;
  }

  /** Advances; after each timer everything that is ready runs. */
  async advance(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    await settle();
    for (let timer = this.next(end); timer !== null; timer = this.next(end)) {
      this.run(timer);
      await settle();
    }
    this.elapsed = end;
  }

  /** Runs timers in order until the promise has settled; fails if no timer is left. */
  async runUntil<T>(promise: Promise<T>): Promise<T> {
    const state = { settled: false };
    const done = (): void => {
      state.settled = true;
    };
    promise.then(done, done);
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (state.settled) return promise;
      const timer = this.next(Infinity);
      if (timer === null) throw new Error('There is no timer left, and the promise has not settled.');
      this.run(timer);
    }
  }

  /** Sets the time of day; no timer becomes due by that. */
  setWallClock(moment: string): void {
    this.wallOffset = Date.parse(moment) - this.elapsed;
  }

  stepWallClock(ms: number): void {
    this.wallOffset += ms;
  }

  /** Suspends the machine: time passes, and timers that became due run at once afterwards. */
  async sleep(ms: number): Promise<void> {
    this.elapsed += ms;
    await this.advance(0);
  }

  private run(timer: Timer): void {
    this.elapsed = Math.max(this.elapsed, timer.at);
    this.timers.delete(timer);
    timer.run();
  }

  private next(end: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.timers) if (timer.at <= end && (first === null || timer.at < first.at)) first = timer;
    return first;
  }
}
