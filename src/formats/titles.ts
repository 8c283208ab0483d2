/** The names that users gave to the meters of a payload, in the connection or on a CEMM 3.0. Names are shown, never stored. */
import { meterName } from '../model/identity';
import type { Payload } from '../model/payload';

/** Alias or key → name in the meters of the connection. */
export function titlesIn(payload: Payload): ReadonlyMap<string, string> {
  const meter = 'meter' in payload ? payload.meter : undefined;
  const delivered = payload.kind === 'webhook' ? Object.entries(payload.meters ?? {}) : [];
  const named = [
    ...(meter?.name === undefined ? [] : [[meterName(meter), meter.name] as const]),
    ...delivered.flatMap(([key, { name }]) => (name === undefined ? [] : [[key, name] as const])),
    ...(payload.kind === 'balance' ? Object.entries(payload.names ?? {}) : []),
  ];
  return new Map(named.filter(([, title]) => title.trim() !== ''));
}
