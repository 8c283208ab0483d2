/** The bill of a range of days: both sums, and what moved use and batteries would have saved. */
import should from 'should';
import type { BalanceMeter } from '../../../src/balance/meters/placed-meters';
import type { BalancePayload } from '../../../src/model/payload';
import { quarterMs, millis } from '../../../src/time/units';
import { naiveBattery, naiveMoved, type NaiveQuarter } from '../../support/balance/naive-savings';
import { meter, reading, prices, SOURCE, zone } from '../../support/balance/small-house';
import { Random } from '../../support/random';
import { billOf, type BillQuestion } from '../../../src/balance/bill/bill';
import { perKwh } from '../../../src/balance/meters/amounts';
import type { CounterReading } from '../../../src/balance/meters/readings';
import { toShape } from '../../../src/balance/meters/shape';
import type { ReadHouse } from '../../../src/balance/period/period-balance';
import { dayRange, type DayRange, periodsBetween } from '../../../src/calendar/periods';

/** A quarter of a house that knows its import and export of each, in whole Wh. */
interface QuarterOfHouse {
  readonly start: number;
  readonly taken: number;
  readonly given: number;
  readonly isLow: boolean;
}

function daysFrom(first: string, last: string): DayRange {
  return dayRange(zone, millis(Date.parse(`${first}T10:00:00Z`)), millis(Date.parse(`${last}T10:00:00Z`)));
}

function quartersOf(
  { start, end }: DayRange,
  flow: (start: number) => Omit<QuarterOfHouse, 'start'>,
): QuarterOfHouse[] {
  return Array.from({ length: (end - start) / quarterMs }, (_, index) => {
    const from = start + index * quarterMs;
    return { start: from, ...flow(from) };
  });
}

interface MeterPlan {
  /** Of the smart meter's counters; default both. */
  readonly hasTariffs?: boolean;
  readonly hasCounters?: boolean;
  /** Quarters without minutes. */
  readonly isLost?: (start: number) => boolean;
}

/** The smart meter: quarters instead of minutes, and its counters at midnight. */
function smartMeter(
  quarters: readonly QuarterOfHouse[],
  range: DayRange,
  { hasTariffs = true, hasCounters = true, isLost = () => false }: MeterPlan = {},
): BalanceMeter {
  const midnights = [
    ...periodsBetween('day', zone, range.start, millis(range.end - 1)).map(({ start }) => start),
    range.end,
  ];
  const sums = { import_t1: 0, import_t2: 0, export_t1: 0, export_t2: 0 };
  const readings: CounterReading[] = [];
  let index = 0;
  for (const midnight of midnights) {
    for (let quarter = quarters[index]; quarter !== undefined && quarter.start < midnight; quarter = quarters[index]) {
      sums[quarter.isLow ? 'import_t1' : 'import_t2'] += quarter.taken;
      sums[quarter.isLow ? 'export_t1' : 'export_t2'] += quarter.given;
      index += 1;
    }
    if (!hasCounters) continue;
    readings.push(reading('import', midnight, (sums.import_t1 + sums.import_t2) / 1000));
    readings.push(reading('export', midnight, (sums.export_t1 + sums.export_t2) / 1000));
    if (!hasTariffs) continue;
    for (const counter of ['import_t1', 'import_t2', 'export_t1', 'export_t2'] as const) {
      readings.push(reading(counter, midnight, sums[counter] / 1000));
    }
  }
  const shape = (of: 'taken' | 'given') =>
    toShape(
      quarters.flatMap((quarter) => {
        if (isLost(quarter.start)) return [];
        const amount = (quarter[of] * perKwh) / 1000;
        return [{ start: quarter.start, end: quarter.start + quarterMs, amount, known: quarterMs }];
      }),
    );
  return meter('p1', 'grid', { readings, shapes: { import: shape('taken'), export: shape('given') } });
}

