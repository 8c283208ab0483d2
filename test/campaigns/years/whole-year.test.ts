/**
 * Every interface compared with every other, for a whole year with both clock changes: the minutes of a day add up to the day
 * of the month, days to the month of the year, months to the year, and all of them to the registers.
 */
import should from 'should';
import { periodFromLabel } from '../../../src/calendar/periods';
import type { PeriodSeriesPayload, TotalsPayload } from '../../../src/model/payload';
import { millis } from '../../../src/time/units';
import {
  amountOfDay,
  listPeriodLabels,
  openHouse,
  sumSeriesField,
  sumNumbers,
  zone,
  type House,
  type Transport,
} from '../../support/clients/both-interfaces';

const testYear = 2026;
const afterYear = millis(Date.parse('2027-01-03T12:00:00+01:00'));
/** Rounding errors of half a million additions. */
const roundingError = 1e-6;
/** kWh. For the last second of a day only the mean of its minute is known, which differs for a cycling load. */
const lastSecondKwh = 0.0005;

interface Meter {
  readonly alias: string;
  /** Field of its months and years. */
  readonly amount: string;
  /** Days that are compared with the registers: all, or every n-th besides those of the clock changes. */
  readonly everyDay: number;
  readonly counted: (totals: TotalsPayload) => number;
}

function value(totals: TotalsPayload, field: string): number {
  return totals.values[field] ?? NaN;
}

const grid: Meter = {
  alias: 'p1',
  amount: 'energy_net_kwh',
  everyDay: 1,
  counted: (totals) => value(totals, 'energy_import_kwh') - value(totals, 'energy_export_kwh'),
};
/** Over remote a pulse meter has net readings only; local ones are rounded to 10 Wh, but its registers are not. */
function produced(totals: TotalsPayload): number {
  const difference = value(totals, 'energy_production_kwh') - value(totals, 'energy_own_use_kwh');
  if (Number.isNaN(difference)) return value(totals, 'energy_net_kwh');
  value(totals, 'energy_net_kwh').should.be.approximately(difference, 0.0101);
  return difference;
}
const roof: Meter = { alias: 's01', amount: 'energy_net_kwh', everyDay: 19, counted: produced };
const garage: Meter = { alias: 'mb5', amount: 'energy_net_kwh', everyDay: 19, counted: produced };
const gas: Meter = {
  alias: 'p1-gas',
  amount: 'gas_m3',
  everyDay: 19,
  counted: (totals) => value(totals, 'gas_m3'),
};
const water: Meter = {
  alias: 'pulse-2',
  amount: 'water_m3',
  everyDay: 19,
  counted: (totals) => value(totals, 'water_m3'),
};

const days = listPeriodLabels('day', testYear);
const months = listPeriodLabels('month', testYear);
const changes = ['2026-03-29', '2026-10-25'];
const lengths: Readonly<Record<string, number>> = { '2026-03-29': 23, '2026-10-25': 25 };

