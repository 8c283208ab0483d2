import type { Clock } from '../clock';

/** What was acknowledged and waits to be sent: bounded, so that nothing is acknowledged that cannot be kept. */
interface QueueLimits {
  readonly items: number;
  readonly bytes: number;
}

interface Entry<T> {
  readonly item: T;
  readonly bytes: number;
}

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

  /** Keeps room for what is accepted and not ready yet. The returned function gives it back. */
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

  /** The oldest, which is out of the queue then; undefined when there is none. */
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

// Long work in steps: one job after the other, and a turn of the event loop between two steps.

/** Does a part of the work; true where that was the last one. Must not throw. */
type Step = () => boolean;

export class StepQueue {
  private readonly jobs: Step[] = [];
  private isScheduled = false;

  constructor(private readonly clock: Pick<Clock, 'soon'>) {}

  add(step: Step): void {
    this.jobs.push(step);
    this.schedule();
  }

  /** Does at once what is left. */
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
