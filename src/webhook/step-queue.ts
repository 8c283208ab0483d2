/** Long work in steps: one job after the other, and a turn of the event loop between two steps. */
import type { ReceiverClock } from './clock';

/** Does a part of the work; true where that was the last one. Must not throw. */
export type Step = () => boolean;

export class StepQueue {
  private readonly jobs: Step[] = [];
  private isScheduled = false;

  constructor(private readonly clock: Pick<ReceiverClock, 'soon'>) {}

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
