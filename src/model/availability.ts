/** Whether a monitor or meter answers, as the payload that leaves a node. */
import { idOf, meterName } from './identity';
import type { AvailabilityPayload, MeterInfo, MonitorInfo, SourceInfo } from './payload';

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
export function availability(input: AvailabilityInput): AvailabilityPayload {
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
