/** Compares the results of consecutive searches: which monitor is new, seen again, at another address, or gone. */
import type { MonitorInfo, MonitorPayload } from '../model/payload';

export interface SeenMonitor {
  readonly monitor: MonitorInfo;
  readonly verified: boolean;
}

export interface Change extends SeenMonitor {
  readonly change: MonitorPayload['change'];
}

export class SeenMonitors {
  private readonly known = new Map<string, SeenMonitor>();

  /** Known monitors that were not found; they are requested once more before they are reported as gone. */
  listMissing(found: readonly SeenMonitor[]): readonly SeenMonitor[] {
    const present = new Set(found.map(getMonitorKey));
    return [...this.known].filter(([key]) => !present.has(key)).map(([, seen]) => seen);
  }

  /** The changes in the order found, the gone monitors last. A gone monitor is reported once and then forgotten. */
  update(found: readonly SeenMonitor[]): Change[] {
    const gone = this.listMissing(found).map((seen): Change => ({ ...seen, change: 'gone' }));
    const changes = found.map((seen): Change => ({ ...seen, change: this.compare(seen) }));
    this.known.clear();
    for (const seen of found) {
      // If two devices have one MAC address, the verified one is the monitor.
      const other = this.known.get(getMonitorKey(seen));
      if (other === undefined || !other.verified) this.known.set(getMonitorKey(seen), seen);
    }
    return [...changes, ...gone];
  }

  private compare(seen: SeenMonitor): Change['change'] {
    const before = this.known.get(getMonitorKey(seen));
    if (before === undefined) return 'new';
    return before.monitor.host === seen.monitor.host ? 'seen' : 'host_changed';
  }
}

function getMonitorKey({ monitor }: SeenMonitor): string {
  return monitor.id ?? '';
}
