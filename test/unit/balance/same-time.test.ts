/** House, self-consumption and net of meters with different measured times (src/balance/period/same-time.ts). */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { BalancePayload } from '../../../src/model/payload';
import { minuteMs, hourMs } from '../../../src/time/units';
import { balance, meter, minutesFrom, period, reading } from '../../support/balance/small-house';

const testDay = '2026-06-15';
const { start, end } = period(testDay);

/** W of each minute of the day; null while the meter is away. */
const minutes = (watts: number, isAway: (minute: number) => boolean = () => false) =>
  minutesFrom(
    start,
    Array.from({ length: 1440 }, (_, minute) => (isAway(minute) ? null : watts)),
  );

function expectConsistent({ points = [], values }: BalancePayload): void {
  for (const point of points) {
    const of = (name: string): number | null => point[`energy_${name}_kwh`] ?? null;
    const [taken, given, production, house] = [of('import'), of('export'), of('production'), of('house')];
    if (taken === null || given === null || production === null || house === null) continue;
    house.should.be.approximately(taken - given + production, 1e-9);
    should(of('self_consumed')).be.approximately(production - given, 1e-9);
  }
  for (const [field, value] of Object.entries(values)) {
    if (!field.endsWith('_kwh') || value === null) continue;
    points.reduce((sum, point) => sum + (point[field] ?? 0), 0).should.be.approximately(value, 1e-9, field);
  }
}