function billOfMeters(
  period: DayRange,
  meters: readonly BalanceMeter[],
  asked: { readonly prices: readonly unknown[]; readonly batteries?: readonly number[] },
  more: Partial<ReadHouse> = {},
): Promise<BalancePayload> {
  const given = (index: number) => {
    const one = asked.prices[index] ?? null;
    return one === null ? null : prices(one);
  };
  const question: BillQuestion = { prices: [given(0), given(1)], batteriesKwh: asked.batteries ?? [] };
  const house: ReadHouse = {
    monitor: { id: '001122aabbcc' },
    period,
    meters,
    slots: 'minutes',
    source: SOURCE,
    now: period.end + 7_200_000,
    ...more,
  };
  return billOf(house, question);
}

const local = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Amsterdam',
  weekday: 'short',
  day: 'numeric',
  month: 'numeric',
  hour: 'numeric',
  hourCycle: 'h23',
});

function localOf(moment: number): { hour: number; weekday: string; date: string } {
  const parts = local.formatToParts(moment);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  return { hour: Number(part('hour')), weekday: part('weekday'), date: `${part('day')}-${part('month')}` };
}

/** Low: before 7:00, from 23:00 and in weekends. */
function isLow(moment: number): boolean {
  const { hour, weekday } = localOf(moment);
  return hour < 7 || hour >= 23 || weekday === 'Sat' || weekday === 'Sun';
}

/** A house with sun at noon and use in the evening. */
function randomQuarters(seed: number, range: ReturnType<typeof daysFrom>): QuarterOfHouse[] {
  const random = new Random(seed);
  const sun = random.int(200, 1200);
  return quartersOf(range, (start) => {
    const { hour } = localOf(start);
    const light = Math.max(0, Math.sin(((hour - 6) / 13) * Math.PI)) * random.next();
    const [use, made] = [random.int(20, 260) + (hour >= 17 ? 200 : 0), Math.round(sun * light)];
    const both = random.happens(0.2) ? random.int(1, 60) : 0;
    return { taken: Math.max(0, use - made) + both, given: Math.max(0, made - use) + both, isLow: isLow(start) };
  });
}

interface Tariffs {
  readonly pays: (low: boolean) => number;
  readonly gets: (low: boolean) => number;
}

function naiveOf(quarters: readonly QuarterOfHouse[], { pays, gets }: Tariffs): NaiveQuarter[] {
  let [day, date, first] = [-1, '', 0];
  return quarters.map(({ start, taken, given, isLow: low }) => {
    const today = localOf(start).date;
    if (today !== date) [day, date, first] = [day + 1, today, start];
    const hour = Math.floor((start - first) / 3_600_000);
    return { day, hour, taken: taken / 1000, given: given / 1000, pays: pays(low), gets: gets(low) };
  });
}

function savedOf({ batteries = [] }: BalancePayload): (number | null)[] {
  return batteries.map(({ saved }) => saved);
}

