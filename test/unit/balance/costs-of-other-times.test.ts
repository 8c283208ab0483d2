/** Costs of a time in which some prices are not valid, or that counters by tariff divide in part. */
import should from 'should';
import { billOf } from '../../../src/balance/bill/bill';
import { billedContracts, housePrices, parseHouseContracts } from '../../../src/balance/prices/house-contracts';
import { dayRange } from '../../../src/calendar/periods';
import { readContractRows } from '../../../src/balance/prices/contract-rows';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs, millis } from '../../../src/time/units';
import { perM3 } from '../../../src/balance/meters/amounts';
import { toShape } from '../../../src/balance/meters/shape';
import { balance, meter, minutesFrom, period, prices, reading, SOURCE, zone } from '../../support/balance/small-house';

const day = period('2026-06-15');
const kwh = 60_000_000;
/** 12 kWh are taken at night and given at day. */
const byNight = (watts: number, isDay: boolean) =>
  minutesFrom(
    day.start,
    Array.from({ length: 1440 }, (_, minute) => (isDay === (minute >= 360 && minute < 1080) ? watts : 0)),
  );
const grid = meter('p1', 'grid', { shapes: { import: byNight(1000, false), export: byNight(1000, true) } });

interface Written {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  readonly prices: object;
}

function contracts(written: readonly Written[]) {
  const rows = readContractRows(
    written.map((row) => ({ ...row, pricesType: 'json', prices: JSON.stringify(row.prices) })),
  );
  if ('flaw' in rows) throw new Error(JSON.stringify(rows));
  return runAtOnce(
    parseHouseContracts(
      rows.map((row) => ({ row, prices: row.prices })),
      zone,
    ),
  );
}

const list = Array.from({ length: 48 }, (_, hour) => ({
  start: Date.parse('2027-01-02T00:00:00Z') + hour * hourMs,
  value: 0.1,
}));
const now = {
  name: 'Now',
  from: '2026-01-01',
  until: '2026-12-31',
  prices: { currency: 'EUR', import: 0.25, export: 0.05 },
};
const others = {
  'by the hour from 2027': {
    name: 'Next',
    from: '2027-01-01',
    until: '',
    prices: { currency: 'EUR', import: list, export: list },
  },
  'by tariff until 2025': {
    name: 'Before',
    from: '',
    until: '2025-12-31',
    prices: { currency: 'EUR', import: { t1: 0.2, t2: 0.3 }, export: 0.05 },
  },
};

