/** Discontinuities of counters: exchanges, wrong readings, start values (src/balance/meters/breaks.ts). */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { Counter } from '../../../src/balance/meters/readings';
import { minuteMs, hourMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, reading } from '../../support/balance/small-house';

const testDay = '2026-06-15';
const { start, end } = period(testDay);

/** A constant power in W for a number of minutes; null is a gap. */
const constant = (watts: number | null, minutes = 1440) => Array.from({ length: minutes }, () => watts);
const atBorders = (counter: Counter, before: number, after: number) => [
  reading(counter, start - 5000, before),
  reading(counter, end - 5000, after),
];

/** A day with 12 kWh of import, 4.8 kWh of export and 9.6 kWh of production; counters are derived from these unless given. */
function house(
  readings: Partial<Record<'import' | 'export' | 'production', readonly [number, number]>>,
): BalanceMeter[] {
  const { import: taken = [1000, 1012], export: given = [500, 504.8], production = [300, 309.6] } = readings;
  return [
    meter('p1', 'grid', {
      readings: [...atBorders('import', ...taken), ...atBorders('export', ...given)],
      shapes: { import: minutesFrom(start, constant(500)), export: minutesFrom(start, constant(200)) },
    }),
    meter('s01', 'production', {
      readings: atBorders('production', ...production),
      shapes: { production: minutesFrom(start, constant(400)) },
    }),
  ];
}

