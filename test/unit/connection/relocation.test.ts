/** Finding a local monitor at a new address. */
import should from 'should';
import { CemmError, type ErrorCode } from '../../../src/errors';
import { Relocation } from '../../../src/connection/relocation';
import { toMonitorId } from '../../../src/protocol/mac';
import { FakeClock, settle } from '../../support/time/fake-clock';

const id = toMonitorId('001EC08596CC');

/** A network in which the monitor answers at `host`. A search takes five seconds. */
function world({ random = 0.999, identity = id } = {}) {
  const clock = new FakeClock();
  const seen = { host: null as string | null, searches: 0, moves: [] as string[], aborted: 0 };
  const following = new Relocation({
    clock,
    random: () => random,
    identity: () => identity,
    find: (_id, signal) => {
      seen.searches += 1;
      signal.addEventListener('abort', () => (seen.aborted += 1));
      return new Promise((resolve) =>
        clock.after(5_000, () => {
          resolve(seen.host);
        }),
      );
    },
    moveTo: (host) => seen.moves.push(host),
  });
  const fail = (code: ErrorCode = 'NETWORK'): void => {
    following.failed(new CemmError(code));
  };
  return { clock, seen, following, fail };
}

describe('relocation of a monitor', () => {
  it('moves to the address where the monitor answers', async () => {
    const { clock, seen, fail } = world();
    seen.host = '192.168.1.21';
    fail();
    await clock.advance(5_000);
    seen.moves.should.eql(['192.168.1.21']);
  });

  it('stays at its address when the monitor is not found', async () => {
    const { clock, seen, fail } = world();
    fail();
    await clock.advance(5_000);
    seen.moves.should.be.empty();
  });

  it('runs one search at a time, with growing pauses', async () => {
    const { clock, seen, fail } = world();
    const searchedAt: number[] = [];
    for (let second = 0; second < 700; second += 1) {
      const before = seen.searches;
      fail();
      if (seen.searches > before) searchedAt.push(second);
      await clock.advance(1_000);
    }
    const pauses = searchedAt.slice(1).map((at, index) => at - (searchedAt[index] ?? 0));
    // A search of five seconds, then 5, 10, 20, 40, 80, 160 s.
    pauses.should.eql([10, 15, 25, 45, 85, 165, 305]);
  });

  it('finds a late monitor within two pauses', async () => {
    const { clock, seen, fail } = world();
    fail();
    await clock.advance(6_000);
    seen.host = '192.168.1.21';
    for (let second = 0; second < 15; second += 1) {
      fail();
      await clock.advance(1_000);
    }
    seen.moves.should.eql(['192.168.1.21']);
    seen.searches.should.equal(2);
  });

  it('searches at once in the next outage', async () => {
    const { clock, seen, following, fail } = world();
    fail();
    await clock.advance(5_000);
    fail();
    seen.searches.should.equal(1);
    following.resetSearch();
    fail();
    seen.searches.should.equal(2);
  });

  it('does not search without a known monitor, or after an error of the monitor', () => {
    const stranger = world({ identity: null });
    stranger.fail();
    stranger.seen.searches.should.equal(0);
    const known = world();
    for (const code of ['ALIAS', 'AUTH', 'BAD_PAYLOAD', 'CANCELLED', 'INPUT', 'RATE', 'UPSTREAM'] as const)
      known.fail(code);
    known.seen.searches.should.equal(0);
    known.fail('WRONG_MONITOR');
    known.seen.searches.should.equal(1);
  });

  it('cancels a search when the connection closes, and does not move', async () => {
    const { clock, seen, following, fail } = world();
    seen.host = '192.168.1.21';
    fail();
    await settle();
    following.close();
    seen.aborted.should.equal(1);
    await clock.advance(60_000);
    fail();
    seen.moves.should.be.empty();
    should(seen.searches).equal(1);
  });
});
