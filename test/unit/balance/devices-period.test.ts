/** The devices of a day, month or year (src/balance/period/devices.ts). */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import { hourMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, prices, reading } from '../../support/balance/small-house';

const testDay = '2026-06-15';
const { start, end } = period(testDay);

/** A power in W by hour, as minutes. */
const byHour = (of: (hour: number) => number | null) =>
  minutesFrom(
    start,
    Array.from({ length: 1440 }, (_, minute) => of(Math.floor(minute / 60))),
  );
const constant = (watts: number) => byHour(() => watts);
const grid = (taken: (hour: number) => number, given: (hour: number) => number = () => 0): BalanceMeter =>
  meter('p1', 'grid', { shapes: { import: byHour(taken), export: byHour(given) } });
const device = (name: string, watts: (hour: number) => number | null, more: Partial<BalanceMeter> = {}): BalanceMeter =>
  meter(name, 'consumption', { shapes: { used: byHour(watts), returned: constant(0) }, ...more });

describe('the devices of a period', () => {
  it('have their energy, and the house has the rest', () => {
    const house = [grid(() => 1000), device('mb2', () => 400, { title: 'Heat pump' }), device('mb3', () => 100)];
    const { devices, values, points = [], coverage, complete, meters } = balance(testDay, house);
    should(devices).deepEqual([
      { meter: 'mb2', name: 'Heat pump', energy_kwh: 9.6, coverage: 1 },
      { meter: 'mb3', name: 'mb3', energy_kwh: 2.4, coverage: 1 },
    ]);
    should(values['energy_other_kwh']).equal(12);
    should(coverage['energy_other_kwh']).equal(1);
    should(points[5]?.devices).deepEqual({ mb2: 0.4, mb3: 0.1 });
    should(points[5]?.['energy_other_kwh']).equal(0.5);
    should(complete).be.true();
    should(meters.grid).deepEqual(['p1']);
  });

  it('count by their registers where they have some', () => {
    const readings = [reading('used', start - 5000, 500), reading('used', end - 5000, 510)];
    const { devices, values } = balance(testDay, [grid(() => 1000), device('mb2', () => 400, { readings })]);
    should(devices?.[0]?.energy_kwh).equal(10);
    should(values['energy_other_kwh']).equal(14);
  });

  it('behind another one are no part of the rest', () => {
    const outer = device('mb2', () => 400);
    const inner = device('mb4', () => 100, { within: 'mb2' });
    const { devices, values } = balance(testDay, [grid(() => 1000), inner, outer]);
    should(devices?.map(({ meter: name, within }) => [name, within])).deepEqual([
      ['mb4', 'mb2'],
      ['mb2', undefined],
    ]);
    should(values['energy_other_kwh']).equal(24 - 9.6);
  });

  it('leave a rest over the time in which house and devices are known', () => {
    const away = device('mb2', (hour) => (hour < 12 ? 400 : null));
    const { devices, values, coverage, points = [] } = balance(testDay, [grid(() => 1000), away]);
    should(devices?.[0]).containEql({ energy_kwh: 4.8, coverage: 0.5 });
    should(values['energy_other_kwh']).equal(7.2);
    should(coverage['energy_other_kwh']).equal(0.5);
    should(points[20]?.devices).deepEqual({ mb2: null });
    should(points[20]?.['energy_other_kwh']).equal(null);
  });

  it('change no number of the house, and leave it complete', () => {
    const alone = balance(testDay, [grid(() => 1000)]);
    const strange: BalanceMeter[] = [
      device('mb2', () => null),
      device('mb2', () => 5000),
      meter('mb2', 'consumption', { isReadable: false }),
      meter('mb2', 'consumption', { shapes: { used: constant(0), returned: constant(2000) } }),
    ];
    for (const one of strange) {
      const {
        devices,
        values,
        coverage,
        method,
        missing,
        points = [],
        ...others
      } = balance(testDay, [grid(() => 1000), one]);
      should(devices?.length).equal(1);
      should(values['energy_other_kwh']).equal(null);
      should(missing['energy_other_kwh']).be.a.String();
      const without = <Value>(record: Readonly<Record<string, Value>>) =>
        Object.fromEntries(Object.entries(record).filter(([name]) => name !== 'energy_other_kwh'));
      const { values: house, coverage: all, method: ways, missing: none, points: hours = [], ...rest } = alone;
      without(values).should.deepEqual(house);
      without(coverage).should.deepEqual(all);
      without(method).should.deepEqual(ways);
      without(missing).should.deepEqual(none);
      points
        .map(({ devices: used, energy_other_kwh, ...point }) => [point, used !== undefined, energy_other_kwh])
        .should.deepEqual(hours.map((point) => [point, true, null]));
      others.should.deepEqual(rest);
    }
  });

  it('that give more than 0.05 kWh are in the wrong role', () => {
    const gives = (kwh: number) =>
      meter('mb2', 'consumption', {
        shapes: { used: constant(100), returned: byHour((hour) => (hour === 12 ? kwh * 1000 : 0)) },
      });
    const { devices, missing, points = [] } = balance(testDay, [grid(() => 1000), gives(0.06)]);
    should(devices?.[0]).containEql({ energy_kwh: null, missing: { energy_kwh: 'inconsistent' } });
    should(missing['energy_other_kwh']).equal('inconsistent');
    should(points.map((point) => point.devices?.['mb2']).filter((kwh) => kwh === null).length).equal(1);
    should(balance(testDay, [grid(() => 1000), gives(0.05)]).devices?.[0]?.energy_kwh).equal(2.4);
  });

  it('count the other way round where the row says so', () => {
    const turned = meter('mb2', 'consumption', {
      isReversed: true,
      shapes: { used: constant(0), returned: constant(400) },
      readings: [reading('returned', start - 5000, 500), reading('returned', end - 5000, 509)],
    });
    should(balance(testDay, [grid(() => 1000), turned]).devices?.[0]?.energy_kwh).equal(9);
  });

  it('leave no rest below −1 % and −0.1 kWh', () => {
    const rest = (watts: number) => balance(testDay, [grid(() => 1000), device('mb2', () => watts)]);
    should(rest(1005).values['energy_other_kwh']).be.approximately(-0.12, 1e-9);
    should(rest(1150).missing['energy_other_kwh']).equal('inconsistent');
  });

  it('have no rest in a house whose use is not known', () => {
    const unknown = balance(testDay, [grid(() => 1000), device('mb2', () => 400)], { unknownMeters: ['roof'] });
    should(unknown.missing).containEql({ energy_other_kwh: 'unknown_meter' });
    should(unknown.devices?.[0]?.energy_kwh).equal(9.6);
    const gridless = balance(testDay, [meter('gas', 'gas'), device('mb2', () => 400)]);
    should(gridless.values).not.have.property('energy_other_kwh');
  });
});

