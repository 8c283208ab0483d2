/** How often the page node looks for what is due. */
import should from 'should';
import { Looks } from '../../../nodes/cemm-page/looks';
import { FakeClock } from '../../support/time/fake-clock';

describe('the looks of a page node', () => {
  let clock: FakeClock;
  let looks: Looks;
  /** Times of the looks, ms. */
  let times: number[];

  beforeEach(() => {
    clock = new FakeClock();
    times = [];
    looks = new Looks(clock, () => times.push(clock.monotonic()));
  });

  it('are a second apart while nothing arrives, and end with the node', async () => {
    await clock.advance(3_500);
    should(times).eql([1_000, 2_000, 3_000]);
    looks.close();
    should(clock.timerCount).equal(0);
  });

  it('are 50 ms apart however many messages arrive', async () => {
    for (let ms = 0; ms < 200; ms += 1) {
      looks.lookSoon();
      await clock.advance(1);
    }
    should(times).eql([0, 50, 100, 150, 200]);
  });

  it('DV5: are at once for an address, once between two looks that had to wait', async () => {
    looks.lookSoon();
    await clock.advance(10);
    looks.lookSoon();
    looks.lookFor('owner');
    should(times).eql([0, 10]);
    looks.lookFor('owner');
    should(times).eql([0, 10]);
    await clock.advance(50);
    should(times).eql([0, 10, 60]);
    looks.lookFor('owner');
    should(times).eql([0, 10, 60, 60]);
  });

  it('DV5: are at once for five addresses at most', () => {
    looks.lookSoon();
    for (let address = 0; address < 100; address += 1) looks.lookFor(`${address}`);
    should(times.length).equal(6);
  });
});
