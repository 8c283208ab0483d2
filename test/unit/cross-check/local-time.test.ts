/** Two meanings of `time` for a local monitor: the exact start of the period, or any moment of the monitor's own period. */
import should from 'should';
import type { PeriodSeriesPayload } from '../../../src/model/payload';
import type { FaultName } from '../../../src/simulator/faults';
import { millis } from '../../../src/time/units';
import { openHouse, type House } from '../../support/clients/both-interfaces';

const now = millis(Date.parse('2026-12-20T12:00:30+01:00'));
const meters = ['p1', 'p1-gas', 's01', 'mb5', 'pulse-2', 'usage'];
const days = ['2026-03-29', '2026-06-10', '2026-10-25', '2026-12-19'];

function starts({ points }: PeriodSeriesPayload): string[] {
  return points.map(({ ts }) => new Date(ts).toISOString());
}

describe('the time of a local series', function () {
  this.timeout(240_000);
  let household: House;

  async function open(...faults: FaultName[]): Promise<void> {
    household = await openHouse(now, { faults });
  }
  afterEach(() => household.close());

  it('TD19: is the start of the period: every point of every meter in one request, from a monitor that takes it literally', async () => {
    await open();
    for (const alias of meters) {
      for (const label of [...days, '2026-10', '2026-06']) {
        const { stats, complete, source } = await household.series('local', alias, label);
        complete.should.be.true(`${alias} ${label}`);
        stats.should.containEql({ gaps: 0, outside: 0 });
        source.requests.should.be.within(1, 2);
      }
      const { stats } = await household.series('local', alias, '2026');
      stats.should.containEql({ expected: 12, gaps: 0, outside: 0 });
    }
    const { source } = await household.series('local', 'p1', '2026-10');
    source.requests.should.equal(1);
  });

  it('TD20: is a time in the middle for a monitor with days in UTC, which is cached', async () => {
    await open('utc-days');
    const october = await household.series('local', 'p1', '2026-10');
    october.stats.should.containEql({ expected: 31, received: 31, gaps: 0 });
    october.source.requests.should.be.aboveOrEqual(2);
    const november = await household.series('local', 'p1', '2026-11');
    november.complete.should.be.true();
    november.source.requests.should.equal(1);
    (await household.series('local', 's01', '2026')).stats.should.containEql({ expected: 12, gaps: 0 });
    for (const label of days) {
      const day = await household.series('local', 'p1', label);
      // The hours before the UTC day begins come from the previous response.
      day.complete.should.be.true(label);
      starts(day).should.eql(starts(await household.series('remote', 'p1', label)));
      day.points.should.eql((await household.series('remote', 'p1', label)).points);
      day.source.requests.should.equal(2);
    }
  });

  it('shows what there is where a monitor has no answer for the period', async () => {
    await open('utc-days');
    const day = await household.series('local', 'p1', '2025-06-10');
    should(day.stats.received).equal(0);
    // Nothing was learned from it.
    (await household.series('local', 'p1', '2026-06-10')).complete.should.be.true();
  });
});
