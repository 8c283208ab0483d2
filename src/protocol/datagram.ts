/**
 * The datagrams of discovery (http://developer.cemm.nl/discovery-broadcast/): a query of ten ASCII bytes, and a JSON object
 * as the reply. Anybody in the network can send a reply, so it is used only after the local Open API of the monitor has
 * confirmed the MAC address.
 */
import { parseJson, ProtocolError } from './json';
import { type MonitorId, toMonitorId } from './mac';

/** UDP port of the monitors. The vendor's sample also sends the query from this port. */
export const discoveryPort = 9777;

/** `cemm_query`, the payload of the query. */
export const discoveryQuery: Uint8Array = Buffer.from('cemm_query', 'ascii');

/** In bytes. Replies of monitors have fewer than 150; the vendor's client reads 1024. */
export const largestDatagram = 1024;

export interface DiscoveryReply {
  readonly id: MonitorId;
  /** The address in the reply. Valid only if it is the address of the sender. */
  readonly ip: string;
  /** Version of the core, which the reply calls `version`. */
  readonly core: string | null;
  /** The model, such as `CEMM_basic`. */
  readonly type: string | null;
}

/** @throws {ProtocolError} if the bytes are not the reply of a monitor */
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

/** Without control characters and at most 64 characters long, because lists and statuses show it. */
function shortText(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return value.replace(/\p{Cc}/gu, '').slice(0, 64);
}
