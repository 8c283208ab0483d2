/** Where the monitor of a local connection answers now, after it was lost at the address that is known. */
import { hostOrigin, parseLocalHost } from '../../src/clients/address';
import { confirmRoot } from '../../src/discovery/confirm-root';
import type { SearchResult } from '../../src/discovery/search';
import type { MonitorId } from '../../src/wire/mac';

export type SearchForMonitors = (options: { readonly signal: AbortSignal }) => Promise<SearchResult>;

/**
 * The configured address where the monitor is back there, else the one at which the search found it (with the configured
 * port); null where it answers at neither with its MAC.
 */
export async function findAgain(
  configured: string,
  id: MonitorId,
  search: SearchForMonitors,
  signal: AbortSignal,
  allowLoopback: boolean,
): Promise<string | null> {
  const { monitors } = await search({ signal });
  const { port } = parseLocalHost(configured);
  const candidates = monitors.filter((monitor) => monitor.id === id).map(({ host }) => addressAt(host, port));
  const confirm = confirmRoot({ allowLoopback });
  for (const host of new Set([configured, ...candidates])) {
    if ((await confirm(host, signal))?.id === id) return host;
  }
  return null;
}

function addressAt(host: string, port: number): string {
  return port === 80 ? host : hostOrigin({ host, port }).replace('http://', '');
}
