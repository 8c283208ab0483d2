/** The table of simulated households: what its rows say is what the interfaces tell, and the ledger knows what really flowed. */
import should from 'should';
import type { House } from '../../../src/simulator/house';
import { createHousehold } from '../../../src/simulator/household';
import { houses } from '../../../src/simulator/houses';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/protocol/time';
import { at, settableClock } from './requests';

const NOW = '2026-06-15T19:00:00+02:00';
const DAY = 86_400_000;
const now = at(NOW);
const since = millis(now - 5 * DAY);

describe('simulated households', () => {
  it('are at least 24, each with a line for the help', () => {
    Object.keys(houses).length.should.be.aboveOrEqual(24);
    for (const { about } of Object.values(houses)) should(about.length).be.within(5, 90);
  });

  it('refuses a name that is not in the table, and says where the names are', async () => {
    const options = { house: 'castle' } as unknown as Parameters<typeof startSimulator>[0];
    await should(startSimulator(options)).be.rejectedWith({
      message: 'There is no house of that name: cemm-simulator --help lists them.',
    });
  });

  it('takes a row that is not in the table', async () => {
    const house: House = { about: 'uses nothing', use: 0, meters: [{ of: 'grid', alias: 'p1', remote: 'p1' }] };
    const simulator = await startSimulator({ house, since, clock: settableClock(NOW) });
    simulator.truth(since, now).should.containEql({ import: 0, house: 0, gas: 0 });
    await simulator.close();
  });

  for (const [name, house] of Object.entries(houses)) {
    it(`${name}: its ledger balances at any two moments`, () => {
      const household = createHousehold({ house, now, since });
      for (const [from, to] of [
        [household.since, now],
        [millis(now - 61_001), millis(now - 3500)],
      ] as const) {
        const flowed = household.truth(from, to);
        const used = flowed.import - flowed.export + flowed.production + flowed.discharged - flowed.charged;
        should(used).be.approximately(flowed.house, 1e-9);
        for (const amount of [flowed.import, flowed.export, flowed.house, flowed.gas, flowed.water]) {
          should(amount).be.aboveOrEqual(0);
        }
      }
    });
  }
});