describe('amounts of meters that were not measured at the same time', () => {
  const roof = meter('s01', 'production', {
    readings: [reading('production', start, 100), reading('production', end, 124)],
    shapes: { production: minutes(1000) },
  });
  const grid = (isAway: (minute: number) => boolean): BalanceMeter =>
    meter('p1', 'grid', { shapes: { import: minutes(250, isAway), export: minutes(500, isAway) } });

  it('are combined in hours in which all are known', () => {
    const found = balance(testDay, [grid((minute) => minute >= 12 * 60 + 30), roof]);
    const { values, coverage, points = [] } = found;
    // 0.75 kW in the twelve hours with all values.
    should(values['energy_house_kwh']).be.approximately(9, 1e-9);
    should(values['energy_self_consumed_kwh']).be.approximately(6, 1e-9);
    should(values['energy_production_kwh']).equal(24);
    should(coverage['energy_house_kwh']).equal(0.5);
    should(values['self_consumption']).be.approximately(0.5, 1e-9);
    should(points[12]?.['energy_house_kwh']).equal(null);
    should(points[12]?.['energy_import_kwh']).be.approximately(0.125, 1e-9);
    should(values['energy_net_kwh']).be.approximately(-12.5 * 0.25, 1e-9);
    expectConsistent(found);
  });

  it('give no house value for a day or month with more than 1 % of another time', () => {
    const month = period('2026-06');
    const midnights = Array.from({ length: 31 }, (_, day) => month.start + day * 24 * hourMs);
    const produced = midnights.map((at, day) => reading('production', at, 24 * day));
    const p1 = (lost: number) =>
      meter('p1', 'grid', {
        readings: [...midnights.slice(0, 15), ...midnights.slice(16)].flatMap((at, day) => [
          reading('import', at, day < 15 ? 9000 + 6 * day : day),
          reading('export', at, day < 15 ? 9000 + 12 * day : day),
        ]),
        // The day of the exchange.
        shapes: Object.fromEntries(
          (['import', 'export'] as const).map((quantity) => {
            const values = Array.from({ length: 2 * 1440 }, (_, minute) =>
              minute >= 720 && minute < 720 + lost ? null : 400,
            );
            return [quantity, minutesFrom(midnights[14] ?? 0, values)];
          }),
        ),
      });
    const sun = meter('s01', 'production', { readings: produced });
    const days = (lost: number) =>
      (balance('2026-06', [p1(lost), sun]).points ?? []).filter((point) => point['energy_house_kwh'] !== null);
    days(10).should.have.length(30);
    days(300).should.have.length(29);
    expectConsistent(balance('2026-06', [p1(300), sun]));
  });

  it('are combined if all meters were away at the same time', () => {
    const isAway = (minute: number): boolean => minute >= 600 && minute < 630;
    const away = meter('s01', 'production', { shapes: { production: minutes(1000, isAway) } });
    const found = balance(testDay, [grid(isAway), away]);
    should(found.values['energy_house_kwh']).be.approximately(23.5 * 0.75, 1e-9);
    should(found.coverage['energy_house_kwh']).be.approximately(23.5 / 24, 1e-9);
    expectConsistent(found);
  });

  it('are not taken from an amount whose share in that time is unknown', () => {
    // Production of the whole day, without minutes, and a grid meter that was away in the second half.
    const counted = meter('s01', 'production', { readings: roof.readings });
    const { values, missing } = balance(testDay, [grid((minute) => minute >= 720), counted]);
    should(values['energy_house_kwh']).equal(null);
    should(missing['energy_house_kwh']).equal('not_measured');
    should(values['energy_production_kwh']).equal(24);
    should(values['energy_net_kwh']).be.approximately(-3, 1e-9);
  });

  describe('while a meter is away over midnight and another one is not', () => {
    const month = period('2026-09');
    const midnights = Array.from({ length: 31 }, (_, day) => month.start + day * 24 * hourMs);
    const tenth = midnights[9] ?? 0;
    /** 1.5 kW of sun from 9:00 to 17:00; the house uses 0.75 kW. */
    const sunAt = (minute: number): number => (minute % 1440 >= 540 && minute % 1440 < 1020 ? 1500 : 0);
    const minutesOf = (watts: (minute: number) => number | null) =>
      minutesFrom(
        tenth,
        Array.from({ length: 2 * 1440 }, (_, minute) => watts(minute)),
      );
    const p1 = (from: number, to: number) => {
      const isAway = (minute: number): boolean => minute >= from && minute < to;
      const here = midnights.filter((at) => !isAway((at - tenth) / minuteMs));
      return meter('p1', 'grid', {
        // Of the 24 kWh between two midnights the night takes 12, and the day gives 6.
        readings: here.flatMap((at) => {
          const day = Math.round((at - month.start) / (24 * hourMs));
          return [reading('import', at, 100 + 12 * day), reading('export', at, 100 + 6 * day)];
        }),
        shapes: {
          import: minutesOf((minute) => (isAway(minute) ? null : Math.max(0, 750 - sunAt(minute)))),
          export: minutesOf((minute) => (isAway(minute) ? null : Math.max(0, sunAt(minute) - 750))),
        },
      });
    };
    const sun = (away: (minute: number) => boolean = () => false) =>
      meter('s01', 'production', {
        readings: midnights.flatMap((at, day) =>
          away((at - tenth) / minuteMs) ? [] : [reading('production', at, 12 * day)],
        ),
        shapes: { production: minutesOf((minute) => (away(minute) ? null : sunAt(minute))) },
      });

    const pointsOf = (found: BalancePayload, name: string) =>
      (found.points ?? []).slice(8, 12).map((point) => {
        const value = point[`energy_${name}_kwh`] ?? null;
        return value === null ? null : Math.round(value * 1000) / 1000;
      });

    it('BA24: neither day has a house or self-consumption, and the month has both', () => {
      const found = balance('2026-09', [p1(720, 720 + 1440), sun()]);
      should(pointsOf(found, 'house')).deepEqual([18, null, null, 18]);
      should(pointsOf(found, 'self_consumed')).deepEqual([6, null, null, 6]);
      should(pointsOf(found, 'production')).deepEqual([12, 12, 12, 12]);
      should(pointsOf(found, 'import').every((value) => value !== null)).equal(true);
      should(found.values['energy_house_kwh']).be.approximately(30 * 18, 1e-6);
      should(found.values['energy_self_consumed_kwh']).be.approximately(30 * 6, 1e-6);
      should(found.complete).equal(true);
      const { energy_house_kwh: estimated } = found.estimatedFields ?? {};
      should(estimated).deepEqual(midnights.slice(9, 11));
    });

    it('both have them if the other one was away as well', () => {
      const isAway = (minute: number): boolean => minute >= 720 && minute < 720 + 1440;
      const found = balance('2026-09', [p1(720, 720 + 1440), sun(isAway)]);
      should(pointsOf(found, 'house').every((value) => value !== null)).equal(true);
      expectConsistent(found);
    });

    it('both have them if nearly nothing flowed meanwhile', () => {
      const found = balance('2026-09', [p1(1438, 1441), sun()]);
      should(pointsOf(found, 'house').every((value) => value !== null)).equal(true);
      expectConsistent(found);
    });

    it('the even share of one day makes no month inconsistent', () => {
      // 40 W at all times, and 18 kWh of sun on the second morning: evenly, the first day exports more than it has.
      const stepped = (counter: 'import' | 'export' | 'production', before: number, after: number) =>
        midnights.map((at, day) => reading(counter, at, day < 10 ? 100 : day === 10 ? 100 + before : 100 + after));
      const away = (at: number): boolean => at >= tenth + 720 * minuteMs && at < tenth + 2160 * minuteMs;
      const use = minutesOf((minute) => (minute >= 720 && minute < 2160 ? null : 40));
      const grid = meter('p1', 'grid', {
        readings: [...stepped('import', 0, 1.8), ...stepped('export', 0, 17.88)].filter(({ ts }) => !away(ts)),
        shapes: { import: use, export: minutesOf((minute) => (minute >= 720 && minute < 2160 ? null : 0)) },
      });
      const roof = meter('s01', 'production', { readings: stepped('production', 0, 18) });
      const { values, missing } = balance('2026-09', [grid, roof]);
      should(missing['energy_house_kwh']).equal(undefined);
      should(values['energy_house_kwh']).be.approximately(1.92, 1e-6);
    });
  });
});
