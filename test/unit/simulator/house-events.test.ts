/** Events of simulated households, at the times of their rows. */
import should from 'should';
import { hourMs, millis } from '../../../src/time/units';
import { momentOf, type Series, times } from '../../support/simulator/requests';
import { readDayAmount, inHouse, testNow, today, value, visit, yesterday } from '../../support/simulator/visited-house';

const now = momentOf(testNow);

describe('events of simulated households', () => {
  inHouse('p1-pulled', 'goes on with the last values and their time', async (house) => {
    const { clock, realtime, readings, day, household, webhook } = house;
    const pulled = millis(now - 2 * hourMs);
    const expected = [pulled, household.step(pulled).gridW];
    should((await realtime('p1'))['electric_power']).eql(expected);
    clock.set('2026-06-15T20:00:00+02:00');
    should((await realtime('p1'))['electric_power']).eql(expected);
    should((await realtime('s01'))['electric_power']?.[0]).be.above(now);
    times((await day('p1'))['electric_power']?.slice(1))
      .every((time) => time < pulled)
      .should.be.true();
    should(value((await readings('p1', today))['t2'])).equal(household.registers(pulled).importT2Kwh);
    should(webhook()['smartmeter-dsmr']?.['electric_power_import']?.['realtime']).be.null();
    should(webhook()['smartmeter-dsmr']?.['electric_energy_import']?.['reading']?.time).equal(pulled / 1000);
  });

  inHouse('s0-start-value', 'adds 3,500 kWh to the reading and nothing to amounts', async (house) => {
    const { clock, totals, month, household } = house;
    const off = async () => value((await totals('s01'))['t1']) - household.registers(clock.now()).solarT1Kwh;
    should(await off()).be.approximately(3500, 0.01);
    should(readDayAmount((await month('s01'))['electric_energy'], today)).be.below(30);
    clock.set('2026-06-15T15:59:00+02:00');
    should(await off()).be.approximately(0, 0.01);
  });

  inHouse(
    'wrong-midnight',
    'has a reading that is 650 kWh too high on one midnight',
    async ({ readings, household }) => {
      const off = async (day: string, end: number) =>
        value((await readings('p1', day))['t1']) - household.registers(millis(end)).importT1Kwh;
      should(await off(yesterday, momentOf(today))).be.approximately(650, 0.01);
      should(await off(today, now)).be.approximately(0, 0.01);
      should(await off('2026-06-13T00:00:00+02:00', momentOf(yesterday))).be.approximately(0, 0.01);
    },
  );

  inHouse('counter-dip', 'falls and comes back the next day', async ({ clock, totals, household }) => {
    for (const [iso, off] of [
      ['2026-06-14T19:00:00+02:00', 0],
      ['2026-06-15T07:00:00+02:00', -40],
      [testNow, 0],
    ] as const) {
      clock.set(iso);
      const shown = value((await totals('p1'))['t1']);
      should(shown - household.registers(clock.now()).importT1Kwh).be.approximately(off, 0.01);
    }
  });

  inHouse('exchange', 'begins again at 0, amounts go on', async ({ readings, truth, month }) => {
    const exchanged = momentOf('2026-06-13T10:00:00+02:00');
    const { t1, t2 } = await readings('p1', today);
    should(value(t1) + value(t2)).be.approximately(truth(exchanged, now).import, 0.01);
    const { electric_energy: low, electric_energy_high: high } = await month('p1');
    const day = truth(momentOf('2026-06-13T00:00:00+02:00'), momentOf(yesterday));
    const amount = readDayAmount(low, '2026-06-13T00:00:00+02:00') + readDayAmount(high, '2026-06-13T00:00:00+02:00');
    should(amount).be.approximately(day.import - day.export, 0.001);
  });

  inHouse('p1-away', 'has no word of p1 for twelve hours, and of the inverters all the time', async (house) => {
    const { clock, day, realtime } = house;
    const away = (time: number) => time >= now - 14 * hourMs && time < now - 2 * hourMs;
    times((await day('p1'))['electric_power'])
      .some(away)
      .should.be.false();
    times((await day('s01'))['electric_power'])
      .filter(away)
      .length.should.equal(720);
    should((await realtime('p1'))['t1']?.[0]).be.above(now - 60_000);
    clock.set('2026-06-15T12:00:00+02:00');
    should((await realtime('p1'))['t1']?.[0]).equal(now - 14 * hourMs);
  });

  inHouse('snow', 'takes power day and night', async ({ truth, day }) => {
    should(truth(momentOf(yesterday), momentOf(today)).production).be.approximately(-0.006 * 24, 1e-9);
    (await day('s01'))['electric_power']
      ?.slice(1)
      .every(([, watts]) => watts === -4)
      .should.be.true();
  });

  for (const house of ['battery', 'battery-trades'] as const) {
    inHouse(house, 'shapes import and export, and no meter shows it', async ({ truth, ios }) => {
      const [from, to] = [momentOf(yesterday), momentOf(today)];
      const usual = await visit('standard');
      const without = usual.truth(from, to);
      await usual.end();
      const flowed = truth(from, to);
      (await ios()).length.should.equal(5);
      should(flowed.charged).be.within(1, 12);
      should(flowed.discharged).be.within(1, flowed.charged * 0.9 + 1e-9);
      should(flowed.house).equal(without.house);
      if (house === 'battery') should(flowed.import).be.below(without.import - 1);
      else should(flowed.import).be.above(without.import + 1);
      const evening = truth(momentOf('2026-06-14T17:00:00+02:00'), momentOf('2026-06-14T18:30:00+02:00'));
      should(evening.discharged).be.aboveOrEqual(house === 'battery' ? 0 : 3.5);
    });
  }

  for (const [house, from, to] of [
    ['power-cut', now - 5 * hourMs, now - 2 * hourMs],
    ['power-cut-days', momentOf('2026-06-12T15:00:00+02:00'), momentOf('2026-06-14T15:00:00+02:00')],
  ] as const) {
    inHouse(house, 'has no power and no minutes', async ({ truth, local, household }) => {
      const flowed = Object.values(truth(millis(from), millis(to)));
      flowed.filter((amount) => amount !== 0).should.deepEqual([]);
      should(household.minute(millis(to)).homeW).be.above(0);
      const asked = await local(`/p1/data/day/?time=${Math.floor(from / 1000)}`);
      const series = (asked.body as { data: Series }).data['electric_power'] ?? [];
      times(series)
        .some((time) => time >= from && time < to)
        .should.be.false();
    });
  }

  inHouse('rollover', 'goes from 99,999.999 to 0', async ({ clock, totals }) => {
    const shown = async () => value((await totals('p1'))['t1']);
    should(await shown()).be.within(0, 10);
    clock.set('2026-06-15T15:59:00+02:00');
    should(await shown()).be.within(99_990, 100_000);
  });

  inHouse('first-day', 'has no entry before the middle of the day so far', async ({ day, month, household }) => {
    should(household.since).equal(momentOf('2026-06-15T09:30:00+02:00'));
    should(times((await day('p1'))['electric_power']).at(-1)).equal(household.since);
    should(readDayAmount((await month('p1'))['electric_energy'], yesterday)).equal(0);
  });
});
