/** Long bills: others are served meanwhile, and a viewer who leaves ends them. */
import should from 'should';
import { billOf } from '../../../src/balance/bill/bill';
import { billContracts } from '../../../src/balance/bill/bill-question';
import { billOfContracts } from '../../../src/balance/bill/contract-bill';
import { billedAsAsked, parseContractsAsked } from '../../../src/balance/prices/house-contracts';
import { dayRange } from '../../../src/calendar/periods';
import { createPause, type InParts, runAtOnce, runWithPauses } from '../../../src/time/pause';
import { millis } from '../../../src/time/units';
import { SOURCE, zone } from '../../support/balance/small-house';
import { quarterMs, spanOf } from '../../support/bills/calendar';
import { buildBalanceMeters, yearOf } from '../../support/bills/household';

const zones = { value: 0.2, zones: [{ months: 'Nov-Mar', days: 'Mon-Fri', hours: '17-22', value: 0.35 }] };
const asked = [
  { name: 'Clock', prices: { currency: 'EUR', import: zones, export: 0.05 } },
  { name: 'Tariffs', from: '2027-01-01', prices: { currency: 'EUR', import: { t1: 0.2, t2: 0.3 }, export: 0.05 } },
];
const contracts = billedAsAsked(runAtOnce(parseContractsAsked(asked, zone, 'contracts')), zone);

/** Market prices by the quarter of an hour. */
function marketPrices(length: number): object[] {
  const [start] = spanOf('2027');
  return Array.from({ length }, (_, index) => ({
    start: start + index * quarterMs,
    value: (index % 37) / 100,
  }));
}

async function countParts<Result>(computation: InParts<Result>): Promise<{ parts: number; result: Result }> {
  let parts = 0;
  const result = await runWithPauses(computation, () => {
    parts += 1;
    return Promise.resolve();
  });
  return { parts, result };
}

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
    const { parts, result: bill } = await countParts(billOfContracts(house, question, null));
    should(parts).be.above(60);
    should(bill).deepEqual(runAtOnce(billOfContracts(house, question, null)));
    should(bill).deepEqual(await billOf(house, question));
  });

  it('of a year measures its quarters and their fixed prices in parts', async () => {
    const [first, last] = spanOf('2027');
    const prices = { currency: 'EUR', import: marketPrices((last - first) / quarterMs), per_day: 0.3 };
    const year = {
      ...house,
      period: dayRange(zone, millis(first), millis(last - 1)),
      meters: buildBalanceMeters(yearOf(2027, 4), [first, last], true),
      now: last,
    };
    const dynamic = runAtOnce(parseContractsAsked([{ name: 'Dynamic', prices }], zone, 'contracts'));
    const ofYear = { contracts: billedAsAsked(dynamic, zone), batteriesKwh: [] };
    const { parts } = await countParts(billOfContracts(year, ofYear, null));
    should(parts).be.above(100);
  });

  it('reads its lists of prices in many parts, with the result of one', async () => {
    const list = marketPrices(8000);
    const dynamic = [{ name: 'Dynamic', prices: { currency: 'EUR', import: { list, every: '1h' }, export: list } }];
    const { parts, result: parsed } = await countParts(parseContractsAsked(dynamic, zone, 'contracts'));
    // Both lists are read and divided, and one is averaged: five times in parts of a thousand.
    should(parts).be.above((5 * list.length) / 1000);
    should(parsed).deepEqual(runAtOnce(parseContractsAsked(dynamic, zone, 'contracts')));
  });

  it('serves others while it reads its lists', async () => {
    const list = marketPrices(35_000);
    const names = { from: 'from', to: 'to', prices: 'prices', contracts: 'contracts', batteries: 'batteries' };
    const dynamic = [1, 2, 3].map((number) => ({ name: `${number}`, prices: { currency: 'EUR', import: list } }));
    const order: string[] = [];
    setImmediate(() => order.push('another event'));
    await billContracts({ contracts: dynamic }, { timezone: zone, now: millis(end), names });
    order.push('the contracts');
    should(order).deepEqual(['another event', 'the contracts']);
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
