/** The life of a promise, measured with a fake clock. */
import should from 'should';
import { createPendingPromises } from '../../../src/simulator/remote-api';

function bookAt(options: { readyMs: number; renews?: boolean }) {
  let time = 0;
  const book = createPendingPromises({
    readyMs: () => options.readyMs,
    renews: options.renews ?? false,
    now: () => time,
  });
  return (at: number, question = 'p1') => {
    time = at;
    return book(question);
  };
}

describe('simulator: promises', () => {
  it('answers at once where nothing has to be waited for', () => {
    should(bookAt({ readyMs: 0 })(0)).be.null();
  });

  it('promises first, repeats the same promise, and keeps it when the data are there', () => {
    const ask = bookAt({ readyMs: 2000 });
    should(ask(0)).equal(1);
    should(ask(1999)).equal(1);
    should(ask(2000)).be.null();
    should(ask(9999)).be.null();
  });

  it('removes a promise 10 seconds after it was given, however often it was asked', () => {
    const ask = bookAt({ readyMs: 20_000 });
    [0, 4000, 8000, 9999].map((at) => ask(at)).should.deepEqual([1, 1, 1, 1]);
    should(ask(10_000)).equal(2);
    should(ask(19_999)).equal(2);
    should(ask(20_000)).equal(3);
  });

  it('gives another 10 seconds to a caller that repeats, where repeats renew', () => {
    const ask = bookAt({ readyMs: 12_000, renews: true });
    [0, 6000, 11_000].map((at) => ask(at)).should.deepEqual([1, 1, 1]);
    should(ask(12_000)).be.null();
    should(ask(21_000)).equal(2);
  });

  it('starts a new promise for a caller that repeats too late, also where the data had been there', () => {
    const ask = bookAt({ readyMs: 1000 });
    should(ask(0)).equal(1);
    should(ask(10_000)).equal(2);
    should(ask(11_000)).be.null();
  });

  it('keeps requests apart', () => {
    const ask = bookAt({ readyMs: 2000 });
    should(ask(0, 'p1')).equal(1);
    should(ask(1500, 's01')).equal(2);
    should(ask(2500, 'p1')).be.null();
    should(ask(2500, 's01')).equal(2);
  });
});
