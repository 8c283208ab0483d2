/** The search of the network as all nodes and dialogs of this process share it. */
import { confirmRoot } from '../../src/discovery/confirm-root';
import type { SearchOptions, SearchResult } from '../../src/discovery/search';
import { SharedSearch } from '../../src/discovery/shared-search';
import { loopbackAllowed } from './loopback';

/** What the vendor's own example waits; monitors answer within a second. */
export const USUAL_WAIT_MS = 5_000;

// One for the process: a network is asked once, however many want to know. It holds nothing while nobody searches.
const searches = new SharedSearch();

/** @throws CemmError as search() */
export function searchNetwork({
  signal,
  broadcast = null,
  waitMs = USUAL_WAIT_MS,
}: Pick<SearchOptions, 'signal'> & Partial<Pick<SearchOptions, 'broadcast' | 'waitMs'>>): Promise<SearchResult> {
  const allowLoopback = loopbackAllowed();
  return searches.search({ broadcast, waitMs, signal, allowLoopback, confirm: confirmRoot({ allowLoopback }) });
}
