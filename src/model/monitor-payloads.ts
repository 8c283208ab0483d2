/** Payloads about monitors and meters themselves: availability, found monitors, found meters (`docs/payload.md`). */
import { idOf, payloadHead, meterName } from './identity';
import type { AvailabilityPayload, MeterInfo, MeterPayload, MonitorInfo, MonitorPayload, SourceInfo } from './payload';

export interface AvailabilityInput {
  readonly monitor: MonitorInfo;
  /** Absent if the payload is about the monitor. */
  readonly meter?: MeterInfo;
  readonly source: SourceInfo;
  readonly state: AvailabilityPayload['state'];
  /** Start of the state, Unix ms. */
  readonly since: number;
  /** Error code such as `NETWORK`; only counts if offline. */
  readonly reason: string | null;
  /** Number of failed requests in a row. */
  readonly failures: number;
  /** Time until the next request; null if there is none. Only counts if offline. */
  readonly nextRetryMs: number | null;
}

/** The payload of kind `availability`. All payloads about one outage have the same id, because `ts` is its start. */
export function availabilityPayload(input: AvailabilityInput): AvailabilityPayload {
  const { monitor, meter, source, state, since, failures } = input;
  const offline = state === 'offline';
  return {
    ...payloadHead(
      'availability',
      idOf('av', monitor, meter === undefined ? '-' : meterName(meter), state, since),
      since,
      monitor,
    ),
    ...(meter !== undefined && { meter: { ...meter } }),
    state,
    since,
    reason: offline ? input.reason : state === 'stale' ? state : null,
    failures,
    nextRetryMs: offline ? input.nextRetryMs : null,
    source: { ...source },
  };
}

export interface MonitorPayloadInput {
  readonly monitor: MonitorInfo;
  readonly change: MonitorPayload['change'];
  /** The local Open API or the public API at its address has confirmed the MAC address. */
  readonly verified: boolean;
  readonly source: SourceInfo;
}

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

export interface MeterPayloadInput {
  readonly monitor: MonitorInfo;
  readonly meter: MeterInfo;
  readonly source: SourceInfo;
}

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
