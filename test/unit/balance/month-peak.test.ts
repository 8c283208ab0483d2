/** The highest quarter of the running month, and the power that is free below it. */
import should from 'should';
import { everyMeter } from '../../../src/balance/meters/choice';
import { MonthPeaks } from '../../../src/balance/now/month-peaks';
import { leastPeakAt } from '../../../src/balance/prices/prices';
import { type MonthPeak, roomBelow, type RunningQuarter } from '../../../src/balance/period/peak';
import type { BalancePayload } from '../../../src/model/payload';
import { minuteMs } from '../../../src/time/units';
import { at, balance, prices, zone } from '../../support/balance/small-house';
import { FakeClock } from '../../support/time/fake-clock';

const start = at('2026-06-15T10:00:00Z');

/** A quarter in which `wh` were used until a minute, at a present import of 2 kW. */
function quarter(minute: number, wh: number, isWhole = true): RunningQuarter {
  const last = { ts: start + minute * minuteMs, power_w: 2000, counter: null };
  // An amount is a 60,000th of a Wh.
  return { start, used: wh * 60_000, isWhole, last };
}

const month = (power_w: number | null, atLeast_w = 0): MonthPeak => ({ power_w, atLeast_w });

describe('the room below the peak of the month', () => {
  it('is what the rest of the quarter can take, without the present import', () => {
    // 4 kW are 1,000 Wh in a quarter: 900 are left for a sixth of an hour, 5.4 kW.
    should(roomBelow(quarter(5, 100), month(4000))).be.approximately(3400, 1e-9);
  });

  it('counts the least power that is charged', () => {
    // 2.5 kW are 625 Wh: 525 for a sixth of an hour, 3.15 kW.
    should(roomBelow(quarter(5, 100), month(1000, 2500))).be.approximately(1150, 1e-9);
  });

  it('is below 0 where a new peak is on its way', () => {
    should(roomBelow(quarter(10, 500), month(1800))).be.approximately(-2600, 1e-9);
  });

  it('is not known in the last minute, without the month, and where the quarter was not followed', () => {
    should(roomBelow(quarter(14, 100), month(4000))).equal(null);
    should(roomBelow(quarter(13.9, 100), month(4000))).be.a.Number();
    should(roomBelow(quarter(5, 100), month(null, 2500))).equal(null);
    should(roomBelow(quarter(5, 100, false), month(4000))).equal(null);
  });

  it('has the least power of the prices, of the contract that is valid', () => {
    const flanders = { currency: 'EUR', peak: { per_kw_year: 53.25, at_least_kw: 2.5 } };
    should(leastPeakAt(prices(flanders), start)).equal(2500);
    should(leastPeakAt(prices({ currency: 'EUR', import: 0.3 }), start)).equal(null);
  });
});

describe('the peak of the running month', () => {
  const target = { monitor: null, meters: everyMeter };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  function peaks(clock: FakeClock, answers: (number | Error)[]): { months: MonthPeaks; asked: string[] } {
    const asked: string[] = [];
    const months = new MonthPeaks(clock, zone, (_, { label }) => {
      asked.push(label);
      const answer = answers.shift() ?? 0;
      if (answer instanceof Error) return Promise.reject(answer);
      const payload: BalancePayload = balance('2026-06', [], { slots: 'minutes' });
      return Promise.resolve({ ...payload, peak: { power_w: answer, start, end: start + 15 * minuteMs } });
    });
    return { months, asked };
  }

  it('is null until the month was read, and read once a quarter', async () => {
    const clock = new FakeClock('2026-06-15T10:00:00Z');
    const { months, asked } = peaks(clock, [4000, 4200]);
    should(months.powerOf(target)).equal(null);
    await turn();
    should(months.powerOf(target)).equal(4000);
    asked.should.deepEqual(['2026-06']);
    await clock.advance(15 * minuteMs);
    should(months.powerOf(target)).equal(4000);
    await turn();
    should(months.powerOf(target)).equal(4200);
    asked.should.have.length(2);
  });

  it('begins again with a month, and stays where a reading fails', async () => {
    const clock = new FakeClock('2026-06-30T21:40:00Z');
    const { months, asked } = peaks(clock, [4000, new Error('away'), 1500]);
    months.powerOf(target);
    await turn();
    await clock.advance(15 * minuteMs);
    should(months.powerOf(target)).equal(4000);
    await turn();
    should(months.powerOf(target)).equal(4000);
    await clock.advance(10 * minuteMs);
    should(months.powerOf(target)).equal(null);
    await turn();
    should(months.powerOf(target)).equal(1500);
    asked.should.deepEqual(['2026-06', '2026-06', '2026-07']);
  });
});