describe('the cost of a day', () => {
  for (const [name, other] of Object.entries(others)) {
    it(`is the same beside a contract ${name}`, async () => {
      const range = dayRange(zone, day.start, day.start);
      const costsBeside = async (rows: readonly Written[]): Promise<readonly unknown[]> => {
        const house = contracts(rows);
        const { cost } = balance('2026-06-15', [grid], { prices: housePrices(house, zone) });
        const parts = { monitor: { id: null }, meters: [grid], slots: 'minutes', source: SOURCE } as const;
        const bill = await billOf(
          { ...parts, period: range, now: millis(day.end + hourMs) },
          { contracts: billedContracts(house, null, zone, range), batteriesKwh: [5] },
        );
        const [own] = bill.contracts ?? [];
        return [cost?.netted, own?.moved, own?.batteries, own?.due];
      };
      const alone = await costsBeside([now]);
      should(alone.every((value) => value !== null && value !== undefined)).equal(true);
      should(await costsBeside([now, other])).deepEqual(alone);
    });
  }

  it('has no part for a contract of another time, and says why it has no total', () => {
    const gas = meter('gas', 'gas', {
      readings: [
        { counter: 'gas', ts: day.start, amount: 50e9 },
        { counter: 'gas', ts: day.end, amount: 52e9 },
      ],
    });
    const later = { name: 'Gas', from: '2026-07-01', until: '', prices: { currency: 'EUR', gas: 1.3 } };
    const own = { name: 'Now', from: '2026-01-01', until: '', prices: { currency: 'EUR', import: 0.25 } };
    const { cost, missing } = balance('2026-06-15', [grid, gas], {
      prices: housePrices(contracts([own, later]), zone),
    });
    should(cost?.total).equal(3);
    should(missing).not.have.property('cost.total');
    const listed = prices({ currency: 'EUR', import: 0.25, export: [{ start: '2026-07-01', value: 0.05 }] });
    const unpriced = balance('2026-06-15', [grid], { prices: listed });
    should(unpriced.cost?.total).equal(null);
    should(unpriced.missing).containEql({ 'cost.total': 'no_price' });
  });

  it('needs counters by tariff of every meter', () => {
    const readings = (tariffs: boolean) =>
      [0, 1].flatMap((count) => {
        const ts = count === 0 ? day.start : day.end;
        const all = [{ counter: 'import', ts, amount: kwh * (1000 + 12 * count) }] as const;
        return tariffs
          ? [
              ...all,
              { counter: 'import_t1', ts, amount: kwh * (400 + 5 * count) } as const,
              { counter: 'import_t2', ts, amount: kwh * (600 + 7 * count) } as const,
            ]
          : all;
      });
    const taking = (name: string, tariffs: boolean) =>
      meter(name, 'grid', {
        shapes: { import: byNight(1000, false), export: byNight(0, true) },
        readings: readings(tariffs),
      });
    const byTariff = prices({ currency: 'EUR', import: { t1: 0.2, t2: 0.4 } });
    const one = balance('2026-06-15', [taking('p1', true)], { prices: byTariff });
    should(one.values).containEql({ energy_import_t1_kwh: 5, energy_import_t2_kwh: 7 });
    const both = balance('2026-06-15', [taking('p1', true), taking('mb9', false)], { prices: byTariff });
    should(both.values).containEql({ energy_import_kwh: 24 }).and.not.have.property('energy_import_t1_kwh');
    should(both.cost?.total).equal(null);
    should(both.missing).containEql({ 'cost.total': 'not_by_tariff' });
  });
});

describe('the cost of a month', () => {
  it('by tariff says that it is a part where counters by tariff begin later', () => {
    const month = period('2026-06');
    const from = month.start + 14 * 24 * hourMs;
    const watts = Array<number>((month.end - month.start) / 60_000).fill(1000);
    const readings = Array.from({ length: 17 }, (_, count) => {
      const ts = from + count * 24 * hourMs;
      return [
        { counter: 'import', ts, amount: kwh * (1000 + 24 * count) },
        { counter: 'import_t1', ts, amount: kwh * (400 + 10 * count) },
        { counter: 'import_t2', ts, amount: kwh * (600 + 14 * count) },
      ] as const;
    }).flat();
    const p1 = meter('p1', 'grid', {
      shapes: {
        import: minutesFrom(month.start, watts),
        export: minutesFrom(
          month.start,
          watts.map(() => 0),
        ),
      },
      readings,
    });
    const changed = [
      { start: '2026-01-01', value: { t1: 0.24, t2: 0.28 } },
      { start: '2026-06-15', value: { t1: 0.25, t2: 0.3 } },
    ];
    const { cost, missing } = balance('2026-06', [p1], { prices: prices({ currency: 'EUR', import: changed }) });
    should(cost?.days).eql({ past: 30, known: 30, priced: 16 });
    should(missing).containEql({ 'cost.total': 'not_by_tariff' });
  });
});

