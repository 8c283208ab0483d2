/** Two queues between response and flow: payloads that wait to be passed on, and long work that is done in steps. */
import type { Clock } from '../time/clock';

interface QueueLimits {
  readonly items: number;
  readonly bytes: number;
}

interface Entry<T> {
  readonly item: T;
  readonly bytes: number;
}

/** Bounded: a delivery is accepted only if its payload fits. */
export class DeliveryQueue<T> {
  private entries: Entry<T>[] = [];
  private next = 0;
  private bytes = 0;
  private reserved = { items: 0, bytes: 0 };

  constructor(private readonly limits: QueueLimits) {}

  get length(): number {
    return this.entries.length - this.next;
  }

  hasRoom(bytes: number): boolean {
    const { reserved, limits } = this;
    return this.length + reserved.items < limits.items && this.bytes + reserved.bytes + bytes <= limits.bytes;
  }

  /** Reserves room for an accepted payload that is not made yet. The returned function releases it. */
  reserve(bytes: number): () => void {
    this.reserved = { items: this.reserved.items + 1, bytes: this.reserved.bytes + bytes };
    return () => {
      this.reserved = { items: this.reserved.items - 1, bytes: this.reserved.bytes - bytes };
    };
  }

  add(item: T, bytes: number): void {
    this.entries.push({ item, bytes });
    this.bytes += bytes;
  }

  /** Removes and returns the oldest; undefined when the queue is empty. */
  take(): T | undefined {
    const entry = this.entries[this.next];
    if (entry === undefined) return undefined;
    this.next += 1;
    this.bytes -= entry.bytes;
    if (this.next >= this.entries.length || this.next >= this.limits.items) {
      this.entries = this.entries.slice(this.next);
      this.next = 0;
    }
    return entry.item;
  }
}

/** Does a part of the work; true after the last part. Must not throw. */
type Step = () => boolean;

/** Runs one job after the other, with a turn of the event loop between two steps. */
export class StepQueue {
  private readonly jobs: Step[] = [];
  private isScheduled = false;

  constructor(private readonly clock: Pick<Clock, 'soon'>) {}

  add(step: Step): void {
    this.jobs.push(step);
    this.schedule();
  }

  /** Does all remaining work at once. */
  finish(): void {
    for (let step = this.jobs[0]; step !== undefined; step = this.jobs[0]) {
      if (step()) this.jobs.shift();
    }
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.clock.soon(() => {
      this.isScheduled = false;
      if (this.jobs[0]?.() === true) this.jobs.shift();
      if (this.jobs.length > 0) this.schedule();
    });
  }
}
