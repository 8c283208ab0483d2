import should from 'should';
import { startDeadline } from '../../../src/connection/deadline';
import { CemmError } from '../../../src/errors';
import { FakeClock } from '../../support/time/fake-clock';

describe('the deadline of an operation', () => {
  it('leaves the next request what is left, and says how long the operation took when nothing is', async () => {
    const clock = new FakeClock();
    const next = startDeadline({ signal: new AbortController().signal, deadlineMs: 10_000 }, 25_000, clock);
    await clock.advance(4_000);
    should(next().deadlineMs).equal(6_000);
    await clock.advance(7_000);
    try {
      next();
      should.fail(null, null, 'it allows a request after its end');
    } catch (error) {
      if (!(error instanceof CemmError)) throw error;
      error.code.should.equal('DEADLINE');
      error.elapsedMs.should.equal(11_000);
      error.message.should.match(/after 11 s/);
    }
  });

  it('does not count the time that a request waits in the queue, once for requests that wait together', async () => {
    const clock = new FakeClock();
    const next = startDeadline({ signal: new AbortController().signal, deadlineMs: 10_000 }, 25_000, clock);
    await clock.advance(4_000);
    const [first, second] = [next(), next()];
    await clock.advance(30_000);
    first.onStart?.();
    second.onStart?.();
    await clock.advance(1_000);
    should(next().deadlineMs).equal(5_000);
  });

  it('is the whole time for each request of a poll, which has waited for its turn', async () => {
    const clock = new FakeClock();
    const ask = { signal: new AbortController().signal, patience: 'poll' } as const;
    const next = startDeadline(ask, 25_000, clock);
    await clock.advance(150_000);
    should(next()).containEql({ deadlineMs: 25_000, patience: 'poll' });
    const ofYear = startDeadline({ ...ask, isBulk: true }, 25_000, clock);
    await clock.advance(5_000);
    should(ofYear().deadlineMs).equal(20_000);
  });
});
