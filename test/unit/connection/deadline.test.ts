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
});
