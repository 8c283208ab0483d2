/** Whether a monitor or meter answers, as the payload that leaves a node. */
import { idOf, meterName } from './identity';
import type { AvailabilityPayload, MeterInfo, MeterPayload, MonitorInfo, MonitorPayload, SourceInfo } from './payload';

export interface AvailabilityInput {
  readonly monitor: MonitorInfo;
  /** Left out where the whole monitor is meant. */
  readonly meter?: MeterInfo;
  readonly source: SourceInfo;
  readonly state: 'online' | 'offline';
  /** Epoch ms since when. */
  readonly since: number;
  /** Error code while offline. */
  readonly reason: string | null;
  readonly failures: number;
  readonly nextRetryMs: number | null;
}

/** Never throws. It is about the moment of the change, so every report of one outage has the same id. */
export function availabilityPayload(input: AvailabilityInput): AvailabilityPayload {
  const { monitor, meter, source, state, since, failures } = input;
  const offline = state === 'offline';
  return {
    schema: 'cemm/1',
    kind: 'availability',
    id: idOf('av', monitor, meter === undefined ? '-' : meterName(meter), state, since),
    ts: since,
    time: new Date(since).toISOString(),
    monitor: { ...monitor },
    ...(meter !== undefined && { meter: { ...meter } }),
    state,
    since,
    reason: offline ? input.reason : null,
    failures,
    nextRetryMs: offline ? input.nextRetryMs : null,
    source: { ...source },
  };
}

// What discovery nodes send: a monitor that was found or has gone, and a meter that a monitor has activated.

interface MonitorFound {
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

interface MeterFound {
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
