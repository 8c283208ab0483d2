/** Searches that several callers share. */
import should from 'should';
import { CemmError } from '../../../src/errors';
import type { SearchOptions, SearchResult } from '../../../src/discovery/search';
import { SharedSearch } from '../../../src/discovery/shared-search';

const empty: SearchResult = { monitors: [], dropped: 0, unreachable: [], fetchedAt: 1, latencyMs: 1, requests: 0 };

function options(more: Partial<SearchOptions> = {}): SearchOptions {
  const { signal } = new AbortController();
  return { broadcast: null, waitMs: 5000, signal, verify: () => Promise.resolve(null), ...more };
}

describe('the shared search', () => {
  it('searches at most once in five seconds, for any number of callers', async () => {
    let now = 0;
    let runs = 0;
    const shared = new SharedSearch(
      () => {
        runs += 1;
        return Promise.resolve({ ...empty });
      },
      () => now,
    );
    const first = await shared.search(options());
    now = 4_999;
    should(await shared.search(options())).equal(first);
    now = 5_000;
    should(await shared.search(options())).not.equal(first);
    runs.should.equal(2);
  });

  it('does not cache a failure or an abandoned search', async () => {
    let runs = 0;
    const shared = new SharedSearch(({ signal }) => {
      runs += 1;
      return runs === 1
        ? Promise.reject(new CemmError('NETWORK', { reason: 'no_interface' }))
        : new Promise((resolve, reject) => {
            if (runs === 3) resolve(empty);
            signal.addEventListener('abort', () => {
              reject(new CemmError('CANCELLED'));
            });
          });
    });
    await shared.search(options()).should.be.rejectedWith({ reason: 'no_interface' });
    const leave = new AbortController();
    const left = shared.search(options({ signal: leave.signal }));
    leave.abort();
    await left.should.be.rejectedWith({ code: 'CANCELLED' });
    should(await shared.search(options())).equal(empty);
    runs.should.equal(3);
  });

  it('keeps searches of different addresses apart', async () => {
    let runs = 0;
    const shared = new SharedSearch(() => {
      runs += 1;
      return Promise.resolve(empty);
    });
    await Promise.all([shared.search(options()), shared.search(options({ broadcast: '10.0.0.255' }))]);
    runs.should.equal(2);
  });
});
