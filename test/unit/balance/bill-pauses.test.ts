/** Long bills: others are served meanwhile, and a viewer who leaves ends them. */
import should from 'should';
import { billOf } from '../../../src/balance/bill/bill';
import { billOfContracts } from '../../../src/balance/bill/contract-bill';
import { billedAsAsked, parseContractsAsked } from '../../../src/balance/prices/house-contracts';
import { dayRange } from '../../../src/calendar/periods';
import { createPause, runAtOnce, runWithPauses } from '../../../src/time/pause';
import { millis } from '../../../src/time/units';
import { SOURCE, zone } from '../../support/balance/small-house';
import { spanOf } from '../../support/bills/calendar';
import { buildBalanceMeters, yearOf } from '../../support/bills/household';

const zones = { value: 0.2, zones: [{ months: 'Nov-Mar', days: 'Mon-Fri', hours: '17-22', value: 0.35 }] };
const contracts = billedAsAsked(
  parseContractsAsked(
    [
      { name: 'Clock', prices: { currency: 'EUR', import: zones, export: 0.05 } },
      { name: 'Tariffs', from: '2027-01-01', prices: { currency: 'EUR', import: { t1: 0.2, t2: 0.3 }, export: 0.05 } },
    ],
    zone,
    'contracts',
  ),
  zone,
);

describe('a long bill', function () {
  this.timeout(60_000);
  const [start, end] = spanOf('2027-03');
  const house = {
    monitor: { id: '001122aabbcc' },
    period: dayRange(zone, millis(start), millis(end - 1)),
    meters: buildBalanceMeters(yearOf(2027, 4), [start, end], true),
    slots: 'minutes' as const,
    source: SOURCE,
    now: end,
  };
  const question = { contracts, batteriesKwh: [5] };

  it('is computed in many parts, with the result of one', async () => {
    let parts = 0;
    const bill = await runWithPauses(billOfContracts(house, question, null), () => {
      parts += 1;
      return Promise.resolve();
    });
    should(parts).be.above(60);
    should(bill).deepEqual(runAtOnce(billOfContracts(house, question, null)));
    should(bill).deepEqual(await billOf(house, question));
  });

  it('ends with its viewer', async () => {
    const abort = new AbortController();
    const bill = billOf(house, question, null, abort.signal);
    abort.abort();
    await bill.should.be.rejectedWith({ code: 'CANCELLED', reason: 'stopped' });
  });

  it('pauses when it has run long enough, and not before', async () => {
    let now = 0;
    let served = 0;
    const pause = createPause(() => now);
    const computation = (function* () {
      for (let part = 0; part < 10; part += 1) {
        now += 3;
        yield;
      }
      return 'done';
    })();
    const running = runWithPauses(computation, pause);
    const serve = (): void => {
      served += 1;
      if (served < 100) setImmediate(serve);
    };
    setImmediate(serve);
    should(await running).equal('done');
    should(served).be.within(2, 6);
  });
});
