/** Special meters of each simulated household, as defined by its row. */
import should from 'should';
import { hourMs, millis } from '../../../src/time/units';
import { momentOf, type Channels, times } from '../../support/simulator/requests';
import { readDayAmount, inHouse, testNow, today, value, visit, yesterday } from '../../support/simulator/visited-house';

const night = '2026-06-15T02:00:00+02:00';
const now = momentOf(testNow);

describe('meters of simulated households', () => {
  inHouse('gas-in-p1', 'gives gas in p1 only', async ({ ios, realtime, local, remote }) => {
    (await ios()).map(({ type }) => type).should.not.containEql('gas');
    should((await realtime('p1'))['gas']?.[0]).be.above(now - hourMs);
    should((await local('/p1-gas/realtime/')).status).equal(404);
    should((await remote('p1-gas/realtime/')).status).equal(412);
  });

  inHouse('no-t3-t4', 'never offers export', async ({ totals, realtime, remote, webhook }) => {
    const remotely = ((await remote('p1/realtime/')).body as { data: Channels }).data;
    for (const channels of [await totals('p1'), await realtime('p1'), remotely]) {
      channels.should.have.property('t2');
      channels.should.not.have.properties(['t3']);
      channels.should.not.have.properties(['t4']);
    }
    Object.keys(webhook()['smartmeter-dsmr'] ?? {})
      .join()
      .should.not.containEql('_energy_export');
  });

  inHouse(
    's0-empty-at-night',
    'has no power at night',
    async ({ clock, realtime }) => {
      should((await realtime('s01'))['electric_power']).eql([0, 0]);
      clock.set('2026-06-14T13:00:00+02:00');
      should(value((await realtime('s01'))['electric_power'])).be.above(100);
    },
    night,
  );

  inHouse(
    's0-last-pulse',
    'has the power of the last pulse at night, and its time',
    async ({ realtime, truth }) => {
      const [time = 0, watts] = (await realtime('s01'))['electric_power'] ?? [];
      should(time).be.within(momentOf('2026-06-14T20:00:00+02:00'), momentOf('2026-06-14T22:30:00+02:00'));
      should(watts).be.above(0);
      should(truth(millis(time), momentOf(night)).production).be.below(0.001);
    },
    night,
  );

  inHouse(
    's0-empty-high',
    'counts in the low tariff only, the high one is [0, 0]',
    async ({ readings, month, truth }) => {
      const shown = await readings('s01', today);
      should(shown['electric_energy_high']).eql([0, 0]);
      const { electric_energy: low, electric_energy_high: high } = await month('s01');
      should(high?.every(([time, amount]) => time === 0 && amount === 0)).be.true();
      should(readDayAmount(low, yesterday)).be.approximately(
        truth(momentOf(yesterday), momentOf(today)).production,
        0.001,
      );
    },
  );

  inHouse('second-inverter', 'lists an inverter that no alias over the internet selects', async ({ ios, remote }) => {
    (await ios())
      .filter(({ type }) => type === 'solar_energy')
      .map(({ alias }) => alias)
      .should.eql(['s01', 'mb7']);
    const listed = ((await remote('io/')).body as { data: { type: string }[] }).data;
    listed.filter(({ type }) => type === 'solar_energy').length.should.equal(2);
    for (const alias of ['s02', 's03', 'mb7']) should((await remote(`${alias}/realtime/`)).status).equal(412);
  });

  inHouse(
    'inverter-6w',
    'imports 6 W more than the house uses at night',
    ({ household, clock }) => {
      const { gridW, homeW, solarW } = household.step(clock.now());
      should([gridW - homeW, solarW]).eql([6, -6]);
    },
    night,
  );

  inHouse('no-export', 'never exports, though it produces', ({ truth, household }) => {
    const flowed = truth(household.since, now);
    should(flowed.export).equal(0);
    should(flowed.production).be.above(5);
  });

  inHouse('three-inverters', 'has three, and two of them over the internet', async ({ ios, remote, truth, month }) => {
    (await ios()).filter(({ type }) => type === 'solar_energy').length.should.equal(3);
    should((await remote('s02/realtime/')).status).equal(200);
    let produced = 0;
    for (const alias of ['s01', 's03', 'mb5']) {
      const series = Object.values(await month(alias));
      produced += series.reduce((sum, each) => sum + readDayAmount(each, yesterday), 0);
    }
    should(produced).be.approximately(truth(momentOf(yesterday), momentOf(today)).production, 0.001);
  });

  inHouse('water-only', 'has water and nothing else', async ({ ios, local, remote }) => {
    (await ios()).should.eql([{ io_id: 1, port: 4, type: 'water', alias: 'pulse-2' }]);
    for (const alias of ['p1', 'usage', 's01']) should((await local(`/${alias}/realtime/`)).status).equal(404);
    should((await remote('s03/realtime/')).status).equal(200);
  });

  for (const [house, isReading] of [
    ['gas-hourly', false],
    ['gas-hourly-readings', true],
  ] as const) {
    inHouse(house, 'has gas every hour', async ({ day, household }) => {
      const gas = (await day('p1-gas'))['gas'] ?? [];
      const noon = readDayAmount(gas, '2026-06-15T07:00:00+02:00');
      const reading = household.registers(momentOf('2026-06-15T07:00:00+02:00')).gasM3;
      const until = household.registers(momentOf('2026-06-15T08:00:00+02:00')).gasM3;
      times(gas)
        .every((time) => (time % hourMs) % (hourMs - 1) === 0)
        .should.be.true();
      should(noon).be.approximately(isReading ? reading : until - reading, 1e-6);
    });
  }

  for (const [house, iso, tariff] of [
    ['belgium', '2026-06-15T12:00:00+02:00', 1],
    ['belgium', '2026-06-15T22:00:00+02:00', 2],
    ['belgium', '2026-06-14T12:00:00+02:00', 2],
    ['low-from-23', '2026-06-14T12:00:00+02:00', 2],
    ['low-from-23', '2026-06-15T23:00:00+02:00', 1],
    ['low-on-weekends', '2026-06-14T12:00:00+02:00', 1],
    ['low-on-weekends', '2026-06-15T23:00:00+02:00', 2],
    ['single-counter', '2026-06-15T12:00:00+02:00', 1],
  ] as const) {
    inHouse(
      house,
      `counts in t${tariff} at ${iso.slice(5, 16)}`,
      async ({ realtime, household, clock }) => {
        should(value((await realtime('p1'))['rate'])).equal(tariff);
        const { importT1Kwh, importT2Kwh, exportT1Kwh, exportT2Kwh } = household.registers(clock.now());
        const before = household.registers(millis(clock.now() - hourMs / 120));
        const [t1, t2] = [importT1Kwh - before.importT1Kwh, importT2Kwh - before.importT2Kwh];
        const [t3, t4] = [exportT1Kwh - before.exportT1Kwh, exportT2Kwh - before.exportT2Kwh];
        should(tariff === 1 ? t2 + t4 : t1 + t3).equal(0);
      },
      iso.replace(':00+', ':59+'),
    );
  }

  inHouse('single-counter', 'offers no second tariff of the inverters', async ({ totals }) => {
    (await totals('s01')).should.not.have.property('t2');
  });

  inHouse('other-zone', 'has the days of Newfoundland', async ({ day, household }) => {
    should(household.timezone).equal('America/St_Johns');
    should(times((await day('p1'))['electric_power']).at(-1)).equal(momentOf('2026-06-15T00:00:00-02:30'));
  });

  for (const [house, minutes] of [
    ['clock-slow', -7],
    ['clock-fast', 4],
  ] as const) {
    inHouse(house, `is ${minutes} minutes off`, async ({ realtime }) => {
      should((await realtime('p1'))['electric_power']?.[0]).equal(now + minutes * 60_000 - 5000);
    });
  }

  inHouse('shuffled', 'has the same minutes in no order, some of them twice', async ({ day }) => {
    const usual = await visit('standard');
    const ordered = (await usual.day('p1'))['electric_power'] ?? [];
    await usual.end();
    const series = (await day('p1'))['electric_power'] ?? [];
    const [inOrder, known] = [times(series).sort((one, other) => other - one), new Set(times(ordered))];
    should(inOrder).not.eql(times(series));
    should([...new Set(inOrder)]).eql([...known]);
    should(series.length).be.above(ordered.length + 100);
  });

  inHouse('flat', 'has a small share of the sun, no gas and no garage', async ({ truth, ios, realtime }) => {
    (await ios()).map(({ alias }) => alias).should.eql(['p1', 's01', 'pulse-2']);
    should((await realtime('p1'))['gas']).eql([0, 0]);
    should(truth(momentOf(yesterday), momentOf(today)).production).be.within(0.2, 4);
  });

  inHouse('webhook-only', 'answers nothing, and delivers', async ({ local, remote, origin, webhook }) => {
    should((await local('/io')).status).equal(404);
    should((await remote('io/')).status).equal(403);
    should((await fetch(`${origin}/api/v1/public/meters`)).status).equal(403);
    should(webhook()['zon']?.['electric_energy_export']?.['reading']?.value).be.above(0);
  });
});
