/** A clock that stands still: nothing takes time. */
import type { Clock } from '../../../src/time/clock';
import type { CounterStore } from '../../../src/balance/requests/period-reader';
import { millis } from '../../../src/time/units';

export class StillClock implements Clock {
  constructor(public moment: number) {}

  now() {
    return millis(this.moment);
  }

  monotonic(): number {
    return 0;
  }

  after(): () => void {
    return () => undefined;
  }

  soon(run: () => void): void {
    setImmediate(run);
  }
}

/** The readings of midnights that a local connection keeps, as JSON. */
export class KeptInMemory implements CounterStore {
  state: unknown = null;

  load(): Promise<unknown> {
    return Promise.resolve(this.state);
  }

  save(_monitor: string, state: object): Promise<void> {
    this.state = JSON.parse(JSON.stringify(state));
    return Promise.resolve();
  }
}
