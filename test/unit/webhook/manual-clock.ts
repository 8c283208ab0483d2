/** A ReceiverClock that stands still until the test moves it. */
import { millis, type Millis } from '../../../src/wire/time';
import type { ReceiverClock } from '../../../src/webhook/clock';

interface Waiting {
  readonly at: number;
  readonly run: () => void;
}

export class ManualClock implements ReceiverClock {
  private elapsed = 0;
  private wall: number;
  private waiting: Waiting[] = [];

  constructor(start: string) {
    this.wall = Date.parse(start);
  }

  now(): Millis {
    return millis(this.wall);
  }

  monotonic(): number {
    return this.elapsed;
  }

  after(ms: number, run: () => void): () => void {
    const entry = { at: this.elapsed + ms, run };
    this.waiting.push(entry);
    return () => {
      this.waiting = this.waiting.filter((other) => other !== entry);
    };
  }

  soon(run: () => void): void {
    setImmediate(run);
  }

  get timers(): number {
    return this.waiting.length;
  }

  /** Lets time go by; what falls due runs at its own moment. */
  advance(ms: number): void {
    const end = this.elapsed + ms;
    for (;;) {
      const [next] = this.waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.waiting = this.waiting.filter((other) => other !== next);
      this.step(Math.max(next.at - this.elapsed, 0));
      next.run();
    }
    this.step(end - this.elapsed);
  }

  /** Somebody sets the wall clock; nothing falls due by that. */
  set(moment: string): void {
    this.wall = Date.parse(moment);
  }

  private step(ms: number): void {
    this.elapsed += ms;
    this.wall += ms;
  }
}
