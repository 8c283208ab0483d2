/** The carpet of a year: which hours have which colour, and which stay empty. */
import should from 'should';
import { carpetOf, findCarpetDay } from '../../../nodes/cemm-page/page/draw/carpet';
import { localTime } from '../../../nodes/cemm-page/page/draw/dates';
import type { Carpet, Level } from '../../../nodes/cemm-page/page/draw/pictures';
import type { BalancePayload } from '../../../src/model/payload';
import { hourMs } from '../../../src/time/units';
import { Random } from '../../support/random';
import { cardOf, type Change, drawnOf } from '../../support/page/drawn-house';
import { sharedAnswers } from '../../support/page/house-answers';
import { balanceWith, sheetAt, zone } from '../../support/page/sheet';

const start = Date.parse('2026-01-01T00:00:00+01:00');
const end = Date.parse('2027-01-01T00:00:00+01:00');

type Hours = NonNullable<BalancePayload['hours']>;

const withSun = { energy_production_kwh: 4000 };
const noSun = {};

function yearWith(hours: Hours, values: object = noSun, from = start, to = end, label = '2026'): BalancePayload {
  const period = { unit: 'year', label, timezone: zone, start: from, end: to, step: 'P1M' } as const;
  return balanceWith({ period, hours, values: { ...values } });
}

function drawn(hours: Hours, values: object = noSun, moment = end): Carpet {
  const carpet = carpetOf(sheetAt(moment), yearWith(hours, values));
  if (carpet === null) throw new Error('no carpet');
  return carpet;
}

/** Day and hour → level, read from the paths. */
function cellsOf({ paths }: Carpet): Map<string, Level> {
  const cells = new Map<string, Level>();
  for (const { level, d } of paths)
    for (const [, day = '', hour = '', height = ''] of d.matchAll(/M(\d+) (\d+)h1v(\d+)h-1z/g))
      for (let one = 0; one < Number(height); one++) cells.set(`${day} ${Number(hour) + one}`, level);
  return cells;
}

function everyHour(value: (index: number) => number | null): (number | null)[] {
  return Array.from({ length: (end - start) / hourMs }, (_, index) => value(index));
}

