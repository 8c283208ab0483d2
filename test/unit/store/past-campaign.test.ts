/** Thirty houses of the campaign of past days; `npm run campaign -- past-days` has 2,000. */
import should from 'should';
import { brokenInHouse } from '../../support/store/past-campaign';

const houses = Number(process.env['CEMM_HOUSES'] ?? 30);
const days = Number(process.env['CEMM_DAYS'] ?? 8);
const seed = Number(process.env['CEMM_HOUSE_SEED'] ?? 1);

describe('past days of random houses with random faults', function () {
  // 2,000 houses take hours.
  this.timeout(0);

  it(`PD9: stay right: ${houses} houses from seed ${seed}, ${days} days each`, async () => {
    const before = process.cpuUsage();
    const broken: string[] = [];
    for (let house = seed; house < seed + houses; house += 1) {
      for (const line of await brokenInHouse(house, days)) broken.push(`seed ${house}: ${line}`);
    }
    const { user, system } = process.cpuUsage(before);
    console.log(`      ${houses} houses: ${Math.round((user + system) / 1e6)} s of processor time`);
    should(broken).deepEqual([]);
  });

  it('names the house whose step does not end', async () => {
    const [line = ''] = await brokenInHouse(1, 60, 0);
    line.should.match(/a step does not end/);
  });
});
