/** Every day of a simulated year, compared with its meters. */
import should from 'should';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { BalancePayload } from '../../../src/model/payload';
import { minuteMs, hourMs } from '../../../src/time/units';
import { errorsOfMinutes, errorTable, usualSeed } from '../../support/balance/minutes-error';
import { SimulatedYear, sums, type Sum } from '../../support/balance/simulated-year';
import { balance, reading } from '../../support/balance/small-house';

const fields: Readonly<Record<Sum, string>> = {
  import: 'energy_import_kwh',
  export: 'energy_export_kwh',
  production: 'energy_production_kwh',
  selfConsumed: 'energy_self_consumed_kwh',
  house: 'energy_house_kwh',
};

describe('a simulated year', function () {
  this.timeout(600_000);
  const year = new SimulatedYear(7);

  function expectExact({ values, coverage }: BalancePayload, label: string): void {
    const day = year.days.find((one) => one.label === label);
    if (day === undefined) throw new Error(label);
    const truth = year.truth(day);
    for (const sum of sums) {
      should(values[fields[sum]]).be.approximately(truth[sum], 0.001, `${sum} of ${label}`);
      should(coverage[fields[sum]]).equal(1, `${sum} of ${label}`);
    }
  }

  it('BA17: is exact to 0.001 kWh on every day with counters, through both changes of the clocks and the leap day', () => {
    year.days.length.should.equal(366);
    for (const day of year.days) {
      const [before, after] = [year.readings(day.start - 1000), year.readings(day.end - 1000)];
      const readings = {
        p1: [...before.p1, ...after.p1],
        s01: [...before.s01, ...after.s01],
        mb5: [...before.mb5, ...after.mb5],
      };
      const found = balance(day.label, year.meters(readings, year.shapes(day)));
      expectExact(found, day.label);
      found.estimated.should.deepEqual([], day.label);
      const { values, points = [] } = found;
      for (const field of Object.values(fields)) {
        const added = points.reduce((sum, point) => sum + (point[field] ?? 0), 0);
        added.should.be.approximately(values[field] ?? NaN, 1e-9, `${field} of ${day.label}`);
      }
      const [low, high] = [values['energy_import_t1_kwh'] ?? NaN, values['energy_import_t2_kwh'] ?? NaN];
      (low + high).should.be.approximately(values['energy_import_kwh'] ?? NaN, 1e-5, day.label);
    }
  });

  it('BA13: is exact on a day with an outage of an hour, of which it names the hour', () => {
    const [day] = year.days.filter(({ label }) => label === `2028-06-15`);
    if (day === undefined) throw new Error('no such day');
    const [from, to] = [day.start + 13 * hourMs, day.start + 14 * hourMs];
    const shapes = year.shapes(day, (at) => at >= from && at < to);
    const [before, after] = [year.readings(day.start - 1000), year.readings(day.end - 1000)];
    const readings = {
      p1: [...before.p1, ...after.p1],
      s01: [...before.s01, ...after.s01],
      mb5: [...before.mb5, ...after.mb5],
    };
    const found = balance(day.label, year.meters(readings, shapes));
    expectExact(found, day.label);
    found.estimated.should.deepEqual([from]);
  });

  it('BA11: is exact on the day on which the meter is exchanged, where both meters were read at the exchange', () => {
    const [day] = year.days.filter(({ label }) => label === `2028-09-05`);
    if (day === undefined) throw new Error('no such day');
    const noon = day.start + 12 * hourMs;
    const [before, old, after] = [day.start - 1000, noon, day.end - 1000].map((at) => year.readings(at));
    if (before === undefined || old === undefined || after === undefined) throw new Error('no readings');
    // The new meter starts at 0.1 kWh a minute later; nothing is counted in between.
    const fresh = after.p1.map(({ counter, ts, amount }) => {
      const then = year.readings(noon + minuteMs).p1.find((other) => other.counter === counter)?.amount ?? 0;
      return { counter, ts, amount: amount - then + 6_000_000 };
    });
    const first = fresh.map(({ counter }) => reading(counter, noon + minuteMs, 0.1));
    const readings = {
      p1: [...before.p1, ...old.p1, ...first, ...fresh],
      s01: [...before.s01, ...after.s01],
      mb5: [...before.mb5, ...after.mb5],
    };
    const found = balance(day.label, year.meters(readings, year.shapes(day)));
    const truth = year.truth(day);
    // For that minute only its mean is known.
    should(found.values['energy_import_kwh']).be.approximately(truth.import, 0.01);
    should(found.values['energy_export_kwh']).be.approximately(truth.export, 0.01);
    should(found.values['energy_net_kwh']).be.approximately(truth.import - truth.export, 0.001);
    should(found.coverage['energy_import_kwh']).equal(1);
  });

  it('fills the time after the last reading of a slow meter with minutes', () => {
    for (const label of ['2028-03-26', '2028-06-15', '2028-10-29', '2028-12-21']) {
      const [day] = year.days.filter((one) => one.label === label);
      if (day === undefined) throw new Error(label);
      const before = year.readings(day.start);
      const after = year.readings(day.end - 10 * minuteMs);
      const readings = {
        p1: [...before.p1, ...after.p1],
        s01: [...before.s01, ...after.s01],
        mb5: [...before.mb5, ...after.mb5],
      };
      expectExact(balance(label, year.meters(readings, year.shapes(day))), label);
    }
  });

  it('has a production of 0 on a day without any', () => {
    const [day] = year.days.filter(({ label }) => label === '2028-12-21');
    if (day === undefined) throw new Error('no such day');
    const shown = year.readings(day.start - 1000);
    const readings = { ...shown, p1: [...shown.p1, ...year.readings(day.end - 1000).p1] };
    const still = {
      ...readings,
      s01: [...shown.s01, ...shown.s01.map((one) => ({ ...one, ts: day.end - 1000 }))],
      mb5: [],
    };
    const meters = year.meters(still, year.shapes(day)).filter(({ name }) => name !== 'mb5');
    const { values } = balance(
      day.label,
      meters.map((one) => (one.name === 's01' ? { ...one, shapes: {} } : one)),
    );
    should(values['energy_production_kwh']).equal(0);
    should(values['self_consumption']).equal(null);
  });

  it('is a lower bound from minutes alone, by less than 5 % of the year, as docs/evidence/balance.md says', () => {
    const rows = errorsOfMinutes(usualSeed);
    readFileSync(path.resolve(__dirname, '../../../docs/evidence/balance.md'), 'utf8').should.containEql(
      errorTable(rows),
    );
    for (const { counted, minutes, mean, worst } of rows) {
      minutes.should.be.belowOrEqual(counted);
      minutes.should.be.above(0.95 * counted);
      mean.should.be.above(0);
      worst.should.be.above(mean);
    }
  });
});
