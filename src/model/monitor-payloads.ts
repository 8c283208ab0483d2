/** Payloads about monitors and meters themselves: availability, found monitors, found meters (`docs/payload.md`). */
import { idOf, payloadHead, meterName } from './identity';
import type { AvailabilityPayload, MeterPayload, MonitorPayload } from './payload';

/** `reason` and `nextRetryMs` only count if offline. Without a meter the payload is about the monitor. */
export type AvailabilityInput = Readonly<Omit<AvailabilityPayload, 'schema' | 'kind' | 'id' | 'ts' | 'time'>>;

/** The payload of kind `availability`. All payloads about one outage have the same id, because `ts` is its start. */
export function availabilityPayload(input: AvailabilityInput): AvailabilityPayload {
  const { monitor, meter, source, state, since, failures } = input;
  const offline = state === 'offline';
  const id = idOf('av', monitor, meter === undefined ? '-' : meterName(meter), state, since);
  return {
    ...payloadHead('availability', id, since, monitor),
    ...(meter !== undefined && { meter: { ...meter } }),
    state,
    since,
    reason: offline ? input.reason : state === 'stale' ? state : null,
    failures,
    nextRetryMs: offline ? input.nextRetryMs : null,
    source: { ...source },
  };
}

export type MonitorPayloadInput = Readonly<Pick<MonitorPayload, 'monitor' | 'change' | 'verified' | 'source'>>;

/** The payload of kind `monitor`. Nodes that share one search send the same id, because `ts` is the time of the response. */
export function monitorPayload({ monitor, change, verified, source }: MonitorPayloadInput): MonitorPayload {
  const ts = source.fetchedAt;
  return {
    ...payloadHead('monitor', idOf('mo', monitor, change, ts), ts, monitor),
    change,
    verified,
    source: { ...source },
  };
}

export type MeterPayloadInput = Readonly<Pick<MeterPayload, 'monitor' | 'meter' | 'source'>>;

/** The payload of kind `meter`. The id of a meter without an alias has the number of its I/O (`io-3`). */
export function meterPayload({ monitor, meter, source }: MeterPayloadInput): MeterPayload {
  const ts = source.fetchedAt;
  const name = meter.alias === undefined && meter.ioId !== undefined ? `io-${meter.ioId}` : meterName(meter);
  return {
    ...payloadHead('meter', idOf('me', monitor, name, ts), ts, monitor),
    meter: { ...meter },
    source: { ...source },
  };
}
