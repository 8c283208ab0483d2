/** `discover()`: finds the monitors in the local network. */
import { verifyMonitor } from '../discovery/probe-host';
import type { FoundMonitor } from '../discovery/candidates';
import { checkDiscoverOptions, type DiscoverOptions } from './connect-options';
import { search, type SearchResult } from '../discovery/search';

/**
 * Finds monitors by a UDP broadcast, ordered by MAC address. A monitor is `verified` if the root of its local API answers with
 * the same MAC address. A CEMM 3.0 does not answer discovery.
 * @throws {CemmError} CONFIG: an option cannot be used; NETWORK: `no_interface` (this machine has no IPv4 network) or `no_socket`; CANCELLED
 */
export async function discover(options: DiscoverOptions = {}): Promise<FoundMonitor[]> {
  checkDiscoverOptions(options);
  return [...(await searchFor(options)).monitors];
}

/** @throws {CemmError} as discover() */
export function searchFor(options: DiscoverOptions): Promise<SearchResult> {
  const { waitMs = 5_000, broadcast = null, allowLoopback = false, port } = options;
  const { signal = new AbortController().signal } = options;
  const verify = verifyMonitor({ allowLoopback });
  return search({ waitMs, broadcast, allowLoopback, signal, verify, ...(port !== undefined && { port }) });
}
