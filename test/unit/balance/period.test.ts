/** A day, month or year of the house from counters and minutes (src/balance/period/period-balance.ts). */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import { toShape } from '../../../src/balance/meters/shape';
import { volumesOf } from '../../../src/balance/meters/slots';
import { hourMs } from '../../../src/time/units';
import { at, balance, meter, minutesFrom, period, prices, reading, series } from '../../support/balance/small-house';

const testDay = '2026-06-15';
const { start, end } = period(testDay);

/** A constant power in W for a number of minutes. */
const constant = (watts: number, minutes = 1440) => Array.from({ length: minutes }, () => watts);

const atBorders = (counter: 'import' | 'export' | 'production', before: number, after: number) => [
  reading(counter, start - 5000, before),
  reading(counter, end - 5000, after),
];

describe('the balance of a period', () => {
  const grid = meter('p1', 'grid', {
    readings: [...atBorders('import', 1000, 1006.5), ...atBorders('export', 500, 504.25)],
    shapes: { import: minutesFrom(start, constant(250)), export: minutesFrom(start, constant(150)) },
  });
  const roof = meter('s01', 'production', {
    readings: atBorders('production', 300, 310),
    shapes: { production: minutesFrom(start, constant(400)) },
  });

  it("uses the monitor's own gas sum of a month, and ignores counters for a part of it", () => {
    const { start: first, end: last } = period('2026-06');
    const shapes = { gas: toShape([{ start: first, end: last, amount: 12e9, known: last - first }]) };
    const readings = [10, 14].map((day) => reading('gas', first + day * 24 * hourMs, 100 + day));
    const { values, coverage } = balance('2026-06', [meter('gas', 'gas', { readings, shapes })], { step: 'P1D' });
    should(values['gas_m3']).equal(12);
    should(coverage['gas_m3']).equal(1);
  });

  it('limits the gas of the current month to its last reading', () => {
    const { start: first } = period('2026-06');
    const day = 24 * hourMs;
    const now = first + day + 12 * hourMs;
    const days = [
      { ts: first, gas_m3: 4 },
      { ts: first + day, gas_m3: 1.5 },
    ];
    const shapes = volumesOf(series('2026-06', 'P1D', days, now), 'gas');
    const share = (hours: number | null) => {
      const readings = hours === null ? [] : [reading('gas', now - hours * hourMs, 100)];
      const gas = meter('p1-gas', 'gas', { readings, shapes });
      const { values, coverage, complete } = balance('2026-06', [gas], { step: 'P1D', now });
      should(values['gas_m3']).equal(5.5);
      should(complete).equal(hours === 0.5);
      return coverage['gas_m3'];
    };
    should(share(0.5)).equal(1);
    should(share(2)).equal(34 / 36);
    // The cable was unplugged on the day before, or the age of the amounts is unknown.
    should(share(18)).be.below(19 / 36);
    should(share(null)).be.below(25 / 36);
  });

  it('has no ratio to a production of 0 or less, even if a part measured besides the grid is above 0', () => {
    const hours = (watts: number, from: number, to: number) =>
      minutesFrom(start + from * hourMs, constant(watts, (to - from) * 60));
    const sun = toShape(
      [0, 1, 2, 3].map((hour) => {
        const from = start + hour * hourMs;
        return { start: from, end: from + hourMs, amount: hour < 3 ? -300_000 : 100_000, known: hourMs };
      }),
    );
    const { values, missing } = balance(testDay, [
      meter('p1', 'grid', { shapes: { import: hours(500, 3, 24), export: hours(0, 3, 24) } }),
      meter('s01', 'production', { shapes: { production: sun } }),
    ]);
    should(values['energy_production_kwh']).be.below(0);
    should(values['self_consumption']).equal(null);
    should(missing['self_consumption']).equal('zero_divisor');
  });

  it('sums counters, and derives the other fields', () => {
    const { values, method, coverage, complete, missing } = balance(testDay, [grid, roof]);
    values.should.deepEqual({
      energy_import_kwh: 6.5,
      energy_export_kwh: 4.25,
      energy_production_kwh: 10,
      energy_net_kwh: 2.25,
      energy_self_consumed_kwh: 5.75,
      energy_house_kwh: 12.25,
      self_consumption: 0.575,
      self_sufficiency: 5.75 / 12.25,
    });
    method.should.deepEqual({
      energy_import_kwh: 'registers',
      energy_export_kwh: 'registers',
      energy_production_kwh: 'registers',
      energy_net_kwh: 'registers',
      energy_self_consumed_kwh: 'registers',
      energy_house_kwh: 'registers',
    });
    Object.values(coverage).should.deepEqual([1, 1, 1, 1, 1, 1]);
    missing.should.deepEqual({});
    complete.should.be.true();
  });

  it('scales the points to the counters', () => {
    const { points = [], estimated } = balance(testDay, [grid, roof]);
    points.should.have.length(24);
    should(points[0]?.['energy_import_kwh']).be.approximately(6.5 / 24, 1e-7);
    points.reduce((sum, point) => sum + (point['energy_import_kwh'] ?? 0), 0).should.be.approximately(6.5, 1e-9);
    estimated.should.deepEqual([]);
  });

  it('sums minutes by sign without counters', () => {
    const { values, method } = balance(testDay, [meter('p1', 'grid', { shapes: grid.shapes })]);
    values.should.containDeep({ energy_import_kwh: 6, energy_export_kwh: 3.6, energy_house_kwh: 6 });
    should(method['energy_import_kwh']).equal('minutes');
  });

  it('BA13: gives the missing hour what the minutes lack, and names it', () => {
    const values = constant(240).map((watts, minute) => (minute >= 600 && minute < 660 ? null : watts));
    const {
      points = [],
      estimated,
      estimatedFields,
      values: sums,
    } = balance(testDay, [
      roof,
      meter('p1', 'grid', { readings: atBorders('import', 0.5, 6.5), shapes: { import: minutesFrom(start, values) } }),
    ]);
    should(sums['energy_import_kwh']).equal(6);
    should(points[10]?.['energy_import_kwh']).be.approximately(6 - 23 * 0.24, 1e-9);
    should(points[9]?.['energy_import_kwh']).be.approximately(0.24, 1e-9);
    estimated.should.deepEqual([start + 10 * hourMs]);
    should(estimatedFields).deepEqual({ energy_import_kwh: [start + 10 * hourMs] });
  });

  it('lists the hour for every field with a share of it', () => {
    const values = constant(240).map((watts, minute) => (minute >= 600 && minute < 660 ? null : watts));
    const p1 = meter('p1', 'grid', {
      readings: [
        ...atBorders('import', 0.5, 6.5),
        ...atBorders('export', 1, 2),
        reading('gas', start, 10),
        reading('gas', end, 12),
      ],
      shapes: { import: minutesFrom(start, values), export: minutesFrom(start, constant(100)) },
    });
    const { estimated, estimatedFields } = balance(testDay, [p1, roof]);
    const hour = [start + 10 * hourMs];
    should(estimatedFields).containDeep({ energy_import_kwh: hour, energy_net_kwh: hour, energy_house_kwh: hour });
    should(Object.keys(estimatedFields ?? {}).sort()).deepEqual([
      'energy_house_kwh',
      'energy_import_kwh',
      'energy_net_kwh',
      'gas_m3',
    ]);
    should(estimatedFields?.['gas_m3']).have.length(24);
    estimated.should.have.length(24);
  });

  it('has the method minutes if counters cover little of it', () => {
    const method = (hours: number) =>
      balance(testDay, [
        meter('p1', 'grid', {
          readings: [reading('import', start - 1000, 10), reading('import', start + hours * hourMs, 10 + hours * 0.24)],
          shapes: { import: minutesFrom(start, constant(240)) },
        }),
      ]).method['energy_import_kwh'];
    should([method(2), method(20), method(22)]).deepEqual(['minutes', 'minutes', 'registers']);
  });

  describe('of a smart meter that has never offered its export', () => {
    const p1 = (known: Partial<BalanceMeter> = {}) =>
      meter('p1', 'grid', { offersExport: false, readings: atBorders('import', 0.5, 6.5), ...known });
    const given = { prices: prices({ currency: 'EUR', import: 0.2, export: 0.1 }) };

    it('has no export, a house and a total', () => {
      const { values, missing, complete, cost } = balance(testDay, [p1()], given);
      should(values).containDeep({
        energy_import_kwh: 6,
        energy_export_kwh: 0,
        energy_net_kwh: 6,
        energy_house_kwh: 6,
      });
      should(missing).deepEqual({ energy_export_kwh: 'not_offered' });
      should(complete).equal(true);
      should(cost).containDeep({ total: 1.2, export: 0, netted: 1.2, coverage: 1 });
    });

    it('uses the export in its minutes', () => {
      const { values, missing } = balance(testDay, [p1({ shapes: { export: minutesFrom(start, constant(100)) } })]);
      should(values['energy_export_kwh']).equal(2.4);
      should(missing).not.have.property('energy_export_kwh');
    });

    it('has no export value if the export was not read', () => {
      const { values, missing } = balance(testDay, [p1({ offersExport: null })]);
      should([values['energy_export_kwh'], values['energy_house_kwh']]).deepEqual([null, null]);
      should(missing['energy_export_kwh']).equal('not_measured');
    });
  });

  it('spreads the counted amount evenly if the minutes sum to 0', () => {
    const { points = [], estimated } = balance(testDay, [
      meter('p1', 'grid', {
        readings: atBorders('export', 1, 1.24),
        shapes: { export: minutesFrom(start, constant(0)) },
      }),
    ]);
    for (const point of points) should(point['energy_export_kwh']).be.approximately(0.01, 1e-9);
    estimated.should.have.length(24);
  });

  it('fills the rest with minutes if the last reading is too old for the border', () => {
    const { values, method, coverage } = balance(testDay, [
      meter('p1', 'grid', {
        readings: [reading('import', start - 1000, 10), reading('import', end - 2 * hourMs, 21.2)],
        shapes: { import: minutesFrom(start, constant(500)) },
      }),
    ]);
    should(values['energy_import_kwh']).equal(12.2);
    should(method['energy_import_kwh']).equal('registers');
    should(coverage['energy_import_kwh']).equal(1);
  });

  it('accepts a reading up to five minutes before the border, and of gas up to an hour', () => {
    const late = (before: number) => [
      reading('import', start, 10),
      reading('import', end - before, 15),
      reading('gas', start, 1),
      reading('gas', end - before, 4),
    ];
    const sums = (before: number) => balance(testDay, [meter('p1', 'grid', { readings: late(before) })]);
    sums(5 * 60_000).values.should.containDeep({ energy_import_kwh: 5, gas_m3: 3 });
    should(sums(5 * 60_000).coverage['energy_import_kwh']).equal(1);
    should(sums(6 * 60_000).coverage['energy_import_kwh']).be.below(1);
    should(sums(hourMs).coverage['gas_m3']).equal(1);
    should(sums(hourMs + 60_000).coverage['gas_m3']).be.below(1);
  });

  it('assigns a reading seconds after midnight to that midnight', () => {
    const readings = [reading('import', start + 1000, 10), reading('import', start + 180_000, 10.5)];
    const { values, method } = balance(testDay, [meter('p1', 'grid', { readings })], { now: start + 200_000 });
    should(values['energy_import_kwh']).equal(0.5);
    should(method['energy_import_kwh']).equal('registers');
  });

  it('assigns a reading of the current minute to the previous one', () => {
    const seen = (seconds: number) => {
      const readings = [reading('import', start, 10), reading('import', start + hourMs + seconds * 1000, 12)];
      return balance(testDay, [meter('p1', 'grid', { readings })], { now: start + hourMs + 59_000 }).values;
    };
    for (const seconds of [0, 20, 40, 59]) seen(seconds).should.containDeep({ energy_import_kwh: 2 });
    const late = [reading('import', start, 10), reading('import', end + 40_000, 12)];
    should(balance(testDay, [meter('p1', 'grid', { readings: late })]).values['energy_import_kwh']).equal(null);
  });

  it('BA11: ends one stretch and begins another where the meter was exchanged, with nothing negative', () => {
    const noon = at('2026-06-15T12:00:00+02:00');
    const { values } = balance(testDay, [
      meter('p1', 'grid', {
        readings: [
          ...[reading('import', start, 9000), reading('import', noon - 60_000, 9002.5)],
          ...[reading('import', noon + 60_000, 0.1), reading('import', end, 3.1)],
          // The used meter has counted more export than the old one.
          ...[reading('export', start, 10), reading('export', noon - 60_000, 11)],
          ...[reading('export', noon + 60_000, 5000), reading('export', end, 5002)],
        ],
        shapes: { import: minutesFrom(start, constant(240)), export: minutesFrom(start, constant(120)) },
      }),
    ]);
    // Two minutes around the exchange come from the minutes.
    should(values['energy_import_kwh']).be.approximately(2.5 + 3 + 0.008, 1e-9);
    should(values['energy_export_kwh']).be.approximately(1 + 2 + 0.004, 1e-9);
  });

  it('BA12: drops the 0 that a monitor shows after a restart', () => {
    const noon = at('2026-06-15T12:00:00+02:00');
    const readings = [reading('import', start, 9000), reading('import', noon, 0), reading('import', end, 9004)];
    should(balance(testDay, [meter('p1', 'grid', { readings })]).values['energy_import_kwh']).equal(4);
  });

  it('has no production without a production meter, and the house uses its import', () => {
    const { values } = balance(testDay, [grid]);
    values.should.not.have.properties(['energy_production_kwh', 'energy_self_consumed_kwh', 'self_consumption']);
    should(values['energy_house_kwh']).equal(6.5);
  });

  it('BA4: makes null what a meter that does not answer is needed for, and only that', () => {
    const { values, missing, complete } = balance(testDay, [grid, { ...roof, isReadable: false }]);
    values.should.containDeep({ energy_import_kwh: 6.5, energy_net_kwh: 2.25, energy_production_kwh: null });
    missing.should.deepEqual({
      energy_production_kwh: 'not_readable',
      energy_self_consumed_kwh: 'not_readable',
      energy_house_kwh: 'not_readable',
      self_consumption: 'not_readable',
      self_sufficiency: 'not_readable',
    });
    complete.should.be.false();
  });

  it('BA14: says that a meter is in the wrong role where the house would use less than nothing', () => {
    const wrong = meter('s01', 'production', { readings: atBorders('production', 300, 301) });
    const { values, missing } = balance(testDay, [grid, wrong]);
    should(values['energy_self_consumed_kwh']).equal(null);
    should(missing['energy_self_consumed_kwh']).equal('inconsistent');
    should(values['energy_house_kwh']).equal(3.25);
  });

  it('has no sum if the use of one hour is below 0, so that points add up to the sums', () => {
    const start = at('2026-06-14T22:00:00Z');
    const hours = (power: (hour: number) => number) =>
      minutesFrom(
        start,
        Array.from({ length: 1440 }, (_, minute) => power(Math.floor(minute / 60))),
      );
    const sells = meter('p1', 'grid', {
      shapes: { import: hours((hour) => (hour === 12 ? 0 : 400)), export: hours((hour) => (hour === 12 ? 3000 : 0)) },
    });
    const sun = meter('s01', 'production', { shapes: { production: hours((hour) => (hour === 12 ? 1000 : 100)) } });
    const { values, missing, points = [], complete } = balance(testDay, [sells, sun]);
    should(values['energy_house_kwh']).equal(null);
    should(missing['energy_house_kwh']).equal('inconsistent');
    should(points[12]?.['energy_house_kwh']).equal(null);
    should(points[11]?.['energy_house_kwh']).equal(0.5);
    should(values['energy_net_kwh']).equal(6.2);
    complete.should.be.false();
  });

  it('accepts an inverter under snow that uses more than it produces', () => {
    const start = at('2026-06-14T22:00:00Z');
    const all = (power: number) => minutesFrom(start, Array<number>(1440).fill(power));
    const house = meter('p1', 'grid', { shapes: { import: all(300), export: all(0) } });
    const snow = meter('s01', 'production', { shapes: { production: all(-6) } });
    const { values, missing, complete } = balance(testDay, [house, snow]);
    should(values['energy_self_consumed_kwh']).equal(-0.144);
    should(values['self_consumption']).equal(null);
    missing.should.deepEqual({ self_consumption: 'zero_divisor' });
    complete.should.be.true();
  });

  it('adds up several meters of a role', () => {
    const garage = meter('mb5', 'production', { readings: atBorders('production', 30, 32) });
    const { values, meters, counters } = balance(testDay, [grid, roof, garage]);
    should(values['energy_production_kwh']).equal(12);
    meters.should.deepEqual({ grid: ['p1'], production: ['s01', 'mb5'], gas: [], water: [] });
    should(counters['energy_production_kwh']).deepEqual({ start: [start - 5000, 330], end: [end - 5000, 342] });
  });

  it('has no sum in hours in which one of two meters is unknown', () => {
    const garage = meter('mb5', 'production', { shapes: { production: minutesFrom(start, constant(100, 720)) } });
    const other = meter('s01', 'production', { shapes: { production: minutesFrom(start, constant(400)) } });
    const { points = [], coverage, values } = balance(testDay, [other, garage]);
    should(points[11]?.['energy_production_kwh']).be.approximately(0.5, 1e-9);
    should(points[12]?.['energy_production_kwh']).equal(null);
    should(values['energy_production_kwh']).equal(6);
    should(coverage['energy_production_kwh']).equal(0.5);
  });

  it('names the installation of a monitor without an id', () => {
    should(balance(testDay, [grid], { installation: 'house-1' }).installation).equal('house-1');
    balance(testDay, [grid]).should.not.have.property('installation');
  });

  it('uses the gas meter, otherwise the smart meter, never both', () => {
    const gas = (ts: number, value: number) => reading('gas', ts, value);
    const p1 = meter('p1', 'grid', { readings: [gas(start, 100), gas(end, 107)] });
    should(balance(testDay, [p1]).values['gas_m3']).equal(7);
    const own = meter('p1-gas', 'gas', { readings: [gas(start, 200), gas(end, 203)] });
    should(balance(testDay, [p1, own]).values['gas_m3']).equal(3);
    // A gas meter behind the smart meter is read with it.
    should(balance(testDay, [p1, meter('p1-gas', 'gas')]).values['gas_m3']).equal(7);
    should(balance(testDay, [p1, meter('p1-gas', 'gas', { isReadable: false })]).values['gas_m3']).equal(null);
  });

  it('has sums by tariff from counters', () => {
    const tariffs = [
      ...[reading('import_t1', start, 400), reading('import_t1', end, 402)],
      ...[reading('import_t2', start, 600), reading('import_t2', end, 604.5)],
    ];
    const { values } = balance(testDay, [{ ...grid, readings: [...grid.readings, ...tariffs] }]);
    values.should.containDeep({ energy_import_t1_kwh: 2, energy_import_t2_kwh: 4.5 });
  });

  it('has one tariff for a meter with one, and none if a tariff is known for a part of the day only', () => {
    const noon = start + 12 * hourMs;
    const of = (...readings: ReturnType<typeof reading>[]) =>
      balance(testDay, [meter('p1', 'grid', { readings: [...atBorders('import', 1000, 1006.5), ...readings] })]).values;
    const single = of(reading('import_t1', start - 5000, 1000), reading('import_t1', end - 5000, 1006.5));
    single.should.containEql({ energy_import_t1_kwh: 6.5 });
    single.should.not.have.property('energy_import_t2_kwh');
    const half = of(
      ...[reading('import_t1', start - 5000, 400), reading('import_t1', noon, 402)],
      ...[reading('import_t2', start - 5000, 600), reading('import_t2', end - 5000, 604.5)],
    );
    half.should.not.have.properties(['energy_import_t1_kwh', 'energy_import_t2_kwh']);
  });

  it('has no house values if the grid meter does not answer', () => {
    const away = { ...grid, isReadable: false };
    balance(testDay, [away, roof]).missing.should.deepEqual({
      energy_import_kwh: 'not_readable',
      energy_export_kwh: 'not_readable',
      energy_net_kwh: 'not_readable',
      energy_self_consumed_kwh: 'not_readable',
      energy_house_kwh: 'not_readable',
      self_consumption: 'not_readable',
      self_sufficiency: 'not_readable',
    });
    const { values } = balance(testDay, [away]);
    values.should.deepEqual({
      energy_import_kwh: null,
      energy_export_kwh: null,
      energy_net_kwh: null,
      energy_house_kwh: null,
    });
  });

  it('has production only without a grid meter', () => {
    const { values, missing } = balance(testDay, [roof]);
    values.should.deepEqual({ energy_production_kwh: 10 });
    missing.should.deepEqual({});
  });

  it('has no ratio without production or without data', () => {
    const idle = meter('s01', 'production', { readings: atBorders('production', 300, 300) });
    const quiet = meter('p1', 'grid', {
      readings: [...atBorders('import', 1000, 1006.5), ...atBorders('export', 500, 500)],
    });
    const { missing, complete } = balance(testDay, [quiet, idle]);
    missing.should.deepEqual({ self_consumption: 'zero_divisor' });
    complete.should.be.true();
    balance(testDay, [quiet, meter('s01', 'production')]).missing.should.containEql({
      energy_production_kwh: 'not_measured',
      self_sufficiency: 'not_measured',
    });
  });

  it('has coverage 0 for a day that has not begun', () => {
    const { values, points, coverage } = balance(testDay, [grid], { now: start - hourMs });
    should(values['energy_import_kwh']).equal(null);
    should(points).deepEqual([]);
    should(coverage['energy_import_kwh']).equal(0);
  });

  it('covers the past part of the current day', () => {
    const now = at('2026-06-15T12:00:20+02:00');
    const { values, points, coverage, complete } = balance(
      testDay,
      [meter('p1', 'grid', { shapes: { import: minutesFrom(start, constant(1000, 720)) } })],
      { now },
    );
    should(values['energy_import_kwh']).equal(12);
    should(points).have.length(12);
    should(coverage['energy_import_kwh']).equal(1);
    complete.should.be.false();
  });

  it('BA15: says where the month of the monitor itself has another net', () => {
    const month = period('2026-06');
    const days = Array.from({ length: 31 }, (_, day) => month.start + day * 24 * hourMs);
    const readings = days.flatMap((day, index) => [
      reading('import', day, index * 5),
      reading('export', day, index * 2),
    ]);
    const said = (kwh: number) =>
      days.slice(0, 30).map((day) => ({ start: day, end: day + 24 * hourMs, amount: kwh * 60e6, known: 24 * hourMs }));
    const missing = (kwh: number) => balance('2026-06', [meter('p1', 'grid', { readings, net: said(kwh) })]).missing;
    missing(3).should.deepEqual({});
    missing(3.5).should.deepEqual(
      Object.fromEntries(
        ['import', 'export', 'net', 'house'].map((name): [string, string] => [`energy_${name}_kwh`, 'differs']),
      ),
    );
    // A reading of the inverter is production; a day that was measured partly has no amount.
    const produced = days.map((day, index) => reading('production', day, index * 4));
    const roofSays = (kwh: number, kept: typeof produced) =>
      balance('2026-06', [meter('s01', 'production', { readings: kept, net: said(kwh) })]).missing;
    roofSays(4, produced).should.deepEqual({});
    roofSays(5, produced).should.deepEqual({ energy_production_kwh: 'differs' });
    roofSays(5, produced.slice(0, 1)).should.deepEqual({ energy_production_kwh: 'not_measured' });
    // Amounts for a period other than a day of the balance are left out.
    const odd = [{ start: days[0] ?? 0, end: (days[0] ?? 0) + 12 * hourMs, amount: 60e6 * 99, known: 12 * hourMs }];
    balance('2026-06', [meter('p1', 'grid', { readings, net: odd })]).missing.should.deepEqual({});
    // Two meters, one of which has no own amounts, or none for these days.
    const nothing = days.flatMap((day) => [reading('import', day, 1), reading('export', day, 1)]);
    const shifted = said(9).map((slot) => ({ ...slot, start: slot.start + 1 }));
    for (const net of [[], shifted]) {
      const two = [meter('p1', 'grid', { readings, net: said(9) }), meter('p2', 'grid', { readings: nothing, net })];
      balance('2026-06', two).missing.should.deepEqual({});
    }
  });
});
