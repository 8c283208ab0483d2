/** A cost stands for the days that are known and have a price, and says so. */
import should from 'should';
import { parsePrices } from '../../../src/balance/prices/prices';
import { dayRange } from '../../../src/calendar/periods';
import { minuteMs, hourMs, dayMs, millis } from '../../../src/time/units';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { findUnitStart } from '../../support/bills/calendar';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';

const begin = findUnitStart('month', Date.parse('2026-11-10T00:00:00Z'));

const meter: FakeMeter = {
  key: 'smartmeter-dsmr',
  channels: ['electric_energy_import', 'electric_energy_export'].map((key) => ({
    kind: 'counter',
    key,
    shows: (moment) => 100 + (moment - begin) / (10 * hourMs),
  })),
};

/** 2.4 kWh a day each way, from one moment to another. */
async function delivered(from: number, to: number, stepMs = hourMs): Promise<AddedDeliveries> {
  const added = new AddedDeliveries();
  for (let at = from; at <= to; at += stepMs) {
    await added.add(
      specifiedBody([meter], () => ['reading'], at),
      at,
    );
  }
  return added;
}

const fixedOnly = { currency: 'EUR', import: 0.25, per_year: -365, per_day: 2 };

describe('the cost of a time of which little is known', () => {
  it('has the fixed amounts of the days that are known, not of the whole year', async () => {
    const start = Date.parse('2026-11-24T13:00:00Z');
    const now = start + 30 * minuteMs;
    const added = await delivered(start, now, 15 * minuteMs);
    const { cost, missing } = await added.balance('2026', now, fixedOnly);
    const share = (now - findUnitStart('day', now)) / dayMs;
    should(cost?.fixed).be.approximately(share * (2 - 1), 1e-9);
    should(cost?.days).eql({ past: 328, known: 1, priced: 1 });
    should(cost?.total).be.approximately(share + 0.05 * 0.25, 1e-9);
    should(missing['cost.total']).equal('too_few_days');
    const { points = [] } = await added.balance('2026', now, fixedOnly);
    should(points.map(({ cost_fixed: fixed }) => fixed !== null)).eql([...Array<boolean>(10).fill(false), true]);
  });

  it('says how many days have a price, and that the others have none', async () => {
    const now = findUnitStart('month', begin, 1);
    const added = await delivered(begin, now);
    const value = (day: number) => ({
      start: findUnitStart('day', begin, day),
      end: findUnitStart('day', begin, day + 1),
      value: 0.3,
    });
    const list = [0, 1, 2, 3, 4, 5].map(value);
    const { cost, missing, complete } = await added.balance('2026-11', now, { currency: 'EUR', import: list });
    should(cost?.days).eql({ past: 30, known: 30, priced: 6 });
    should(cost?.total).be.approximately(6 * 2.4 * 0.3, 1e-9);
    should(missing['cost.total']).equal('no_price');
    // Nothing of the energy is missing.
    should(complete).equal(true);
  });

  it('says that prices by the hour need hours, where only days are known', async () => {
    const now = findUnitStart('month', begin, 1);
    const list = Array.from({ length: 30 * 24 }, (_, hour) => ({
      start: begin + hour * hourMs,
      value: hour % 2 === 0 ? 0.2 : 0.4,
    }));
    const hourly = { currency: 'EUR', import: list, export: 0.1 };
    // Of the last two days hours are known, of the others midnights alone.
    const added = await delivered(begin, now - 2 * dayMs, dayMs);
    for (let at = now - 2 * dayMs; at <= now; at += hourMs) {
      await added.add(
        specifiedBody([meter], () => ['reading'], at),
        at,
      );
    }
    const { cost, missing, complete } = await added.balance('2026-11', now, hourly);
    should(cost?.days).eql({ past: 30, known: 30, priced: 2 });
    should(missing['cost.total']).equal('hourly_price');
    // The total stays the sum of what is known: here it would be the export of a month beside the import of two days.
    should(cost?.total).be.approximately(2 * 2.4 * 0.3 - 30 * 2.4 * 0.1, 1e-9);
    should(complete).equal(true);
  });

  it('is the whole cost where 98 % of its days are known and have a price', async () => {
    const now = findUnitStart('month', begin, 1);
    const added = await delivered(begin, now);
    for (const label of ['2026-11', '2026-11-30']) {
      const { cost, missing } = await added.balance(label, now, fixedOnly);
      const past = label === '2026-11' ? 30 : 1;
      should(cost?.days).eql({ past, known: past, priced: past });
      should(cost?.fixed).be.approximately(past, 1e-9);
      should(missing).not.have.property('cost.total');
    }
    const late = await delivered(findUnitStart('day', begin, 1), now);
    should((await late.balance('2026-11', now, fixedOnly)).missing['cost.total']).equal('too_few_days');
  });

  it('is the whole cost after midnight, before the next delivery comes', async () => {
    const midnight = findUnitStart('day', begin, 9);
    const added = await delivered(begin, midnight);
    const daily = await delivered(begin, midnight, dayMs);
    for (const now of [midnight + 2 * minuteMs, midnight + 59 * minuteMs]) {
      for (const house of [added, daily]) {
        const { cost, missing } = await house.balance('2026-11', now, fixedOnly);
        should(cost?.days).eql({ past: 10, known: 9, priced: 9 });
        should(cost?.total).be.approximately(9 * (2.4 * 0.25 + 1), 1e-9);
        should(missing).not.have.property('cost.total');
      }
    }
    // A fifth of the day is more than 2 % of the time.
    const { missing } = await added.balance('2026-11', midnight + 5 * hourMs, fixedOnly);
    should(missing['cost.total']).equal('too_few_days');
    should((await added.balance('2026-11-10', midnight + 2 * minuteMs, fixedOnly)).missing['cost.total']).equal(
      'too_few_days',
    );
  });

  it('of a period that has not begun is nothing, and of one in which nothing is known unknown', async () => {
    const now = begin + dayMs;
    const added = await delivered(begin, now);
    const future = await added.balance('2026-12', now, fixedOnly);
    should(future.cost?.fixed).equal(0);
    should(future.missing).not.have.property('cost.total');
    const past = await added.balance('2026-10', now, fixedOnly);
    should(past.cost?.fixed).equal(null);
    should(past.cost?.total).equal(null);
    should(past.missing['cost.total']).equal('too_few_days');
  });
});

