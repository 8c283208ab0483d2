/** What a monitor has added up itself: it is known with the first delivery. */
import should from 'should';
import { AddedDeliveries } from '../../support/houses/added-deliveries';
import { findUnitStart } from '../../support/bills/calendar';
import { type FakeMeter, specifiedBody } from '../../support/houses/specified-webhook';
import { minuteMs, hourMs, dayMs } from '../../../src/time/units';

const first = Date.parse('2026-11-24T13:15:00Z');
const began = Date.parse('2024-02-03T10:00:00Z');

/** kWh of a counter that grows by so much in an hour, and by half of it before noon. */
function shows(perHour: number): (moment: number) => number {
  return (moment) => {
    const [days, rest] = [Math.floor((moment - began) / dayMs), (moment - began) % dayMs];
    const morning = Math.min(rest, 12 * hourMs) / 2;
    return 50 + (perHour * (days * 18 * hourMs + morning + Math.max(0, rest - 12 * hourMs))) / hourMs;
  };
}

const counter = (key: string, perHour: number): FakeMeter['channels'][number] => ({
  kind: 'counter',
  key,
  shows: shows(perHour),
});

const meters: readonly FakeMeter[] = [
  {
    key: 'smartmeter-dsmr',
    channels: [counter('electric_energy_import', 0.4), counter('electric_energy_export', 0.3)],
  },
  { key: 'zon', channels: [counter('electric_energy_export', 0.7), counter('electric_energy_import', 0.01)] },
  { key: 'water', channels: [counter('volume', 0.02)] },
];

const sums = ['this/day', 'this/month', 'this/year'];
const past = ['last/day', 'last/month', 'last/year'];
const everything = ['reading', 'last/15minutes', ...sums, ...past];

const flowed = (perHour: number, from: number, to: number): number => shows(perHour)(to) - shows(perHour)(from);

const periods = (now: number) =>
  [
    ['2026-11-24', 'day', 0],
    ['2026-11-23', 'day', -1],
    ['2026-11', 'month', 0],
    ['2026-10', 'month', -1],
    ['2026', 'year', 0],
    ['2025', 'year', -1],
  ].map(([label, unit, shift]) => {
    const of = unit === 'day' || unit === 'month' ? unit : 'year';
    const from = findUnitStart(of, first, Number(shift));
    return { label: String(label), from, to: Math.min(now, findUnitStart(of, first, Number(shift) + 1)) };
  });

const deliver = async (added: AddedDeliveries, at: number, topics: readonly string[], since?: number): Promise<void> =>
  added.add(
    specifiedBody(meters, () => topics, at, since),
    at,
  );

