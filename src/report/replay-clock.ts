/** A clock for replayed requests: the time of day stands still, and a pause ends as soon as nothing else is left to do. */
import type { Clock } from '../time/clock';
import type { Millis } from '../time/units';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class ReplayClock implements Clock {
  private elapsed = 0;
  private timers: Timer[] = [];
  private isScheduled = false;

  constructor(private readonly moment: Millis) {}

  now(): Millis {
    return this.moment;
  }

  monotonic(): number {
    return this.elapsed;
  }

  after(delayMs: number, run: () => void): () => void {
    const timer = { at: this.elapsed + Math.max(0, delayMs), run };
    this.timers.push(timer);
    this.schedule();
    return () => {
      this.timers = this.timers.filter((one) => one !== timer);
    };
  }

  soon(run: () => void): void {
    this.after(0, run);
  }

  /** Recorded answers need no input or output, so all that follows from them is done before the next turn of the event loop. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.runNext();
      if (this.timers.length > 0) this.schedule();
    });
  }

  private runNext(): void {
    const [first, ...others] = this.timers;
    if (first === undefined) return;
    const next = others.reduce((earliest, timer) => (timer.at < earliest.at ? timer : earliest), first);
    this.timers = this.timers.filter((timer) => timer !== next);
    this.elapsed = Math.max(this.elapsed, next.at);
    next.run();
  }
}
