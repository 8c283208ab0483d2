/** Network search, shared by all nodes and dialogs of this process. */
import { verifyMonitor } from '../../src/discovery/probe-host';
import type { SearchOptions, SearchResult } from '../../src/discovery/search';
import { SharedSearch } from '../../src/discovery/shared-search';
import { loopbackAllowed } from './run/connection-node';

/** Waiting time of the vendor's own example; monitors answer within a second. */
const defaultWaitMs = 5_000;

// One per process: simultaneous searches share one broadcast. Without a running search it holds no resources.
const searches = new SharedSearch();

/** @throws {CemmError} as search() */
export function searchNetwork({
  signal,
  broadcast = null,
  waitMs = defaultWaitMs,
  allowLoopback = loopbackAllowed(),
}: Pick<SearchOptions, 'signal'> &
  Partial<Pick<SearchOptions, 'broadcast' | 'waitMs' | 'allowLoopback'>>): Promise<SearchResult> {
  return searches.search({ broadcast, waitMs, signal, allowLoopback, verify: verifyMonitor({ allowLoopback }) });
}