describe('delivered sums', () => {
  it('give this and the last day, month and year with the first delivery', async () => {
    const added = new AddedDeliveries();
    await deliver(added, first, [...sums, ...past, 'reading']);
    for (const { label, from, to } of periods(first)) {
      const { values, method, coverage, complete, missing, points = [] } = await added.balance(label, first);
      const of = (perHour: number): number => flowed(perHour, from, to);
      should(values['energy_import_kwh']).be.approximately(of(0.4), 1e-5, label);
      should(values['energy_export_kwh']).be.approximately(of(0.3), 1e-5);
      should(values['energy_production_kwh']).be.approximately(of(0.69), 1e-5);
      should(values['energy_house_kwh']).be.approximately(of(0.4 - 0.3 + 0.69), 1e-4);
      should(values['water_m3']).be.approximately(of(0.02), 1e-5);
      should(method['energy_import_kwh']).equal('delivered');
      should(coverage['energy_house_kwh']).equal(1);
      should(complete).equal(true);
      should(missing).eql({ points: 'not_measured' });
      // November and the year so far: its last part is this month or day. Of others nothing is known.
      const known = points.filter((point) => point['energy_import_kwh'] !== null).length;
      should(known).equal({ '2026-11': 2, '2026-10': 0, '2026': 2, '2025': 0 }[label] ?? 0);
    }
  });

  it('stay right as readings and amounts come in, with one method for the period', async () => {
    const added = new AddedDeliveries();
    const end = first + 26 * hourMs;
    for (let at = first; at <= end; at += 15 * minuteMs) {
      // Some deliveries are lost, and Node-RED is restarted.
      if (at % (7 * hourMs) < 20 * minuteMs && at > first) continue;
      if (at === first + 5 * hourMs) added.restart();
      await deliver(added, at, everything);
      for (const { label, from, to } of periods(at)) {
        if (label === '2026-11-23' || at % (3 * hourMs) !== 0) continue;
        const { values, method, coverage, complete } = await added.balance(label, at);
        should(values['energy_import_kwh']).be.approximately(flowed(0.4, from, to), 1e-4, `${label} at ${at}`);
        should(values['energy_production_kwh']).be.approximately(flowed(0.69, from, to), 1e-4);
        should(method['energy_import_kwh']).equal('delivered');
        should(coverage['energy_import_kwh']).equal(1);
        should(complete).equal(true);
      }
    }
    const { values, points = [] } = await added.balance('2026-11-24', end);
    const known = points.filter((point) => point['energy_import_kwh'] !== null);
    should(known.length).be.within(8, 11);
    known.forEach(({ ts, energy_import_kwh: hour }) => {
      should(hour).be.approximately(flowed(0.4, ts, ts + hourMs), 1e-5);
    });
    should(values['energy_import_kwh']).be.approximately(
      flowed(0.4, findUnitStart('day', first), findUnitStart('day', first, 1)),
      1e-5,
    );
  });

  it('are of the day that holds their own time, and none in its first minute', async () => {
    const added = new AddedDeliveries();
    const midnight = findUnitStart('day', first, 1);
    await deliver(added, midnight - 15 * minuteMs, [...everything]);
    const early = specifiedBody(meters, () => sums, midnight - minuteMs);
    await added.add({ ...early, time: midnight / 1000 }, midnight);
    const at = midnight + 30 * minuteMs;
    const day = await added.balance('2026-11-24', at);
    should(day.values['energy_import_kwh']).be.approximately(
      flowed(0.4, findUnitStart('day', first), midnight - minuteMs),
      1e-5,
    );
    should(day.coverage['energy_import_kwh']).be.approximately(1439 / 1440, 1e-9);
    should((await added.balance('2026-11-25', at)).values['energy_import_kwh']).equal(null);
  });

  it('are not used where a day has more than its month', async () => {
    const added = new AddedDeliveries();
    const wrong = (value: number) => ({ 'this/day': { time: first / 1000, value } });
    const longer = { 'this/month': { time: first / 1000, value: 3 }, 'this/year': { time: first / 1000, value: 90 } };
    const body = (day: number): object => ({
      format: 'basic-v1',
      cemm: 1,
      time: first / 1000,
      data: { p1: { electric_energy_import_t1: wrong(0), electric_energy_import: { ...wrong(day), ...longer } } },
    });
    await added.add(body(4), first);
    should((await added.balance('2026', first)).values['energy_import_kwh']).equal(null);
    await added.add(body(2), first);
    should((await added.balance('2026', first)).values['energy_import_kwh']).equal(90);
  });

  it('of a new monitor begin when it began to count, also later', async () => {
    const added = new AddedDeliveries();
    const since = findUnitStart('day', first, 0);
    await deliver(added, first, everything, since);
    const later = findUnitStart('month', first, 1) + 40 * hourMs;
    await deliver(added, later, everything, since);
    for (const [label, at] of [
      ['2026-11', first],
      ['2026', first],
      ['2026', later],
    ] as const) {
      const { values, coverage, complete } = await added.balance(label, at);
      should(values['energy_import_kwh']).be.approximately(flowed(0.4, since, at), 1e-4);
      const start = findUnitStart(label === '2026' ? 'year' : 'month', first);
      should(coverage['energy_import_kwh']).be.approximately((at - since) / (at - start), 1e-9);
      should(complete).equal(false);
    }
  });

  it('of a monitor that was installed before the first delivery are left out: its months and days are known, not since when it counts', async () => {
    const prices = { currency: 'EUR', import: 0.25, per_day: 1 };
    const installed = Date.parse('2026-09-20T09:00:00Z');
    const october = findUnitStart('month', first, -1);
    const added = new AddedDeliveries();
    await deliver(added, first, everything, installed);
    const year = await added.balance('2026', first, prices);
    should(year.values['energy_import_kwh']).be.approximately(flowed(0.4, october, first), 1e-4);
    should(year.since).equal(october);
    should(year.complete).equal(false);
    should(year.cost?.fixed).be.approximately((first - october) / dayMs, 0.05);
    should((await added.balance('2026-11', first, prices)).coverage['energy_import_kwh']).equal(1);

    // In the next year its sum of last year is known, and still not of which time it is.
    const later = findUnitStart('year', first, 1) + 30 * hourMs;
    await deliver(added, later, everything, installed);
    const last = await added.balance('2026', later, prices);
    should(last.values['energy_import_kwh']).be.within(
      flowed(0.4, october, first),
      flowed(0.4, october, findUnitStart('year', first, 1)) + 1e-4,
    );
    should(last.complete).equal(false);
  });

  it('of last month are left out where a monitor was installed in it, also in January', async () => {
    for (const at of [first, findUnitStart('year', first, 1) + 20 * dayMs]) {
      const month = findUnitStart('month', at, -1);
      const added = new AddedDeliveries();
      await deliver(added, at, everything, month + 9 * dayMs);
      const thisMonth = findUnitStart('month', at);
      const [label, now] = [month + dayMs, at].map((moment) => new Date(moment).toISOString().slice(0, 7));
      const year = await added.balance(String(label).slice(0, 4), at);
      should((await added.balance(String(label), at)).values['energy_import_kwh']).equal(null, label);
      if (now === '2026-11') {
        should(year.values['energy_import_kwh']).be.approximately(flowed(0.4, thisMonth, at), 1e-4);
        should(year.since).equal(thisMonth);
      } else should(year.values['energy_import_kwh']).equal(null);

      // Installed one month earlier, last month is whole.
      const older = new AddedDeliveries();
      await deliver(older, at, everything, month - 9 * dayMs);
      should((await older.balance(String(label), at)).values['energy_import_kwh']).be.approximately(
        flowed(0.4, month, thisMonth),
        1e-4,
      );
    }
  });

  it('of the month in which a monitor was installed are those of its known days', async () => {
    const installed = Date.parse('2026-11-10T09:00:00Z');
    const yesterday = findUnitStart('day', first, -1);
    for (const order of [
      [first, first + dayMs],
      [first + dayMs, first],
    ]) {
      const added = new AddedDeliveries();
      for (const at of order) await deliver(added, at, [...sums, ...past], installed);
      for (const label of ['2026-11', '2026']) {
        const { values, since } = await added.balance(label, first + dayMs);
        should(values['energy_import_kwh']).be.approximately(flowed(0.4, yesterday, first + dayMs), 1e-4, label);
        should(since).equal(yesterday, label);
      }
    }
  });

  it('are of the whole year for a counter that has nothing to count, where another one of its meter has counted before', async () => {
    const added = new AddedDeliveries();
    const [grid, roof] = ['smartmeter-dsmr', 'zon'];
    // A house that exports nothing, and an inverter that takes nothing at night.
    const silent: readonly FakeMeter[] = [
      { key: grid, channels: [counter('electric_energy_import', 0.4), counter('electric_energy_export', 0)] },
      { key: roof, channels: [counter('electric_energy_export', 0.7), counter('electric_energy_import', 0)] },
    ];
    await added.add(
      specifiedBody(silent, () => sums, first),
      first,
    );
    for (const { label, from, to } of periods(first).filter(({ label: one }) => ['2026-11', '2026'].includes(one))) {
      const { values, coverage, complete } = await added.balance(label, first);
      should(values['energy_export_kwh']).equal(0, label);
      should(values['energy_production_kwh']).be.approximately(flowed(0.7, from, to), 1e-5, label);
      should(values['energy_house_kwh']).be.approximately(flowed(1.1, from, to), 1e-4, label);
      should([coverage['energy_house_kwh'], complete]).deepEqual([1, true], label);
    }
  });

  it('of a day show none of its hours of which only a quarter is known', async () => {
    const added = new AddedDeliveries();
    const midnight = findUnitStart('day', first);
    const last = midnight + 14 * hourMs;
    for (let at = midnight + hourMs; at <= last; at += hourMs) {
      await deliver(added, at, ['this/day', 'last/15minutes']);
    }
    const { values, points = [], missing, coverage } = await added.balance('2026-11-24', last);
    should(values['energy_import_kwh']).be.approximately(flowed(0.4, midnight, last), 1e-5);
    should(coverage['energy_import_kwh']).equal(1);
    should(points.map((point) => point['energy_import_kwh'])).eql(Array.from({ length: 14 }, () => null));
    should(missing['points']).equal('not_measured');
  });

  it('of a month are no part of the amount of one of its days', async () => {
    const added = new AddedDeliveries();
    await deliver(added, first, ['this/month', 'this/year', 'last/month']);
    for (const label of ['2026-11-24', '2026-11-01', '2026-10-31']) {
      should((await added.balance(label, first)).values['energy_import_kwh']).equal(null);
    }
    // Half an hour into the second day, its month is known until then.
    const second = findUnitStart('month', first, 1) + dayMs + 30 * minuteMs;
    await deliver(added, second, ['this/month']);
    should((await added.balance('2026-12-01', second)).values['energy_import_kwh']).equal(null);
  });

  it('have no cost for points of which nothing is known', async () => {
    const added = new AddedDeliveries();
    await deliver(added, first, [...sums, 'reading']);
    const { cost, points = [] } = await added.balance('2026-11', first, { currency: 'EUR', import: 0.25 });
    should(cost?.import).be.approximately(0.25 * flowed(0.4, findUnitStart('month', first), first), 1e-5);
    const known = points.map(({ cost_import: ofDay }) => ofDay !== null);
    should(known).eql(points.map(({ energy_import_kwh: amount }) => amount !== null));
  });

  it('are whole, at whichever second of a minute they were sent', async () => {
    for (const second of [0, 10, 29, 30, 39, 59]) {
      const at = first + second * 1000;
      const time = at / 1000;
      const added = new AddedDeliveries();
      const values = { 'this/day': { time, value: 2.5 } };
      const hoofdmeter = { electric_energy_import: values, electric_energy_export: values };
      await added.add({ format: 'basic-v1', cemm: 24_000_293, time, data: { hoofdmeter } }, at);
      for (const label of ['2026-11-24', '2026-11', '2026']) {
        const balance = await added.balance(label, at + 1200);
        should(balance.values['energy_import_kwh']).equal(2.5, `${label}, second ${second}`);
      }
    }
  });
});
