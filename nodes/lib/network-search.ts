/** The search of the network, shared by all nodes and dialogs of this process. */
import { verifyMonitor } from '../../src/discovery/probe-host';
import { type SearchOptions, type SearchResult, SharedSearch } from '../../src/discovery/search';

/**
 * A monitor simulated on this machine is reached only where the user says so, in the connection or for the whole process:
 * elsewhere loopback is Node-RED itself.
 */
export function loopbackAllowed(inConnection = false): boolean {
  return inConnection || process.env['CEMM_ALLOW_LOOPBACK'] === 'true';
}

/** What the vendor's own example waits; monitors answer within a second. */
const defaultWaitMs = 5_000;

// One for the process: searches at the same time share one broadcast. It holds nothing while no search runs.
const searches = new SharedSearch();

/** @throws CemmError as search() */
export function searchNetwork({
  signal,
  broadcast = null,
  waitMs = defaultWaitMs,
  allowLoopback = loopbackAllowed(),
}: Pick<SearchOptions, 'signal'> &
  Partial<Pick<SearchOptions, 'broadcast' | 'waitMs' | 'allowLoopback'>>): Promise<SearchResult> {
  return searches.search({ broadcast, waitMs, signal, allowLoopback, verify: verifyMonitor({ allowLoopback }) });
}
