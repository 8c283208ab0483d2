/** What discovery nodes send: a monitor that was found or has gone, and a meter that a monitor has activated. */
import { idOf, meterName } from './identity';
import type { MeterInfo, MeterPayload, MonitorInfo, MonitorPayload, SourceInfo } from './payload';

export interface MonitorFound {
  readonly monitor: MonitorInfo;
  readonly change: MonitorPayload['change'];
  /** Its own root answered with the same MAC. */
  readonly verified: boolean;
  readonly source: SourceInfo;
}

/** Never throws. It is about the moment of the answer, so two nodes that share one search send the same id. */
export function monitorPayload({ monitor, change, verified, source }: MonitorFound): MonitorPayload {
  const ts = source.fetchedAt;
  return {
    schema: 'cemm/1',
    kind: 'monitor',
    id: idOf('mo', monitor, change, ts),
    ts,
    time: new Date(ts).toISOString(),
    monitor: { ...monitor },
    change,
    verified,
    source: { ...source },
  };
}

export interface MeterFound {
  readonly monitor: MonitorInfo;
  readonly meter: MeterInfo;
  readonly source: SourceInfo;
}

/** Never throws. A meter whose alias is not known is told by the number of its I/O. */
export function meterPayload({ monitor, meter, source }: MeterFound): MeterPayload {
  const ts = source.fetchedAt;
  const name = meter.alias === undefined && meter.ioId !== undefined ? `io-${meter.ioId}` : meterName(meter);
  return {
    schema: 'cemm/1',
    kind: 'meter',
    id: idOf('me', monitor, name, ts),
    ts,
    time: new Date(ts).toISOString(),
    monitor: { ...monitor },
    meter: { ...meter },
    source: { ...source },
  };
}
