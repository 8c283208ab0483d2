/** The hours of a day as statistics of Home Assistant: the commands, their acceptance, and the resulting bars. */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import { createFormatter } from '../../../src/formats/formatter';
import { minuteMs, hourMs } from '../../../src/time/units';
import { LongTermStatistics } from '../../support/home-assistant/home-assistant-statistics';
import { meter, minutesFrom, period, prices, reading, SOURCE } from '../../support/balance/small-house';
import { describeFormatError } from '../../support/formats/errors';
import { houseDay, houseNow, MAC, S } from '../../support/formats/payloads';
import { commands, makeDayBalance, format, LABEL, rows, smartMeter, START } from '../../support/formats/history-days';

describe('the hours of a day for Home Assistant', () => {
  it('are one command per statistic that has rows, for the node ha-api', () => {
    const messages = format({ payload: houseDay, topic: 'anything' });
    messages.should.deepEqual([
      {
        topic: `cemm:${MAC}_energy_import_kwh`,
        payload: {
          protocol: 'websocket',
          data: {
            type: 'recorder/import_statistics',
            metadata: {
              mean_type: 0,
              has_sum: true,
              name: 'Meter cupboard name of energy_import_kwh',
              source: 'cemm',
              statistic_id: `cemm:${MAC}_energy_import_kwh`,
              unit_class: 'energy',
              unit_of_measurement: 'kWh',
            },
            stats: [
              { start: '2026-10-24T22:00:00.000Z', state: 10.25, sum: 10.25 },
              { start: '2026-10-24T23:00:00.000Z', state: 11.25, sum: 11.25 },
            ],
          },
        },
        parts: { id: houseDay.id, index: 0, count: 2 },
      },
      {
        topic: `cemm:${MAC}_cost`,
        payload: {
          protocol: 'websocket',
          data: {
            type: 'recorder/import_statistics',
            metadata: {
              mean_type: 0,
              has_sum: true,
              name: 'Meter cupboard name of cost',
              source: 'cemm',
              statistic_id: `cemm:${MAC}_cost`,
              unit_class: null,
              unit_of_measurement: 'EUR',
            },
            stats: [{ start: '2026-10-24T22:00:00.000Z', state: 0.04, sum: 0.04 }],
          },
        },
        parts: { id: houseDay.id, index: 1, count: 2 },
      },
    ]);
  });

  it('are one statistic with 24 rows and its unit, for every quantity', () => {
    const ofDay = (name: string, role: 'gas' | 'water' | 'production') =>
      meter(name, role, {
        readings: [reading(role, START - 1000, 5), reading(role, START + 24 * hourMs - 1000, 29)],
        shapes: {
          [role]: minutesFrom(
            START,
            Array.from({ length: 1440 }, () => 1000),
          ),
        },
      });
    const house = [
      smartMeter(LABEL, 500),
      ofDay('s01', 'production'),
      ofDay('p1-gas', 'gas'),
      ofDay('pulse-1', 'water'),
    ];
    const statistics = new LongTermStatistics();
    const payload = makeDayBalance(LABEL, house, { prices: prices({ currency: 'EUR', import: 0.25, gas: 1 }) });
    for (const command of commands(payload)) statistics.runCommand({ ...command });
    const known = [...statistics.metadata].map(([id, { name, unit_of_measurement: unit, unit_class: unitClass }]) => [
      id,
      { name, unit, unitClass },
    ]);
    known.should.deepEqual([
      [`cemm:${MAC}_energy_import_kwh`, { name: 'CEMM name of energy_import_kwh', unit: 'kWh', unitClass: 'energy' }],
      [
        `cemm:${MAC}_energy_production_kwh`,
        { name: 'CEMM name of energy_production_kwh', unit: 'kWh', unitClass: 'energy' },
      ],
      [`cemm:${MAC}_gas_m3`, { name: 'CEMM gas_m3', unit: 'm³', unitClass: 'volume' }],
      [`cemm:${MAC}_water_m3`, { name: 'CEMM name of water_m3', unit: 'm³', unitClass: 'volume' }],
      [`cemm:${MAC}_cost`, { name: 'CEMM name of cost', unit: 'EUR', unitClass: null }],
    ]);
    for (const id of statistics.ids) statistics.rows(id).should.have.length(24, id);
    for (const { metadata } of commands(payload)) {
      metadata.should.have.property('mean_type', 0);
      metadata.should.not.have.property('has_mean');
    }
  });

  it('have an id that Home Assistant accepts, for a house without a MAC address', () => {
    const [message] = format({ payload: { ...houseDay, monitor: { id: null }, installation: ' House  __7_' } });
    should(message?.topic).equal('cemm:house_7_energy_import_kwh');
    describeFormatError(() => format({ payload: { ...houseDay, monitor: { id: null } } })).should.equal(
      'INPUT no_monitor',
    );
  });

  it('have the reading at the end of the hour, and the reading minus the base', () => {
    const found = rows('energy_import_kwh', makeDayBalance(LABEL, [smartMeter(LABEL, 500)]), {
      base: { energy_import_kwh: 990 },
    });
    found.should.deepEqual(
      Array.from({ length: 24 }, (_, hour) => ({
        start: new Date(START + hour * hourMs).toISOString(),
        state: 1000.5 + hour / 2,
        sum: 10.5 + hour / 2,
      })),
    );
  });

  for (const [label, hours] of [
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ] as const) {
    it(`TD1, TD2: are ${hours} on ${label}, one after the other in UTC`, () => {
      const { start } = period(label);
      rows('energy_import_kwh', makeDayBalance(label, [smartMeter(label, 1000)]))
        .map(({ start: at, sum }) => [Date.parse(at), sum])
        .should.deepEqual(Array.from({ length: hours }, (_, hour) => [start + hour * hourMs, 1001 + hour]));
    });
  }

  it('include only past hours of today', () => {
    const now = START + 3.5 * hourMs;
    const today = makeDayBalance(LABEL, [smartMeter(LABEL, 1000)], { now, source: { ...SOURCE, fetchedAt: now } });
    rows('energy_import_kwh', today)
      .map(({ sum }) => sum)
      .should.deepEqual([1001, 1002, 1003]);
  });

  it('are also computed from quarters', () => {
    const quarters = makeDayBalance(LABEL, [smartMeter(LABEL, 1000)], { step: 'PT15M' });
    should(quarters.points).have.length(96);
    rows('energy_import_kwh', quarters).should.deepEqual(
      rows('energy_import_kwh', makeDayBalance(LABEL, [smartMeter(LABEL, 1000)])),
    );
  });

  it('are limited to the chosen fields', () => {
    const chosen = createFormatter('homeassistant-history', { fields: 'cost' });
    chosen({ payload: houseDay })
      .map(({ topic }) => topic)
      .should.deepEqual([`cemm:${MAC}_cost`]);
  });

  it('are refused if they do not begin on the hour, and for months, current balances and other kinds', () => {
    const india = { ...houseDay, period: { ...houseDay.period, start: S + hourMs / 2 } };
    const { period: day, ...others } = houseDay;
    for (const payload of [india, { ...others, period: { ...day, step: 'P1D' } }, houseNow]) {
      describeFormatError(() => format({ payload })).should.equal('UNSUPPORTED not_hourly');
    }
    describeFormatError(() => format({ payload: houseDay, base: 5 })).should.equal('INPUT not_numbers');
    describeFormatError(() => format({ payload: houseDay, history: 'new' })).should.equal('INPUT not_numbers');
    describeFormatError(() => format({ payload: houseDay, history: { sum: { cost: '5' } } })).should.equal(
      'INPUT not_numbers',
    );
  });
});