describe('a year that is known from a day on', () => {
  const now = findUnitStart('day', begin, 8) + 9 * hourMs;

  it('says from when, and one that is known from its start does not', async () => {
    const added = await delivered(begin + 10 * hourMs, now);
    // The hours of the first day are kept for three days.
    should((await added.balance('2026', now)).since).equal(findUnitStart('day', begin, 1));
    should((await added.balance('2026-11', now)).since).equal(findUnitStart('day', begin, 1));
    should((await added.balance('2026-11-03', now)).since).equal(undefined);
    should((await added.balance('2026-10', now)).since).equal(undefined);
  });

  it('has the bill of the days that are known from their start', async () => {
    const added = await delivered(begin + 10 * hourMs, now);
    const twelve = dayRange('Europe/Amsterdam', millis(findUnitStart('month', begin, -12)), millis(begin - 1), 400);
    const range = await added.known(twelve, now);
    should(range?.label).equal('2026-11-02/2026-11-08');
    if (range === null) throw new Error('There is no range.');
    const prices = parsePrices({ ...fixedOnly, export: 0 }, 'Europe/Amsterdam');
    const { bills, share } = await added.bill(range, now, { prices: [prices, prices], batteriesKwh: [] });
    should(share).equal(1);
    should(bills?.[0]?.total).be.approximately(7 * (2.4 * 0.25 + 1), 1e-9);
    // Twelve months that are known, and a house of today.
    const old = await delivered(findUnitStart('month', begin, -13), now, dayMs);
    should(await old.known(twelve, now)).equal(null);
    should(await (await delivered(now - hourMs, now)).known(twelve, now)).equal(null);
  });
});
