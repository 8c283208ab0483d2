/** The values of a monitor that were sent, and which of the next ones are sent. */
import { largest } from '../../checks/extremes';
import { findFieldKind, kinds } from '../../model/fields';
import { compareReadings } from '../../model/totals';
import { type DataPoint, dataPointName } from '../data-points';

/** A monitor has the readings of its meters this long after its start. */
const startMs = 10 * 60_000;

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
  /** Meter → time of the first of its readings, while all its counters are 0 and none was sent. */
  private readonly zeros = new Map<string, number>();

  /**
   * Leaves out values without a sensor, values older than the last sent one (deliveries can arrive in another order), and a counter
   * that falls to 0: a monitor sends 0 for a moment after a restart, and Home Assistant would count the whole counter again.
   */
  listFresh(points: readonly KnownDataPoint[], hasSensor: (point: KnownDataPoint) => boolean): KnownDataPoint[] {
    const starting = this.startingMeters(points.filter(isCounter));
    return points.filter((point) => {
      if (starting.has(point.meter) && isCounter(point)) return false;
      const sent = this.sent.get(point.meter) ?? new Map<string, SentState>();
      this.sent.set(point.meter, sent);
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

  /**
   * The meters whose first counters are all 0. After a power cut, Node-RED starts together with the monitor and does not know
   * the readings before, but Home Assistant does. A new meter with real zeros is sent after the time of a start.
   */
  private startingMeters(counters: readonly KnownDataPoint[]): ReadonlySet<string> {
    const starting = new Set<string>();
    for (const meter of new Set(counters.map((counter) => counter.meter))) {
      const ofMeter = counters.filter((counter) => counter.meter === meter);
      const newest = largest(ofMeter.map(({ ts }) => ts));
      const since = this.zeros.get(meter) ?? newest;
      const wasSent = [...(this.sent.get(meter)?.keys() ?? [])].some(hasCounterKind);
      if (!wasSent && newest < since + startMs && ofMeter.every(({ value }) => value === 0)) {
        this.zeros.set(meter, since);
        starting.add(meter);
      } else this.zeros.delete(meter);
    }
    return starting;
  }
}

/** A value with a window (`this_day_…`) starts at 0 each time. */
function isCounter({ field, topic }: DataPoint): boolean {
  return topic === null && hasCounterKind(field);
}

function hasCounterKind(field: string): boolean {
  const kind = findFieldKind(field);
  return kind !== null && kinds[kind].rises;
}
