/** House, self-consumption and net of meters with different measured times (src/balance/period/same-time.ts). */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { BalancePayload } from '../../../src/model/payload';
import { balance, meter, minutesFrom, period, reading } from '../../support/balance/small-house';

const testDay = '2026-06-15';
const { start, end } = period(testDay);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

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
});
