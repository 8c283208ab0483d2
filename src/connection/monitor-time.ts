/**
 * The newest time that each monitor has sent with a value. A period is over only when it has passed there and on this machine, so
 * that a clock that is ahead makes nothing final.
 */
import type { Clock } from '../time/clock';
import type { Measurements, RealtimeResponse, SeriesResponse } from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';

export class MonitorTimes {
  private readonly newest = new Map<MonitorId, number>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** 0 if it has sent none. */
  of(monitor: MonitorId): number {
    return this.newest.get(monitor) ?? 0;
  }

  realtime(monitor: MonitorId, { data, totals }: RealtimeResponse): void {
    this.sawMeasurements(monitor, data);
    if (totals !== null) this.sawMeasurements(monitor, totals);
  }

  sawMeasurements(monitor: MonitorId, measurements: Measurements): void {
    for (const { time, value } of measurements.values()) if (value !== null) this.saw(monitor, time ?? 0);
  }

  /** Slots to come can have a 0. */
  series(monitor: MonitorId, { channels }: SeriesResponse): void {
    for (const { times, values } of channels.values()) {
      times.forEach((time, slot) => {
        if (Math.abs(values[slot] ?? NaN) > 0) this.saw(monitor, time);
      });
    }
  }

  /** A time to come, by a clock of the monitor that is ahead, must not count later. */
  private saw(monitor: MonitorId, time: number): void {
    const seen = Math.min(time, this.clock.now());
    if (seen > this.of(monitor)) this.newest.set(monitor, seen);
  }
}
