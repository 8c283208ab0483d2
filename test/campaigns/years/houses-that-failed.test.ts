/** Random houses of a year in which a balance was wrong once. */
import should from 'should';
import { readByChance, describeFailedHouses } from '../../support/houses/by-chance';

/**
 * A replaced meter that reaches its old readings again (5724, 6167, 1939), a start value with a second tariff that is not offered
 * (5693), with a rollover (7963) and with readings twenty minutes before midnight (7866), small readings of a new gas meter
 * (6468), a replacement whose quarters are no longer stored (6624), late windows (5463), and a gas meter that is away over the end
 * of a month (3458).
 */
const wrongOnce = [1939, 3458, 5463, 5693, 5724, 6167, 6468, 6624, 7866, 7963];

describe('random houses that failed once', function () {
  this.timeout(120_000);

  it('are correct for a year', async () => {
    const campaign = await readByChance({ seeds: wrongOnce, days: 365, looks: 1, daysBack: 2, isPlain: true });
    should(describeFailedHouses(campaign, 3)).equal('');
  });
});
