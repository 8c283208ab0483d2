/** Thirty houses of the campaign of past days; `npm run campaign -- past-days` has 2,000. */
import should from 'should';
import { brokenInHouse } from '../../support/store/past-campaign';

const [houses, days] = [30, 8];

describe('past days of random houses with random faults', function () {
  this.timeout(300_000);

  it(`PD9: stay right: ${houses} houses, ${days} days each`, async () => {
    const broken: string[] = [];
    for (let seed = 1; seed <= houses; seed += 1) {
      for (const line of await brokenInHouse(seed, days)) broken.push(`seed ${seed}: ${line}`);
    }
    should(broken).deepEqual([]);
  });

  it('names the house whose step does not end', async () => {
    const [line = ''] = await brokenInHouse(1, 60, 0);
    line.should.match(/a step does not end/);
  });
});