describe('the carpet of a year', () => {
  it('gives an hour the colour of import less export', () => {
    const import_ = [59, 199, 200, 500, 1100, 0, 0, 0, 0, 20, 0];
    const export_ = [0, 0, 0, 0, 0, 200, 300, 800, 1600, 10, 0];
    const filled = (values: number[]): (number | null)[] => everyHour((index) => values[index] ?? null);
    const cells = cellsOf(drawn({ energy_import_kwh: filled(import_), energy_export_kwh: filled(export_) }, withSun));
    Array.from({ length: 11 }, (_, hour) => cells.get(`0 ${hour}`)).should.eql([-1, -1, -2, -3, -4, 1, 2, 3, 4, 0, 0]);
    cells.size.should.equal(11);
  });

  it('leaves an hour empty that is not known, and one whose export is not known in a house with sun', () => {
    const known = drawn({ energy_import_kwh: everyHour((index) => (index === 5 ? null : 0)) });
    cellsOf(known).size.should.equal(365 * 24 - 2);
    should(cellsOf(known).get('0 5')).equal(undefined);
    const half = drawn(
      { energy_import_kwh: everyHour(() => 100), energy_export_kwh: everyHour((index) => (index < 24 ? null : 0)) },
      withSun,
    );
    should(cellsOf(half).get('0 5')).equal(undefined);
    should(cellsOf(half).get('1 5')).equal(-1);
  });

  it('places every hour where the clock of the house says', () => {
    const random = new Random(7);
    const levels: Level[] = [-1, -2, -3, -4];
    const amounts = [100, 300, 700, 1500];
    const picked = everyHour(() => random.int(0, 3));
    const cells = cellsOf(drawn({ energy_import_kwh: picked.map((one) => amounts[one ?? 0] ?? 0) }));
    picked.forEach((one, index) => {
      const { day, hour } = localTime(start + index * hourMs, zone);
      const column = Math.round((Date.parse(`${day}T12:00Z`) - Date.parse('2026-01-01T12:00Z')) / (24 * hourMs));
      // The hour that occurs twice has a mean.
      if (day !== '2026-10-25' || hour !== 2)
        should(cells.get(`${column} ${hour}`)).equal(levels[one ?? 0], `${day} ${hour}`);
    });
  });

  it('has no cell for the hour that does not exist, and the mean of the one that occurs twice', () => {
    const twice = [Date.parse('2026-10-25T02:00+02:00'), Date.parse('2026-10-25T02:00+01:00')].map(
      (ts) => (ts - start) / hourMs,
    );
    const cells = cellsOf(
      drawn({ energy_import_kwh: everyHour((index) => (index === twice[0] ? 100 : index === twice[1] ? 500 : 0)) }),
    );
    should(cells.get('297 2')).equal(-2);
    should(cells.get('87 2')).equal(undefined);
    cells.size.should.equal(365 * 24 - 1);
  });

  it('merges equal hours of a day into one rectangle', () => {
    const { paths } = drawn({ energy_import_kwh: everyHour(() => 100) });
    should(paths.map(({ level }) => level)).eql([-1]);
    // Two on the day without an hour.
    should(paths[0]?.d.match(/z/g)?.length).equal(366);
  });

  it('marks a month without a known hour, and one that has not begun', () => {
    const april = (Date.parse('2026-04-01T00:00+02:00') - start) / hourMs;
    const { unknown } = drawn(
      { energy_import_kwh: everyHour((index) => (index >= april && index < april + 24 ? 100 : null)) },
      noSun,
      Date.parse('2026-10-27T13:40+01:00'),
    );
    unknown.length.should.equal(11);
    unknown
      .filter(({ isFuture }) => isFuture)
      .map(({ x, width }) => [x, width])
      .should.eql([
        [304, 30],
        [334, 31],
      ]);
    should(unknown[1]).eql({ x: 31, width: 28, isFuture: false });
  });

  it('has 366 columns in a leap year', () => {
    const [from, to] = [Date.parse('2028-01-01T00:00+01:00'), Date.parse('2029-01-01T00:00+01:00')];
    const hours = { energy_import_kwh: Array.from({ length: 366 * 24 }, () => 100) };
    const carpet = carpetOf(sheetAt(to), yearWith(hours, noSun, from, to, '2028'));
    should(carpet?.days).equal(366);
    should(carpet?.months[2]?.at).be.approximately((100 * 60) / 366, 0.01);
    findCarpetDay({ year: '2028', days: 366 }, 59.5 / 366).should.equal('2028-02-29');
  });

  it('opens the day below the finger', () => {
    const year = { year: '2026', days: 365 };
    [-0.1, 0, 0.9999, 1]
      .map((share) => findCarpetDay(year, share))
      .should.eql(['2026-01-01', '2026-01-01', '2026-12-31', '2026-12-31']);
  });

  it('shows only the colours of import in a house without sun, and nothing without electricity', () => {
    drawn({ energy_import_kwh: everyHour(() => 0) }).levels.should.eql([-4, -3, -2, -1]);
    should(carpetOf(sheetAt(end), yearWith({ gas_m3: [1] }))).equal(null);
    should(carpetOf(sheetAt(end), balanceWith({}))).equal(null);
  });

  it('has paths that stay below 130 kB when each hour differs from the next', () => {
    const random = new Random(3);
    const hours = {
      energy_import_kwh: everyHour(() => Math.max(0, Math.round(1500 * random.next() - 500))),
      energy_export_kwh: everyHour(() => Math.max(0, Math.round(2000 * random.next() - 1200))),
    };
    const { paths } = drawn(hours, withSun);
    paths.reduce((sum, { d }) => sum + d.length, 0).should.be.below(130_000);
  });

  it('has no heading before it is seen, and no place where no hour is known', async function () {
    this.timeout(120_000);
    const moment = Date.parse('2026-02-01T00:20:00+01:00');
    const titles = async (seesCarpet: boolean, change: Change): Promise<string[]> => {
      const { cards } = await drawnOf({ view: 'year', seesCarpet, compare: 'none' }, { moment, change });
      return cards.filter(({ isCarpet }) => isCarpet).map(({ title }) => title);
    };
    should(await titles(false, (balance) => balance)).eql(['']);
    should(await titles(true, (balance) => balance)).eql(['The year of your house']);
    const unknown = { energy_import_kwh: everyHour(() => null), energy_export_kwh: everyHour(() => null) };
    should(await titles(true, (balance) => ({ ...balance, hours: unknown }))).eql([]);
  });

  it('is drawn from the answer of a house, with the colour of what flowed in each hour', async function () {
    this.timeout(120_000);
    const moment = Date.parse('2026-02-01T00:20:00+01:00');
    const { carpet } = cardOf(
      await drawnOf({ view: 'year', seesCarpet: true, compare: 'none' }, { moment }),
      'The year of your house',
    );
    const cells = cellsOf(carpet ?? drawn({}));
    cells.size.should.equal(31 * 24);
    const { flowed } = sharedAnswers('standard', moment);
    const limits = [200, 500, 1100];
    const wrong = [...cells].filter(([place, level]) => {
      const [day = 0, hour = 0] = place.split(' ').map(Number);
      const from = start + (24 * day + hour) * hourMs;
      const wh = 1000 * ((flowed('import', from, from + hourMs) ?? 0) - (flowed('export', from, from + hourMs) ?? 0));
      // Near a limit it may be the next one.
      return (
        wh > 70 &&
        !limits.some((limit) => Math.abs(wh - limit) < 5) &&
        level !== -1 - limits.filter((limit) => wh >= limit).length
      );
    });
    wrong.should.eql([]);
    carpet?.levels.should.have.length(9);
  });
});
