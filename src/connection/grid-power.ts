/** Detects a grid meter without new power while the monitor still answers, as with an unplugged P1 cable. */
import type { Clock } from '../time/clock';
import type { RealtimePayload } from '../model/payload';
import { oldAfterMs } from '../model/realtime';

export interface PowerChange {
  readonly state: 'online' | 'stale';
  /** Online: now. Stale: time of the last power. */
  readonly since: number;
}

export class GridPower {
  /** Time of the last power, by the clock of the monitor. */
  private last: number | null = null;
  private since: number;
  private changedAt: number;
  private isStale = false;

  constructor(
    private readonly clock: Clock,
    private readonly intervalMs: number,
  ) {
    this.since = clock.now();
    this.changedAt = clock.monotonic();
  }

  /** The change, if there is one. */
  read({ meter, values, times, ts }: RealtimePayload): PowerChange | null {
    const power = values['power_import_w'];
    if (meter.role !== 'grid' || power === undefined) return null;
    const time = power === null ? null : (times['power_import_w'] ?? ts);
    if (time === null || time === this.last) return this.updateStale(this.clock.monotonic() - this.changedAt);
    // A wrong clock is detected with the second power.
    const age = this.last === null ? this.clock.now() - time : 0;
    [this.last, this.since] = [time, time];
    this.changedAt = this.clock.monotonic();
    return this.updateStale(age);
  }

  /** After the report of another outage, this state is reported again if it still holds. */
  forget(): void {
    this.isStale = false;
  }

  private updateStale(age: number): PowerChange | null {
    const isStale = age > oldAfterMs(this.intervalMs);
    if (isStale === this.isStale) return null;
    this.isStale = isStale;
    return isStale ? { state: 'stale', since: this.since } : { state: 'online', since: this.clock.now() };
  }
}
