/** Balances of responses that are kept are equal to the first ones. */
import should from 'should';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyMeter } from '../../../src/balance/meters/choice';
import { periodContaining } from '../../../src/calendar/periods';
import { openBalances } from '../../support/clients/in-process';
import { dayMs, millis } from '../../../src/time/units';
import { PastDays } from '../../../src/store/past-days';
import { timeOf } from '../../support/houses/by-chance';
import { FakeMonitor } from '../../support/houses/fake-monitor';
import { randomHouse } from '../../support/houses/random-house';
import { StillClock } from '../../support/houses/still-clock';

describe('a response that is kept', () => {
  it('gives a balance that is equal to the first one, without a request for a day that is over', async function () {
    this.timeout(60_000);
    for (let seed = 1; seed <= 6; seed += 1) {
      const house = randomHouse(seed, timeOf(seed, 40));
      const folder = await mkdtemp(join(tmpdir(), 'cemm-kept-'));
      const now = house.end + 60 * dayMs;
      const clock = new StillClock(now);
      const read = async () => {
        const monitor = new FakeMonitor(house, () => now);
        const past = new PastDays({ folder, clock, onProblem: (problem) => should(problem).be.undefined() });
        const { balances } = openBalances({ client: monitor, clock, past });
        const results = [];
        for (const [unit, after, step] of [
          ['day', 3, 'PT15M'],
          ['day', 20, 'PT1H'],
          ['month', 2, 'P1D'],
        ] as const) {
          const period = periodContaining(unit, house.timezone, millis(house.start + after * dayMs));
          const target = { monitor: null, meters: everyMeter, period, step, prices: null, wantsPeak: true } as const;
          const options = { signal: new AbortController().signal };
          results.push(await balances.read({ ...target, counters: null }, options));
        }
        await past.flush();
        balances.close();
        return { results };
      };
      const [first, second] = [await read(), await read()];
      const plain = ({ results }: typeof first) =>
        results.map(({ source, id, ...rest }) => ({ ...rest, source: source.transport, id }));
      should(plain(second)).deepEqual(plain(first), `house ${seed}`);
      should(first.results[0]?.source.kept).not.be.true();
      for (const { source } of second.results) {
        should(source.kept).be.true();
        source.requests.should.equal(0);
      }
      await rm(folder, { recursive: true, force: true });
    }
  });
});
