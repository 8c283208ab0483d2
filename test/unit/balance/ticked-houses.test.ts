/**
 * Random houses by webhook alone, ten days each: topics, keys, lost deliveries and restarts at random. CEMM_HOUSE_SEED reads that
 * house alone; npm run campaign -- houses has 200 of a month.
 */
import should from 'should';
import { tickedHouse } from '../../support/houses/ticked-house';

describe('random houses by webhook alone', function () {
  this.timeout(120_000);

  it('have no wrong number that is marked complete, and know what the ticked topics show', async () => {
    const only = process.env['CEMM_HOUSE_SEED'];
    const first = Number(only ?? 1);
    let [balances, known, devices] = [0, 0, 0];
    for (let seed = first; seed < first + (only === undefined ? 5 : 1); seed += 1) {
      const result = await tickedHouse(seed, 5);
      should(result.broken.slice(0, 6)).eql([], `CEMM_HOUSE_SEED=${seed} repeats it`);
      balances += result.balances;
      known += result.known;
      devices += result.devices;
    }
    if (only === undefined) {
      balances.should.be.above(50);
      known.should.be.above(25);
      devices.should.be.above(25);
    }
  });
});