describe('a counter that is not continuous', () => {
  const sums = {
    energy_import_kwh: 12,
    energy_export_kwh: 4.8,
    energy_production_kwh: 9.6,
    energy_net_kwh: 7.2,
    energy_house_kwh: 16.8,
    energy_self_consumed_kwh: 4.8,
  };

  it('is rejected if its minutes have another amount: a start value, a wrong reading, a stopped counter', () => {
    for (const readings of [
      { production: [300, 3809.6] as const },
      { import: [1000, 1662] as const },
      { import: [1000, 1662] as const, export: [500, 1154.8] as const },
      { import: [1000, 1000] as const, export: [500, 500] as const },
      { production: [300, 300] as const },
    ]) {
      const { values, coverage, complete, points = [] } = balance(testDay, house(readings));
      for (const [field, sum] of Object.entries(sums)) {
        should(values[field]).be.approximately(sum, 1e-6, `${field} with ${JSON.stringify(readings)}`);
        should(coverage[field]).equal(1);
        points.reduce((total, point) => total + (point[field] ?? 0), 0).should.be.approximately(sum, 1e-6);
      }
      complete.should.be.true();
    }
  });

  it('is accepted if import and export cancel out within minutes, or if minutes are missing', () => {
    const { values } = balance(testDay, house({ import: [1000, 1015], export: [500, 507.8] }));
    values.should.containDeep({ energy_import_kwh: 15, energy_export_kwh: 7.8 });
    const p1 = meter('p1', 'grid', {
      readings: atBorders('import', 1000, 1060),
      shapes: { import: minutesFrom(start, constant(500, 1000)) },
    });
    should(balance(testDay, [p1]).values['energy_import_kwh']).equal(60);
  });

  it('rises by at most the capacity of a connection, and every field without minutes is marked', () => {
    const roof = meter('s01', 'production', { readings: atBorders('production', 300, 3809.6) });
    const [grid] = house({});
    const { values, missing, coverage, complete } = balance(testDay, [...(grid === undefined ? [] : [grid]), roof]);
    should(complete).be.false();
    for (const name of ['production', 'house', 'self_consumed']) {
      should(values[`energy_${name}_kwh`]).equal(null);
      should(coverage[`energy_${name}_kwh`]).equal(0);
      should(missing[`energy_${name}_kwh`]).equal('not_measured');
    }
    should(values['energy_import_kwh']).equal(12);
  });

  describe('in a month', () => {
    const month = period('2026-06');
    const midnights = Array.from({ length: 31 }, (_, day) => month.start + day * 24 * hourMs);
    const month12 = (change: (kwh: number, day: number) => number, counters: readonly Counter[] = ['import']) =>
      balance('2026-06', [
        meter('p1', 'grid', {
          readings: counters.flatMap((counter) =>
            midnights.map((at, day) => reading(counter, at - 5000, change(5000 + 12 * day, day))),
          ),
        }),
      ]);

    it('loses no energy through one wrong midnight, too high or too low', () => {
      for (const by of [650, -300, -40, 5000]) {
        const { values, coverage, estimated } = month12((kwh, day) => (day === 10 ? kwh + by : kwh));
        should(values['energy_import_kwh']).be.approximately(360, 1e-9, String(by));
        should(coverage['energy_import_kwh']).equal(1);
        estimated.should.deepEqual([midnights[9], midnights[10]]);
      }
    });

    it('loses no energy through a counter that recovers after some days', () => {
      const { values, coverage } = month12(
        (kwh, day) => (day >= 10 && day < 13 ? kwh - 300 : kwh),
        ['import', 'export'],
      );
      should(values['energy_import_kwh']).be.approximately(360, 1e-9);
      should(values['energy_export_kwh']).be.approximately(360, 1e-9);
      should(coverage['energy_import_kwh']).equal(1);
    });

    it('has no value for the day of a replacement without minutes', () => {
      const { values, coverage, complete } = month12((kwh, day) => (day >= 10 ? kwh - 5110 : kwh));
      should(values['energy_import_kwh']).be.approximately(29 * 12, 1e-9);
      should(coverage['energy_import_kwh']).be.approximately(29 / 30, 1e-9);
      complete.should.be.false();
    });

    it('adds up to its days, although minutes and a reading before midnight both have the end of the day of a replacement', () => {
      const earlyMs = 4 * minuteMs;
      const [replaced = 0, after = 0] = midnights.slice(9);
      // 500 W, and 3 kW in the last four minutes of the day of the replacement.
      const flowed = (from: number, to: number): number =>
        ((to - from) * 0.5 + Math.max(0, Math.min(to, after) - Math.max(from, after - earlyMs)) * 2.5) / hourMs;
      const grid = meter('p1', 'grid', {
        readings: midnights.map((at) =>
          reading('import', at - earlyMs, (at > replaced ? 7 : 5000) + flowed(month.start - hourMs, at - earlyMs)),
        ),
        shapes: { import: minutesFrom(replaced, [...constant(500, 1436), ...constant(3000, 4)]) },
      });
      const ofDays = midnights.slice(0, -1).map((at) => {
        const { values } = balance(new Date(at + 12 * hourMs).toISOString().slice(0, 10), [grid]);
        return values['energy_import_kwh'] ?? NaN;
      });
      const sum = ofDays.reduce((total, day) => total + day, 0);
      should(balance('2026-06', [grid]).values['energy_import_kwh']).be.approximately(sum, 1e-6);
      // At most five minutes are in the sum twice.
      sum.should.be.within(flowed(month.start, month.end), flowed(month.start, month.end) + (3 * earlyMs) / hourMs);
    });

    it('is replaced, not temporarily wrong, if one of its counters does not recover', () => {
      // 40 kWh of export a day: the new meter passes the reading of the old one, the counter of import does not.
      const readings = midnights.flatMap((at, day) => [
        reading('import', at - 5000, day < 10 ? 5000 + day : day),
        reading('export', at - 5000, day < 10 ? day * 7 : (day - 9) * 40 - 20),
      ]);
      const { values } = balance('2026-06', [meter('p1', 'grid', { readings })]);
      should(values['energy_import_kwh']).be.approximately(29, 1e-9);
      should(values['energy_export_kwh']).be.approximately(9 * 7 + 20 * 40, 1e-9);
    });
  });

  it('accepts a water meter', () => {
    const flow = minutesFrom(start, constant(0.2), 1e6);
    const { values } = balance(testDay, [
      meter('pulse-2', 'water', { readings: atBorders('water', 100, 130.288), shapes: { water: flow } }),
    ]);
    should(values['water_m3']).be.approximately(0.288, 1e-9);
  });
});