describe('the bill of a range of days', function () {
  this.timeout(60_000);
  const onePrice = { currency: 'EUR', import: 0.25, export: 0.05, per_day: 0.3 };

  const year = daysFrom('2025-07-01', '2026-06-30');
  /** 2,021 kWh of import and 3,078 kWh of export in 365 days. */
  const p1 = smartMeter(
    quartersOf(year, (start) => ({
      taken: share(2_021_000, (start - year.start) / quarterMs),
      given: share(3_078_000, (start - year.start) / quarterMs),
      isLow: false,
    })),
    year,
    { hasTariffs: false },
  );

  function share(wh: number, index: number): number {
    const count = (year.end - year.start) / quarterMs;
    return Math.floor((wh * (index + 1)) / count) - Math.floor((wh * index) / count);
  }

  it('is 56.65, 210.55 and 364.45 with netting by feed-in costs until 2026, and 460.85 without', async () => {
    const found: unknown[] = [];
    for (const fee of [0, 0.05, 0.1]) {
      const prices = { ...onePrice, export_fee: fee };
      const { bills } = await billOfMeters(year, [p1], { prices: [prices, onePrice] });
      found.push([bills?.[0]?.netted, bills?.[1]?.total, bills?.[1]?.netted]);
    }
    found.should.deepEqual([
      [56.65, 460.85, null],
      [210.55, 460.85, null],
      [364.45, 460.85, null],
    ]);
  });

  it('has each part, its days and its sums of energy, and nothing that production would change', async () => {
    const payload = await billOfMeters(year, [p1], { prices: [onePrice, { ...onePrice, import: 0.3 }] });
    should(payload.period).have.properties({ unit: 'range', label: '2025-07-01/2026-06-30', step: 'P1D' });
    should(payload.share).equal(1);
    payload.values.should.deepEqual({
      energy_import_kwh: 2021,
      energy_export_kwh: 3078,
      energy_net_kwh: -1057,
    });
    should(payload.points?.length).equal(365);
    should(payload.bills?.[0]).containEql({ import: 505.25, export: 153.9, fixed: 109.5, total: 460.85 });
    should(payload.bills?.[1]).containEql({ import: 606.3, total: 561.9 });
    should(payload.missing).deepEqual({});
    payload.complete.should.be.true();
  });

  it('has no bill for a blank price, and never one with the other price', async () => {
    const blank = [
      [onePrice, null],
      [onePrice],
      [onePrice, { currency: 'EUR', export: 0.05 }],
      [onePrice, { currency: 'EUR', import: 0.3 }],
      [null, onePrice],
    ];
    const month = daysFrom('2026-06-01', '2026-06-30');
    const known = smartMeter(randomQuarters(4, month), month);
    const asked = await Promise.all(blank.map((prices) => billOfMeters(month, [known], { prices, batteries: [5] })));
    asked
      .map(({ bills }) => bills?.map((bill) => bill !== null))
      .should.deepEqual([
        [true, false],
        [true, false],
        [true, false],
        [true, false],
        [false, true],
      ]);
    for (const { missing, moved, batteries } of asked.slice(0, 4)) {
      missing.should.deepEqual({ 'bills.1': 'no_price', moved: 'no_price', batteries: 'no_price' });
      should(moved).be.null();
      should(batteries).deepEqual([{ kwh: 5, saved: null }]);
    }
  });

  it('has no sum until 98 % of the days were measured', async () => {
    const hundred = daysFrom('2025-07-01', '2025-10-08');
    const quarters = randomQuarters(1, hundred);
    const at = (days: number): Promise<BalancePayload> => {
      const isLost = (start: number): boolean => start >= hundred.end - days * 24 * 4 * quarterMs;
      const known = smartMeter(quarters, hundred, { hasCounters: false, isLost });
      return billOfMeters(hundred, [known], { prices: [onePrice, onePrice], batteries: [5] });
    };
    const [enough, few] = [await at(2), await at(2.25)];
    should(enough.share).be.approximately(0.98, 1e-9);
    should(enough.bills?.includes(null)).be.false();
    should(enough.moved).be.a.Number();
    should(few.share).be.approximately(0.9775, 1e-9);
    should(few.bills).deepEqual([null, null]);
    should(few.moved).be.null();
    savedOf(few).should.deepEqual([null]);
    should(new Set(Object.values(few.missing))).deepEqual(new Set(['too_few_days']));
  });

  it('counts days that have not begun as not measured', async () => {
    const month = daysFrom('2026-01-01', '2026-01-30');
    const quarters = randomQuarters(2, month);
    const now = month.end - 10 * 24 * 4 * quarterMs;
    const p1 = smartMeter(quarters, month);
    const payload = await billOfMeters(month, [p1], { prices: [onePrice, onePrice] }, { now });
    should(payload.share).be.approximately(2 / 3, 1e-9);
    should(payload.bills).deepEqual([null, null]);
  });

  it('is the bill of a house whose gas counts in the smart meter', async () => {
    const winter = daysFrom('2026-01-01', '2026-03-31');
    const quarters = randomQuarters(3, winter);
    const known = smartMeter(quarters, winter);
    const gas = [reading('gas', winter.start, 100), reading('gas', winter.end, 350.5)];
    const prices = { ...onePrice, gas: 1.4 };
    const payload = await billOfMeters(winter, [{ ...known, readings: [...known.readings, ...gas] }], {
      prices: [prices, prices],
    });
    should(payload.bills?.[1]?.gas).equal(350.7);
    should(payload.values['gas_m3']).equal(250.5);
    should(payload.moved).be.above(0);
  });

  describe('what would have been saved', () => {
    const spring = daysFrom('2026-03-09', '2026-04-17');
    const autumn = daysFrom('2026-10-05', '2026-11-08');
    const sizes = [1, 5, 10.5];

    function near(found: number | null | undefined, expected: number, what: string): void {
      should(found).be.approximately(expected, 1e-6, what);
    }

    it('is that of an independent program at one price, with days of 23 and of 25 hours', async () => {
      for (const [seed, range] of [spring, autumn, spring, autumn].entries()) {
        const quarters = randomQuarters(seed, range);
        const prices = { ...onePrice, import: 0.31, export: 0.06, export_fee: 0.0123 };
        const { moved, batteries } = await billOfMeters(range, [smartMeter(quarters, range)], {
          prices: [null, prices],
          batteries: sizes,
        });
        const naive = naiveOf(quarters, { pays: () => 0.31, gets: () => 0.06 - 0.0123 });
        near(moved, naiveMoved(naive), `moved, seed ${seed}`);
        sizes.forEach((size, index) => {
          near(batteries?.[index]?.saved, naiveBattery(naive, size), `${size} kWh, seed ${seed}`);
        });
      }
    });

    it('finds the hours of two tariffs in the counters of each day', async () => {
      for (const [seed, range] of [spring, autumn].entries()) {
        const quarters = randomQuarters(seed + 10, range);
        const tariffs = { import: { t1: 0.24, t2: 0.31 }, export: { t1: 0.05, t2: 0.07 } };
        const { moved, batteries, bills } = await billOfMeters(range, [smartMeter(quarters, range)], {
          prices: [null, { currency: 'EUR', ...tariffs, export_fee: 0.01 }],
          batteries: sizes,
        });
        const naive = naiveOf(quarters, {
          pays: (low) => (low ? 0.24 : 0.31),
          gets: (low) => (low ? 0.05 : 0.07) - 0.01,
        });
        const total = naive.reduce((sum, { taken, given, pays, gets }) => sum + taken * pays - given * gets, 0);
        near(bills?.[1]?.total, total, `total, seed ${seed}`);
        near(moved, naiveMoved(naive), `moved, seed ${seed}`);
        sizes.forEach((size, index) => {
          near(batteries?.[index]?.saved, naiveBattery(naive, size), `${size} kWh, seed ${seed}`);
        });
      }
    });

    it('is unknown by two tariffs where counters do not show their hours', async () => {
      const quarters = randomQuarters(20, spring).map((quarter, index) => ({ ...quarter, isLow: index % 3 === 0 }));
      const prices = { currency: 'EUR', import: { t1: 0.24, t2: 0.31 }, export: 0.05 };
      const { missing, bills } = await billOfMeters(spring, [smartMeter(quarters, spring)], {
        prices: [null, prices],
        batteries: [5],
      });
      missing.should.containDeep({ moved: 'not_by_tariff', batteries: 'not_by_tariff' });
      should(bills?.[1]?.total).be.a.Number();
    });

    it('has no number at hourly prices', async () => {
      const quarters = randomQuarters(21, spring);
      const hours = quarters.filter((_, index) => index % 4 === 0).map(({ start }) => ({ start, value: 0.2 }));
      const prices = { currency: 'EUR', import: hours, export: 0.05 };
      const { missing, bills, moved } = await billOfMeters(spring, [smartMeter(quarters, spring)], {
        prices: [null, prices],
        batteries: [5],
      });
      missing.should.deepEqual({ 'bills.0': 'no_price', moved: 'hourly_price', batteries: 'hourly_price' });
      should(moved).be.null();
      should(bills?.[1]?.total).be.a.Number();
    });

    it('follows a price that changes on a date', async () => {
      const quarters = randomQuarters(22, spring);
      const change = Date.parse('2026-03-31T22:00:00Z');
      const list = [
        { start: '2026-01-01', value: 0.2 },
        { start: '2026-04-01', value: 0.4 },
      ];
      const { batteries } = await billOfMeters(spring, [smartMeter(quarters, spring)], {
        prices: [null, { currency: 'EUR', import: list, export: 0.05 }],
        batteries: [5],
      });
      const naive = naiveOf(quarters, { pays: () => 0.2, gets: () => 0.05 }).map((quarter, index) => {
        return (quarters[index]?.start ?? 0) < change ? quarter : { ...quarter, pays: 0.4 };
      });
      near(batteries?.[0]?.saved, naiveBattery(naive, 5), '5 kWh');
    });

    it('is by the hour where quarters are unknown, and unknown where hours are', async () => {
      const may = daysFrom('2026-05-01', '2026-05-31');
      const quarters = randomQuarters(23, may);
      const p1 = smartMeter(quarters, may);
      const prices = [null, onePrice];
      const byHour = await billOfMeters(may, [hourly(p1, 4)], { prices, batteries: [5] });
      const hours = naiveOf(quarters, { pays: () => 0.25, gets: () => 0.05 });
      near(byHour.moved, naiveMoved(hours), 'moved');
      should(byHour.batteries?.[0]?.saved).be.a.Number();
      const byDay = await billOfMeters(may, [hourly(p1, 96)], { prices, batteries: [5] });
      byDay.missing.should.containDeep({ moved: 'not_by_hour', batteries: 'not_by_hour' });
      should(byDay.bills?.[1]?.total).equal(byHour.bills?.[1]?.total);
    });

    /** Slots of several quarters instead of one. */
    function hourly(p1: BalanceMeter, count: number): BalanceMeter {
      const joined = (shape: BalanceMeter['shapes']['import']) => {
        if (shape === undefined) throw new Error('no shape');
        const every = (column: Float64Array, first: number): Float64Array =>
          column.filter((_, index) => index % count === first);
        const sums = Float64Array.from(every(shape.starts, 0), (_, slot) =>
          shape.amounts.subarray(slot * count, (slot + 1) * count).reduce((sum, amount) => sum + amount, 0),
        );
        const ends = Float64Array.from(every(shape.starts, 0), (start) => start + count * quarterMs);
        return {
          starts: every(shape.starts, 0),
          ends,
          amounts: sums,
          known: sums.map(() => count * quarterMs),
        };
      };
      return { ...p1, shapes: { import: joined(p1.shapes.import), export: joined(p1.shapes.export) } };
    }
  });

  it('adds up several smart meters, and is unknown where one does not answer', async () => {
    const month = daysFrom('2026-05-01', '2026-05-31');
    const quarters = randomQuarters(30, month);
    const [one, other] = [smartMeter(quarters, month), { ...smartMeter(quarters, month), name: 'p2' }];
    const both = await billOfMeters(month, [one, other], { prices: [onePrice, onePrice] });
    const single = await billOfMeters(month, [one], { prices: [onePrice, onePrice] });
    should(both.bills?.[1]?.import).be.approximately(2 * (single.bills?.[1]?.import ?? NaN), 1e-9);
    const away = meter('p2', 'grid', { isReadable: false });
    const none = await billOfMeters(month, [one, away], { prices: [onePrice, onePrice] });
    should(none.share).equal(0);
    should(none.bills).deepEqual([null, null]);
  });

  it('is without the water of a meter that cannot be read, and says so', async () => {
    const month = daysFrom('2026-05-01', '2026-05-31');
    const p1 = smartMeter(randomQuarters(30, month), month);
    const withWater = { currency: 'EUR', import: 0.25, export: 0.05, water: 1.1, per_day: 0.3 };
    const withoutWater = { currency: 'EUR', import: 0.25, export: 0.05, per_day: 0.3 };
    const both = [p1, meter('s03', 'water', { isReadable: false })];
    const { bills, missing } = await billOfMeters(month, both, { prices: [withWater, withWater] });
    const expected = await billOfMeters(month, [p1], { prices: [withoutWater, withoutWater] });
    should(bills?.map((bill) => bill?.total)).deepEqual(expected.bills?.map((bill) => bill?.total));
    should(bills?.map((bill) => bill?.water)).deepEqual([null, null]);
    should(missing).containDeep({ 'bills.0.water': 'not_readable', 'bills.1.water': 'not_readable' });
  });
});