describe('an hour whose reading is not known', () => {
  it('has no row; the next row has its energy', () => {
    const payload = makeDayBalance(LABEL, [smartMeter(LABEL, 1000, 1000, (hour) => hour === 8 || hour === 9)]);
    const found = rows('energy_import_kwh', payload);
    found
      .map(({ sum }) => sum)
      .should.deepEqual(
        [1, 2, 3, 4, 5, 6, 7, 8, ...[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]].map(
          (hours) => 1000 + hours,
        ),
      );
    should(found[8]?.start).equal(new Date(START + 9 * hourMs).toISOString());
  });

  it('has no row between two outages', () => {
    const payload = makeDayBalance(LABEL, [smartMeter(LABEL, 1000, 1000, (hour) => hour === 8 || hour === 12)]);
    rows('energy_import_kwh', payload)
      .map(({ sum }) => sum - 1000)
      .should.deepEqual([1, 2, 3, 4, 5, 6, 7, 8, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('is computed from the border of the day with a reading', () => {
    const whole = smartMeter(LABEL, 1000, 1000, (hour) => hour === 8);
    const [first, last] = whole.readings;
    if (first === undefined || last === undefined) throw new Error('no readings');
    const sums = (readings: BalanceMeter['readings']) =>
      rows('energy_import_kwh', makeDayBalance(LABEL, [{ ...whole, readings }])).map(({ sum }) => sum - 1000);
    sums([first]).should.deepEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    sums([last]).should.deepEqual([9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  });

  it('has no row without a counter reading, unless the flow sets a base', () => {
    const payload = makeDayBalance(LABEL, [{ ...smartMeter(LABEL, 1000), readings: [] }]);
    rows('energy_import_kwh', payload).should.deepEqual([]);
    const found = rows('energy_import_kwh', payload, { base: { energy_import_kwh: -50 } });
    found.map(({ sum }) => sum).should.deepEqual(Array.from({ length: 24 }, (_, hour) => 51 + hour));
    for (const row of found) row.should.not.have.property('state');
  });

  it('has no row of another counter', () => {
    const inverter = meter('s01', 'production', {
      readings: [reading('production', START - 1000, 100), reading('production', START + 24 * hourMs - 1000, 124)],
    });
    const payload = makeDayBalance(LABEL, [smartMeter(LABEL, 1000), inverter]);
    rows('energy_production_kwh', payload)
      .map(({ sum }) => sum)
      .should.deepEqual([124]);
    rows('energy_import_kwh', payload).should.have.length(24);
  });

  it('is computed from the end of the day in an incremental balance', () => {
    const payload = makeDayBalance(LABEL, [smartMeter(LABEL, 1000)]);
    const sums = (from: number, to: number) =>
      rows('energy_import_kwh', { ...payload, points: payload.points?.slice(from, to) ?? [] }).map(
        ({ sum }) => sum - 1000,
      );
    sums(20, 24).should.deepEqual([21, 22, 23, 24]);
    sums(0, 2).should.deepEqual([1, 2]);
    sums(2, 4).should.deepEqual([]);
  });

  it('has no row if the base is null', () => {
    rows('energy_import_kwh', houseDay, { base: { energy_import_kwh: null } }).should.deepEqual([]);
  });
});

describe('a counter that falls', () => {
  for (const [what, isLost, missing] of [
    ['', () => false, 0],
    [', and after an outage on the same day', (hour: number) => hour === 8 || hour === 9, 1],
  ] as const) {
    it(`BA21: through an exchange of the meter goes on in the sum, and has no negative bar${what}`, () => {
      const { start, end } = period(LABEL);
      const exchanged = meter('p1', 'grid', {
        ...smartMeter(LABEL, 1000, 1000, isLost),
        readings: [
          reading('import', start - 1000, 1000),
          reading('import', start + 12 * hourMs, 1012),
          reading('import', start + 12 * hourMs + minuteMs, 0),
          reading('import', end - 1000, 12 - 1 / 60),
        ],
      });
      const payload = makeDayBalance(LABEL, [exchanged]);
      const found = rows('energy_import_kwh', payload, { base: { energy_import_kwh: 1000 } });
      found.should.have.length(24 - missing);
      for (const { start: at, sum } of found) sum.should.be.approximately((Date.parse(at) - START) / hourMs + 1, 1e-3);
      found.flatMap(({ state }) => state ?? []).should.deepEqual([11.983333]);
    });
  }

  it('BA21: as that of an inverter does at night has no row until it is past its highest reading', () => {
    const watts = Array.from({ length: 1440 }, (_, minute) => (minute >= 480 && minute < 1200 ? 1000 : -60));
    const total = watts.reduce((sum, value) => sum + value / 60_000, 0);
    const inverter = meter('s01', 'production', {
      readings: [
        reading('production', START - 1000, 100),
        reading('production', START + 24 * hourMs - 1000, 100 + total),
      ],
      shapes: { production: minutesFrom(START, watts) },
    });
    const payload = makeDayBalance(LABEL, [inverter]);
    const base = { energy_production_kwh: 90 };
    const found = rows('energy_production_kwh', payload, { base });
    found.map(({ sum }) => sum).should.deepEqual(Array.from({ length: 12 }, (_, hour) => 10.52 + hour));
    // On the evening before, it had counted to 11 before it began to fall.
    const sum = { energy_production_kwh: 11 };
    rows('energy_production_kwh', payload, { history: { base, sum, reading: { energy_production_kwh: 100 } } })
      .map(({ sum: upTo }) => upTo)
      .should.deepEqual(found.slice(1).map(({ sum: upTo }) => upTo));
  });
});

describe('costs', () => {
  const fixed = { currency: 'EUR', import: 0.25, per_day: 2.4 };

  it('are a running sum from the base', () => {
    const payload = makeDayBalance(LABEL, [smartMeter(LABEL, 1000)], { prices: prices(fixed) });
    rows('cost', payload, { base: { cost: -10 } })
      .map(({ sum, state }) => [sum, state])
      .should.deepEqual(
        Array.from({ length: 24 }, (_, hour) => Math.round((10 + (hour + 1) * 0.35) * 1e6) / 1e6).map((sum) => [
          sum,
          sum,
        ]),
      );
  });

  it('exist for every hour if only gas without a price is estimated', () => {
    const p1 = smartMeter(LABEL, 500);
    const gas = [reading('gas', START, 100), reading('gas', period(LABEL).end, 103)];
    const house = [{ ...p1, readings: [...p1.readings, ...gas] }];
    const priced = (input: object) => makeDayBalance(LABEL, house, { prices: prices({ currency: 'EUR', ...input }) });
    const unpriced = priced({ import: 0.2 });
    unpriced.estimated.should.have.length(24);
    rows('cost', unpriced).should.have.length(24);
    rows('energy_import_kwh', unpriced).should.have.length(24);
    // With a price of gas, the cost of an hour is unknown; only the day's total is known.
    rows('cost', priced({ import: 0.2, gas: 1.3 })).should.have.length(1);
  });

  it('may fall while export earns more than import costs', () => {
    const { start, end } = period(LABEL);
    const given = meter('p1', 'grid', {
      readings: [
        reading('import', start, 5),
        reading('import', end, 5),
        reading('export', start, 5),
        reading('export', end, 29),
      ],
      shapes: {
        import: minutesFrom(
          start,
          Array.from({ length: 1440 }, () => 0),
        ),
        export: minutesFrom(
          start,
          Array.from({ length: 1440 }, () => 1000),
        ),
      },
    });
    const payload = makeDayBalance(LABEL, [given], { prices: prices({ currency: 'EUR', export: 0.1 }) });
    rows('cost', payload)
      .map(({ sum }) => sum)
      .should.deepEqual(Array.from({ length: 24 }, (_, hour) => Math.round((hour + 1) * -1e5) / 1e6));
  });

  it('are at the end of the day for prices by tariff', () => {
    const byTariff = smartMeter(LABEL, 1000);
    const tariffs = byTariff.readings.flatMap((one) => [
      { ...one, counter: 'import_t1' as const },
      reading('import_t2', one.ts, 7),
    ]);
    const payload = makeDayBalance(LABEL, [{ ...byTariff, readings: [...byTariff.readings, ...tariffs] }], {
      prices: prices({ currency: 'EUR', import: { t1: 0.25, t2: 0.3 } }),
    });
    rows('cost', payload).should.deepEqual([{ start: new Date(START + 23 * hourMs).toISOString(), state: 6, sum: 6 }]);
  });
});
