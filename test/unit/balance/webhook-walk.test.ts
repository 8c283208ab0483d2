/** The walk of a house owner whose monitor delivers by webhook, with exactly the topics that docs/webhooks.md names for the page. */
import should from 'should';
import { parsePrices } from '../../../src/balance/prices/prices';
import { dayRange } from '../../../src/calendar/periods';
import type { BalancePayload } from '../../../src/model/payload';
import { dayMs, hourMs, minuteMs, millis } from '../../../src/time/units';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { findUnitStart } from '../../support/bills/calendar';
import { everyTopic, type FakeChannel, type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';
import {
  counted,
  firstDelivery,
  flowed,
  kw,
  looks,
  meters,
  powerTopics,
  ticked,
} from '../../support/houses/walked-house';

/** Every field of a tile is a number, or has a reason. */
function holdTiles({ values, missing }: BalancePayload): void {
  Object.keys(values).length.should.be.above(3);
  for (const [field, value] of Object.entries(values)) {
    if (value === null) should(missing[field]).be.a.String().and.not.equal('');
  }
}

async function holdNow(added: AddedDeliveries, now: number): Promise<void> {
  const present = await added.now(now + 1000);
  holdTiles(present);
  should(present.values['power_house_w']).be.approximately(
    1000 * (kw.import(now - 1) - kw.export(now - 1) + kw.sun(now - 1) - kw.ownUse(now - 1)),
    1e-6,
  );
}

/** @param later ms since the last delivery */
async function holdPeriods(added: AddedDeliveries, now: number, later: number): Promise<void> {
  for (const [unit, shift, length] of [
    ['day', 0, 10],
    ['day', -1, 10],
    ['month', 0, 7],
    ['month', -1, 7],
    ['year', 0, 4],
    ['year', -1, 4],
  ] as const) {
    const [from, end] = [findUnitStart(unit, now, shift), findUnitStart(unit, now, shift + 1)];
    const to = Math.min(now, end);
    const label = new Date(from + dayMs / 2).toISOString().slice(0, length);
    const balance = await added.balance(label, now + later);
    holdTiles(balance);
    const { values, coverage, complete } = balance;
    const production = flowed('sun', from, to) - flowed('ownUse', from, to);
    for (const [field, wanted] of [
      ['energy_import_kwh', flowed('import', from, to)],
      ['energy_export_kwh', flowed('export', from, to)],
      ['energy_production_kwh', production],
      ['energy_house_kwh', flowed('import', from, to) - flowed('export', from, to) + production],
      ['gas_m3', flowed('gas', from, to)],
      ['water_m3', flowed('water', from, to)],
    ] as const) {
      should(values[field]).be.approximately(wanted, 1e-3, `${field} of ${label} at ${new Date(now).toISOString()}`);
    }
    should(coverage['energy_house_kwh']).equal(1);
    if (later < minuteMs) should(complete).equal(true);
  }
}

const onlyReadings = (): readonly string[] => ['reading'];
const onlySums = (meter: string, channel: string): readonly string[] =>
  ticked(meter, channel).filter((topic) => topic !== 'reading');

/** The counters of the smart meter begin at 0 at this moment. */
function withExchange(exchange: number): FakeMeter[] {
  return meters.map(({ key, channels }) => ({
    key,
    channels: channels.map((channel): FakeChannel => {
      if (key !== 'smartmeter-dsmr' || channel.kind === 'average') return channel;
      const { shows } = channel;
      return { ...channel, shows: (at) => (at < exchange ? shows(at) : shows(at) - shows(exchange)) };
    }),
  }));
}

describe('the walk with a webhook', function () {
  this.timeout(60_000);

  it('has every topic of the table in docs/webhooks.md on the monitor', () => {
    should(powerTopics).eql(['realtime']);
    counted.length.should.be.aboveOrEqual(7);
    for (const topic of [...powerTopics, ...counted]) everyTopic.should.containEql(topic);
  });

  it('has every view right after ten minutes, at 07:10, after a week, after a restart and after a month', async () => {
    const added = new AddedDeliveries();
    for (let at = firstDelivery; at <= looks.month; at += 5 * minuteMs) {
      await added.add(specifiedBody(meters, ticked, at), at);
      if (!Object.values(looks).includes(at)) continue;
      if (at === looks.week) {
        added.restart();
        // What is of this moment comes with the next delivery.
        holdTiles(await added.balance('2026-11', at + 1000));
        await added.add(specifiedBody(meters, ticked, at), at);
      }
      await holdNow(added, at);
      // The next delivery comes after five minutes.
      for (const later of [1000, 90_000, 290_000]) await holdPeriods(added, at, later);
    }
    const now = looks.week;
    const twelve = dayRange(
      'Europe/Amsterdam',
      millis(findUnitStart('month', now, -12)),
      millis(findUnitStart('month', now) - 1),
      400,
    );
    const range = await added.known(twelve, looks.month);
    should(range?.label).equal('2026-11-23/2026-12-24');
    if (range === null) throw new Error('There is no range.');
    const prices = parsePrices({ currency: 'EUR', import: 0.3, export: 0.1, per_day: 1 }, 'Europe/Amsterdam');
    const { bills, share } = await added.bill(range, looks.month, { prices: [prices, prices], batteriesKwh: [] });
    should(share).equal(1);
    const [from, to] = [findUnitStart('day', firstDelivery, -1), findUnitStart('day', looks.month)];
    const energy = 0.3 * flowed('import', from, to) - 0.1 * flowed('export', from, to);
    should(bills?.[0]?.total).be.approximately(energy + 32, 0.01);
  });

  it('has the gas of each hour that was read at both ends, also of the last two hours', async () => {
    const day = findUnitStart('day', firstDelivery, 1);
    /** More in each hour than in the one before. */
    const shows = (at: number): number => {
      const hours = Math.floor((at - day) / hourMs);
      return 500 + (hours * (hours - 1)) / 200 + (hours / 100) * (((at - day) % hourMs) / hourMs);
    };
    const added = new AddedDeliveries();
    const gas: FakeMeter = { key: 'gas', channels: [{ kind: 'counter', key: 'volume', shows }] };
    const hoursUntil = async (moment: number) => {
      const { points = [], estimated } = await added.balance('2026-11-25', moment);
      should(estimated).eql([]);
      points.forEach(({ gas_m3: volume }, hour) => {
        const [from, to] = [day + hour * hourMs, Math.min(moment, day + (hour + 1) * hourMs)];
        should(volume).be.approximately(shows(to) - shows(from), 0.002, `${points.length} hours, hour ${hour}`);
      });
      return points.length;
    };
    for (let at = day; at <= day + dayMs; at += 15 * minuteMs) {
      await added.add(specifiedBody([gas], onlyReadings, at), at);
      if (at === day + 12.25 * hourMs) should(await hoursUntil(at + 1000)).equal(13);
    }
    should(await hoursUntil(day + dayMs + 1000)).equal(24);
  });

  for (const sums of ['go on', 'begin again'] as const) {
    it(`keeps the day of an exchanged smart meter when its quarters are gone, where the sums of the monitor ${sums}`, async () => {
      const [start, end] = [findUnitStart('day', firstDelivery, 1), findUnitStart('day', firstDelivery, 2)];
      const exchange = start + (13 * 60 + 20) * minuteMs;
      const added = new AddedDeliveries();
      const found: BalancePayload[] = [];
      for (let at = firstDelivery; at <= end + 4 * dayMs; at += 15 * minuteMs) {
        if (sums === 'go on') await added.add(specifiedBody(meters, onlySums, at), at);
        const topics = sums === 'go on' ? onlyReadings : ticked;
        await added.add(specifiedBody(withExchange(exchange), topics, at), at);
        if (at > end && at % dayMs === 7 * 60 * minuteMs) found.push(await added.balance('2026-11-25', at + 1000));
      }
      const [fresh, ...later] = found;
      later.length.should.equal(3);
      const house =
        flowed('import', start, end) -
        flowed('export', start, end) +
        flowed('sun', start, end) -
        flowed('ownUse', start, end);
      if (sums === 'go on') should(fresh?.values['energy_house_kwh']).be.approximately(house, 1e-3);
      // The hour of the exchange is not known.
      else should(fresh?.coverage['energy_house_kwh']).be.approximately(23 / 24, 1e-9);
      for (const { values, coverage, missing } of later)
        should({ values, coverage, missing }).eql({
          values: fresh?.values,
          coverage: fresh?.coverage,
          missing: fresh?.missing,
        });
    });
  }
});
