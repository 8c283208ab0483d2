/**
 * The discovery datagrams (vendor page "discovery broadcast", developer.cemm.nl/discovery-broadcast): ten ASCII bytes out, one JSON object back. They stand outside
 * the specification, so nothing of an answer is trusted before the monitor's own root has confirmed it.
 */
import { parseJson, ProtocolError } from './json';
import { type MonitorId, toMonitorId } from './mac';

/** UDP port of the monitors, and the one they are asked from in the vendor's sample. */
export const discoveryPort = 9777;

/** The question. */
export const discoveryQuery: Uint8Array = Buffer.from('cemm_query', 'ascii');

/** Answers of monitors are under 150 bytes; the vendor's client reads 1024. */
export const largestDatagram = 1024;

export interface DiscoveryReply {
  readonly id: MonitorId;
  /** The address the monitor claims; worth something only when it equals the sender's. */
  readonly ip: string;
  /** What the answer calls `version` is the core version. */
  readonly core: string | null;
  /** A model word such as `CEMM_basic`. */
  readonly type: string | null;
}

/** @throws {ProtocolError} when the bytes are no answer of a monitor. */
export function parseDiscoveryReply(bytes: Uint8Array): DiscoveryReply {
  if (bytes.length > largestDatagram) throw new ProtocolError('$', 'at most 1024 bytes');
  const body = parseJson(bytes);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ProtocolError('$', 'an object');
  const { mac, ip, version, type } = body as Readonly<Record<string, unknown>>;
  const id = toMonitorId(mac);
  if (id === null) throw new ProtocolError('$.mac', 'a MAC address');
  if (typeof ip !== 'string') throw new ProtocolError('$.ip', 'an address');
  return { id, ip, core: shortText(version), type: shortText(type) };
}

/** Names and versions end up in lists and statuses: short, and without control characters. */
function shortText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must not reach a terminal or a form
  return value.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').slice(0, 64);
}