describe('the share of the sun and the cost of a device', () => {
  const roof = (watts: (hour: number) => number): BalanceMeter =>
    meter('s01', 'production', { shapes: { production: byHour(watts) } });
  const priced = prices({ currency: 'EUR', import: 0.3, export: 0.1, export_fee: 0.02, per_day: 5 });
  const only = (hour: number, watts: number) => (one: number) => (one === hour ? watts : 0);

  it('are those of the example of the documentation', () => {
    // At noon the house uses 2 kWh, of which 1.5 kWh are sun; at 20:00 it uses 3 kWh from the grid.
    const house = [
      grid((hour) => (hour === 12 ? 500 : hour === 20 ? 3000 : 0)),
      roof(only(12, 1500)),
      device('mb2', (hour) => (hour === 12 ? 1000 : hour === 20 ? 2000 : 0)),
    ];
    const [one] = balance(testDay, house, { prices: priced }).devices ?? [];
    should(one?.energy_kwh).equal(3);
    should(one?.from_sun).be.approximately(0.75 / 3, 1e-9);
    should(one?.cost).be.approximately(0.25 * 0.3 + 0.75 * 0.08 + 2 * 0.3, 1e-9);
  });

  it('take what a battery gave at the price of export', () => {
    const battery = meter('mb6', 'battery', { shapes: { charged: constant(0), discharged: byHour(only(20, 1000)) } });
    const house = [grid(only(20, 1000)), battery, device('mb2', only(20, 500))];
    const [one] = balance(testDay, house, { prices: priced }).devices ?? [];
    should(one?.cost).be.approximately(0.25 * 0.3 + 0.25 * 0.08, 1e-9);
    should(one).not.have.property('from_sun');
  });

  it('need no price of export in a house without sun, and have one with it', () => {
    const withoutExport = prices({ currency: 'EUR', import: 0.3 });
    const [bought] =
      balance(testDay, [grid(() => 1000), device('mb2', () => 500)], { prices: withoutExport }).devices ?? [];
    should(bought?.cost).be.approximately(12 * 0.3, 1e-9);
    const sunny = [grid(() => 0), roof(() => 1000), device('mb2', () => 500)];
    const [own] = balance(testDay, sunny, { prices: withoutExport }).devices ?? [];
    should(own).containEql({ cost: null, from_sun: 1, missing: { cost: 'no_price' } });
  });

  it('are null below 98 % of the energy', () => {
    const gap = (hours: number): BalanceMeter =>
      meter('p1', 'grid', {
        shapes: {
          import: byHour((hour) => (hour < hours ? null : 1000)),
          export: byHour((hour) => (hour < hours ? null : 0)),
        },
        readings: [
          ...[reading('import', start - 5000, 100), reading('import', end - 5000, 124)],
          ...[reading('export', start - 5000, 100), reading('export', end - 5000, 100)],
        ],
      });
    const house = (hours: number) => [gap(hours), device('mb2', () => 500)];
    const [known] = balance(testDay, house(0), { prices: priced }).devices ?? [];
    should(known?.cost).be.approximately(12 * 0.3, 1e-9);
    const [one] = balance(testDay, house(1), { prices: priced }).devices ?? [];
    should(one).containEql({ energy_kwh: 12, cost: null, missing: { cost: 'not_by_hour' } });
  });

  it('use the price of each hour, and of the moment within an hour', () => {
    const list = [
      { start: start, end: start + 20.5 * hourMs, value: 0.2 },
      { start: start + 20.5 * hourMs, end: end, value: 0.4 },
    ];
    const house = [grid(only(20, 1000)), device('mb2', only(20, 500))];
    const [one] = balance(testDay, house, { prices: prices({ currency: 'EUR', import: list }) }).devices ?? [];
    should(one?.cost).be.approximately(0.5 * 0.3, 1e-9);
    const late = [{ start: start + 21 * hourMs, value: 0.4 }];
    const [none] = balance(testDay, house, { prices: prices({ currency: 'EUR', import: late }) }).devices ?? [];
    should(none?.missing).deepEqual({ cost: 'no_price' });
  });

  it('have no cost by tariff without counters of each hour', () => {
    const byTariff = prices({ currency: 'EUR', import: { t1: 0.2, t2: 0.4 } });
    const minutes = balance(testDay, [grid(() => 1000), device('mb2', () => 500)], { prices: byTariff });
    should(minutes.devices?.[0]?.missing).deepEqual({ cost: 'not_by_tariff' });
    const hours = Array.from({ length: 25 }, (_, hour) => hour);
    const counters = hours.flatMap((hour) => {
      const [ts, low] = [start + hour * hourMs, Math.min(hour, 8)];
      return [
        reading('import', ts, 100 + hour),
        reading('import_t1', ts, 50 + low),
        reading('import_t2', ts, 50 + hour - low),
        reading('export', ts, 7),
        reading('export_t1', ts, 3),
        reading('export_t2', ts, 4),
      ];
    });
    const house = [meter('p1', 'grid', { readings: counters }), device('mb2', () => 500)];
    const { devices } = balance(testDay, house, { prices: byTariff, slots: 'delivered' });
    should(devices?.[0]?.cost).be.approximately(0.5 * (8 * 0.2 + 16 * 0.4), 1e-9);
  });

  it('are null for a device whose energy is not known, and in a month without minutes', () => {
    const [wrong] =
      balance(testDay, [grid(() => 1000), meter('mb2', 'consumption', { isReadable: false })], { prices: priced })
        .devices ?? [];
    should(wrong?.missing).deepEqual({ energy_kwh: 'not_readable', cost: 'not_readable' });
    const days = Array.from({ length: 31 }, (_, day) => period('2026-06').start + day * 24 * hourMs);
    const counted = (counter: 'import' | 'export' | 'used', each: number) =>
      days.map((ts, day) => reading(counter, ts, 100 + day * each));
    const house = [
      meter('p1', 'grid', { readings: [...counted('import', 10), ...counted('export', 0)] }),
      meter('mb2', 'consumption', { readings: counted('used', 4) }),
    ];
    const { devices, values } = balance('2026-06', house, { prices: priced });
    should(devices).deepEqual([
      { meter: 'mb2', name: 'mb2', energy_kwh: 120, coverage: 1, cost: null, missing: { cost: 'not_by_hour' } },
    ]);
    should(values['energy_other_kwh']).equal(180);
  });
});