describe('a whole year, held against itself', function () {
  this.timeout(120_000);
  let household: House;

  before(async () => {
    household = await openHouse(afterYear);
  });
  after(() => household.close());
  beforeEach(() => {
    household.clock.set(afterYear);
  });

  /** The days of the year by month, from the month series. */
  async function readMonths(transport: Transport, alias: string): Promise<Map<string, PeriodSeriesPayload>> {
    const read = new Map<string, PeriodSeriesPayload>();
    for (const month of months) read.set(month, await household.series(transport, alias, month));
    return read;
  }

  /** Counter of the meter at the start of the day, kWh or m³. */
  async function countedAt(transport: Transport, { alias, counted }: Meter, day: string): Promise<number> {
    const { start } = periodFromLabel(day, zone);
    if (transport === 'remote') {
      // The last reading of the day before is one second old at midnight, and power flowed in that second.
      const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
      const totals = await household.totals('remote', alias, before);
      totals.period.final.should.be.true();
      if (alias === 'p1-gas') return counted(totals) + (await sinceLastGas(before));
      totals.ts.should.equal(start - 1000);
      const series = await household.series('remote', alias, before);
      return counted(totals) + Number(series.points.at(-1)?.['power_w']) / 3_600_000;
    }
    // A monitor has current readings only; the gas reading is in a telegram that is five seconds old.
    household.clock.set(millis(alias === 'p1-gas' ? start + 5000 : start));
    const totals = await household.totals('local', alias, day);
    totals.ts.should.equal(start);
    totals.period.label.should.equal(day);
    household.clock.set(afterYear);
    return counted(totals);
  }

  /** The gas meter reports every five minutes: its last reading of a day excludes the flow after 23:55. */
  async function sinceLastGas(day: string): Promise<number> {
    const series = await household.series('remote', 'p1-gas', day);
    return sumNumbers(series.points.slice(-5).map((point) => Number(point['gas_lpm']))) / 1000;
  }

  const cases: readonly (readonly [Transport, Meter])[] = [
    ['remote', grid],
    ['local', grid],
    ['remote', roof],
    ['local', roof],
    ['remote', gas],
    ['local', gas],
    ['local', garage],
    ['local', water],
  ];

  for (const [transport, meter] of cases) {
    const { alias, amount, everyDay } = meter;

    describe(`${alias}, ${transport}`, () => {
      let byMonth: Map<string, PeriodSeriesPayload>;

      before(async () => {
        household.clock.set(afterYear);
        byMonth = await readMonths(transport, alias);
      });

      const ofDay = (day: string): number => {
        const { start } = periodFromLabel(day, zone);
        const point = byMonth.get(day.slice(0, 7))?.points.find(({ ts }) => ts === start);
        return point?.[amount] ?? NaN;
      };

      it('the minutes of a day add up to the day of the month', async () => {
        for (const day of days.filter((label, index) => index % everyDay === 0 || changes.includes(label))) {
          const series = await household.series(transport, alias, day);
          series.complete.should.be.true(day);
          const steps = { PT1M: 60, PT5M: 12, PT1H: 1, P1D: 0, P1M: 0 }[series.period.step];
          series.points.should.have.length((lengths[day] ?? 24) * steps);
          amountOfDay(series).should.be.approximately(ofDay(day), roundingError, day);
        }
      });

      it('every day of the year is there, and days add up to months, months to the year', async () => {
        const year = await household.series(transport, alias, String(testYear));
        year.complete.should.be.true();
        year.points.map(({ ts }) => ts).should.eql(months.map((label) => periodFromLabel(label, zone).start));
        for (const [index, month] of months.entries()) {
          const series = byMonth.get(month);
          if (series === undefined) throw new Error(`no month ${month}`);
          series.complete.should.be.true(month);
          const inMonth = days.filter((day) => day.startsWith(month));
          series.points.map(({ ts }) => ts).should.eql(inMonth.map((day) => periodFromLabel(day, zone).start));
          const point = year.points[index];
          for (const field of Object.keys(year.fields)) {
            sumSeriesField(series, field).should.be.approximately(
              point?.[field] ?? NaN,
              roundingError,
              `${month} ${field}`,
            );
          }
        }
        sumSeriesField(year, amount).should.be.approximately(sumNumbers(days.map(ofDay)), roundingError);
      });

      it('registers count what the series show: each month, the days of the clock changes, and the year', async () => {
        const year = await household.series(transport, alias, String(testYear));
        const starts = [...months.map((month) => `${month}-01`), '2027-01-01'];
        const counted = [];
        for (const start of starts) counted.push(await countedAt(transport, meter, start));
        counted.every(Number.isFinite).should.be.true();
        const dust = transport === 'remote' && alias !== 'p1-gas' ? lastSecondKwh : roundingError;
        for (const [index, month] of months.entries()) {
          const difference = (counted[index + 1] ?? NaN) - (counted[index] ?? NaN);
          difference.should.be.approximately(year.points[index]?.[amount] ?? NaN, dust, month);
        }
        ((counted.at(-1) ?? NaN) - (counted[0] ?? NaN)).should.be.approximately(sumSeriesField(year, amount), dust);
        for (const day of changes) {
          const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
          const difference = (await countedAt(transport, meter, next)) - (await countedAt(transport, meter, day));
          difference.should.be.approximately(ofDay(day), dust, day);
        }
      });
    });
  }

  it('gives the same months and the same year through both interfaces', async () => {
    for (const alias of ['p1', 's01', 'p1-gas']) {
      for (const label of [...months, String(testYear)]) {
        const [remote, local] = await Promise.all([
          household.series('remote', alias, label),
          household.series('local', alias, label),
        ]);
        remote.points.should.eql(local.points, `${alias} ${label}`);
        remote.id.should.equal(local.id);
      }
    }
  });
});

describe('a running day, held against itself', function () {
  this.timeout(60_000);

  for (const now of ['2026-06-17T15:20:30+02:00', '2026-10-25T02:30:10+02:00', '2026-10-25T02:30:10+01:00']) {
    for (const transport of ['remote', 'local'] as const) {
      it(`${now}, ${transport}: nothing of the future, and the sums of what is there`, async () => {
        const at = millis(Date.parse(now));
        const household = await openHouse(at, { since: millis(at - 40 * 86_400_000) });
        try {
          const label = now.slice(0, 10);
          const { start } = periodFromLabel(label, zone);
          const [day, month, year] = await Promise.all(
            [label, now.slice(0, 7), now.slice(0, 4)].map((each) => household.series(transport, 'p1', each)),
          );
          if (day === undefined || month === undefined || year === undefined) throw new Error('three were asked for');
          [day, month, year].map(({ complete }) => complete).should.eql([false, false, false]);
          day.points.should.have.length(Math.floor((at - start) / 60_000));
          month.points.should.have.length(Number(label.slice(8)));
          year.points.should.have.length(Number(label.slice(5, 7)));
          amountOfDay(day).should.be.approximately(month.points.at(-1)?.['energy_net_kwh'] ?? NaN, roundingError);
          sumSeriesField(month, 'energy_net_kwh').should.be.approximately(
            year.points.at(-1)?.['energy_net_kwh'] ?? NaN,
            roundingError,
          );
          day.stats.futureTrimmed.should.be.above(0);
          should(day.points.every((point) => point['power_w'] !== null)).be.true();
        } finally {
          await household.close();
        }
      });
    }
  }
});
