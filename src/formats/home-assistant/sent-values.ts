/** The values of a monitor that were sent, and which of the next ones are sent. */
import { getOrSet } from '../../checks/get-or-set';
import { compareReadings } from '../../model/totals';
import { type DataPoint, dataPointName } from '../data-points';
import { isCounter, type MeterStart, nextMeterStart } from '../meter-start';

export interface KnownDataPoint extends DataPoint {
  readonly meter: string;
  readonly value: number;
}

interface SentState {
  readonly ts: number;
  readonly value: number;
}

export class SentValues {
  /** Meter → field → last sent value. */
  private readonly sent = new Map<string, Map<string, SentState>>();
  private readonly starts = new Map<string, MeterStart>();

  /**
   * Leaves out values without a sensor, values older than the last sent one (deliveries can arrive in another order), and a counter
   * that falls to 0: a monitor sends 0 for a moment after a restart, and Home Assistant would count the whole counter again.
   */
  listFresh(points: readonly KnownDataPoint[], hasSensor: (point: KnownDataPoint) => boolean): KnownDataPoint[] {
    const starting = this.startingMeters(points.filter(isCounter));
    return points.filter((point) => {
      if (starting.has(point.meter) && isCounter(point)) return false;
      const sent = getOrSet(this.sent, point.meter, () => new Map());
      const { ts, value } = point;
      const name = dataPointName(point);
      const before = sent.get(name);
      if (before !== undefined) {
        if (ts < before.ts) return false;
        // Values with a window (`this_day_…`) start at 0 each time, and compareReadings ignores them.
        const resets = compareReadings({ [name]: before.value }, { [name]: value });
        if (resets.some(({ kind }) => kind === 'zero')) return false;
      }
      if (!hasSensor(point)) return false;
      sent.set(name, { ts, value });
      return true;
    });
  }

  private startingMeters(counters: readonly KnownDataPoint[]): ReadonlySet<string> {
    const starting = new Set<string>();
    for (const meter of new Set(counters.map((counter) => counter.meter))) {
      const ofMeter = counters.filter((counter) => counter.meter === meter);
      const start = nextMeterStart(this.starts.get(meter), ofMeter);
      this.starts.set(meter, start);
      if (start !== 'started') starting.add(meter);
    }
    return starting;
  }
}
