/** Thirty houses of the campaign of past days; `npm run campaign -- past-days` has 2,000. */
import should from 'should';
import { brokenInHouse } from '../../support/store/past-campaign';

const houses = Number(process.env['CEMM_HOUSES'] ?? 30);
const days = Number(process.env['CEMM_DAYS'] ?? 10);
const seed = Number(process.env['CEMM_HOUSE_SEED'] ?? 1);

describe('past days of random houses with random faults', function () {
  this.timeout(3_600_000);

  it(`PD9: stay right: ${houses} houses from seed ${seed}, ${days} days each`, async () => {
    const started = performance.now();
    for (let house = seed; house < seed + houses; house += 1) {
      should(await brokenInHouse(house, days)).deepEqual([], `seed ${house}`);
    }
    console.log(`      ${houses} houses in ${Math.round((performance.now() - started) / 1000)} s`);
  });
});