describe('prices that change on a date, beside prices by the hour', () => {
  const year = period('2026');
  const months = Array.from({ length: 13 }, (_, month) =>
    month === 12 ? year.end : period(`2026-${String(month + 1).padStart(2, '0')}`).start,
  );
  const byHour = Array.from({ length: (year.end - year.start) / hourMs }, (_, hour) => ({
    start: year.start + hour * hourMs,
    value: ((hour % 24) - 5) / 100,
  }));
  const dated = (...values: readonly number[]) => [
    { start: '2026-01-01', value: values[0] },
    { start: '2026-04-01', value: values[1] },
    { start: '2026-09-01', value: values[2] },
  ];
  /** Ten more in each month than in the one before it. */
  const counted = months.map((_, month) => 5 * month * (month + 1));
  /** 3, 5 and 4 months. */
  const [winter, summer, autumn] = [60, 300, 420];

  it('have a cost over the internet, where the readings of a year are those of its months', () => {
    const readings = months.flatMap((ts, month) => [
      reading('import', ts, 1000 + (counted[month] ?? NaN)),
      reading('export', ts, 500 + (counted[month] ?? NaN)),
    ]);
    const { cost, points = [] } = balance('2026', [meter('p1', 'grid', { readings })], {
      prices: prices({
        currency: 'EUR',
        import: dated(0.2, 0.3, 0.25),
        export: byHour,
        export_fee: dated(0, 0.02, 0.01),
      }),
    });
    should(cost?.import).be.approximately(winter * 0.2 + summer * 0.3 + autumn * 0.25, 1e-9);
    should(cost?.export_fee).be.approximately(summer * 0.02 + autumn * 0.01, 1e-9);
    // Hours are not known, so the price of export stays unknown.
    should(cost?.export).equal(null);
    should(points.map((point) => point['cost_import'])).eql([2, 4, 6, 12, 15, 18, 21, 24, 22.5, 25, 27.5, 30]);
  });

  it('have no cost of a month whose hours are not known, although gas and fixed costs are', () => {
    const readings = months.map((ts, month) => reading('import', ts, 1000 + (counted[month] ?? NaN)));
    const gas = meter('p1-gas', 'gas', { readings: months.map((ts, month) => reading('gas', ts, 300 + 20 * month)) });
    const priced = { currency: 'EUR', import: byHour, gas: 1.5, per_day: 1 };
    const monthsWith = (watts: readonly (number | null)[]) => {
      const shapes = { import: minutesFrom(year.start, watts) };
      return balance('2026', [meter('p1', 'grid', { readings, shapes }), gas], { prices: prices(priced) }).points ?? [];
    };
    const [january, february] = monthsWith([]);
    should(january).containEql({ energy_import_kwh: 10, cost: null, cost_import: null, cost_gas: 30, cost_fixed: 31 });
    should(february).containEql({ energy_import_kwh: 20, cost: null, cost_gas: 30, cost_fixed: 28 });
    // 2 of 31 days were looked at, and then kept.
    const [part] = monthsWith(Array.from({ length: 2 * 1440 }, () => 12));
    should(part).containEql({ cost: null });
    should(part?.['cost_import']).be.a.Number();
    const [whole] = monthsWith(Array.from({ length: 31 * 1440 }, () => 10_000 / 744));
    should(whole?.['cost']).be.approximately(61 + (whole?.['cost_import'] ?? NaN), 1e-9);
  });

  it('have a cost of the gas that a monitor in the own network added up by the month', () => {
    const gas = toShape(
      months.slice(0, -1).map((start, month) => {
        const end = months[month + 1] ?? NaN;
        return { start, end, amount: 10 * (month + 1) * perM3, known: end - start };
      }),
    );
    const { cost } = balance('2026', [grid, meter('p1-gas', 'gas', { shapes: { gas } })], {
      prices: prices({ currency: 'EUR', import: byHour, gas: dated(1.2, 1.5, 1.4) }),
    });
    should(cost?.gas).be.approximately(winter * 1.2 + summer * 1.5 + autumn * 1.4, 1e-9);
  });

  it('have none of a month in which the price changes between its readings', () => {
    const readings = months.map((ts, month) => reading('import', ts, 1000 + (counted[month] ?? NaN)));
    const { cost } = balance('2026', [meter('p1', 'grid', { readings })], {
      prices: prices({
        currency: 'EUR',
        import: [
          { start: '2026-01-01', value: 0.2 },
          { start: '2026-04-15', value: 0.3 },
        ],
        gas: byHour,
      }),
    });
    should(cost?.import).be.approximately(winter * 0.2 + (summer + autumn - 40) * 0.3, 1e-9);
    should(cost?.coverage).be.approximately(1 - 40 / 780, 1e-9);
  });
});
