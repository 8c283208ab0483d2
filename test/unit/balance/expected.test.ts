/** What a contract year is expected to cost, beside the naive program on a year that is put together date by date. */
import should from 'should';
import { billOf } from '../../../src/balance/bill/bill';
import { contractYear } from '../../../src/balance/bill/contract-year';
import { billedAsAsked, parseContractsAsked } from '../../../src/balance/prices/house-contracts';
import { priceBorders } from '../../../src/balance/prices/prices';
import { dayRange } from '../../../src/calendar/periods';
import { isRecord } from '../../../src/checks/record';
import type { BalancePayload } from '../../../src/model/payload';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs, millis } from '../../../src/time/units';
import { drawNumbers } from '../../support/random';
import { SOURCE, zone } from '../../support/balance/small-house';
import { localTime, midnights, findLocalMoment, quarterMs } from '../../support/bills/calendar';
import { type Household, householdOf, buildBalanceMeters, type Quarter } from '../../support/bills/household';
import { naiveCosts, type WrittenPrices } from '../../support/bills/naive-costs';

const end2026 = findLocalMoment(2027, 1, 1);

const households = new Map<string, Household>();

/** A house with sun, from a moment until another. */
function houseIn(from: number, to: number): Household {
  const key = `${from} ${to}`;
  const household = households.get(key) ?? inventHouse(from, to);
  households.set(key, household);
  return household;
}

function inventHouse(from: number, to: number): Household {
  const draw = drawNumbers(from / hourMs);
  return householdOf(from, to, (start) => {
    const { hour, month } = localTime(start);
    const used = Math.floor(draw() * (hour >= 17 && hour < 22 ? 500 : 150));
    const made = hour >= 8 && hour < 18 ? Math.floor(draw() * (6 - Math.abs(6.5 - month)) * 90) : 0;
    return {
      import: Math.max(0, used - made),
      export: Math.max(0, made - used),
      gas: Math.floor(draw() * 30),
      water: 0,
    };
  });
}

type DateOf = readonly [year: number, month: number, day: number];

/** The quarters of each date of a year: until `today` its own, then those of the date a year before, at the same time of the clock. */
function yearInDates(known: Household, [from, to, today]: readonly [number, number, number]): Household {
  const first = known.quarters[0]?.start ?? 0;
  const days = midnights(from, to);
  const quarters = days.slice(0, -1).flatMap((date, index): Quarter[] => {
    const until = days[index + 1] ?? to;
    const { year, month, day } = localTime(date + 12 * hourMs);
    const hasDate = month !== 2 || day !== 29;
    const source = date < today ? date : findLocalMoment(year - 1, month, hasDate ? day : 28);
    const next = midnights(source, source + 26 * hourMs)[1] ?? source;
    const own = known.quarters.slice((source - first) / quarterMs, (next - first) / quarterMs);
    const placed = Array.from({ length: (until - date) / quarterMs }, (_, place): Quarter => {
      return { start: date + place * quarterMs, isLow: true, import: 0, export: 0, gas: 0, water: 0 };
    });
    for (const quarter of own) {
      const { hour, minute } = localTime(quarter.start);
      const at = date < today ? quarter.start : findLocalMoment(year, month, day, hour, minute);
      const place = placed.findIndex(({ start }) => start === at);
      const before = placed[place];
      if (before === undefined) throw new Error(`no place for ${at}`);
      placed[place] = {
        ...quarter,
        start: at,
        import: before.import + quarter.import,
        export: before.export + quarter.export,
        gas: before.gas + quarter.gas,
      };
    }
    return placed;
  });
  return { quarters, counters: new Map() };
}

interface Case {
  readonly contract: {
    readonly name: string;
    readonly from?: string;
    readonly until?: string;
    readonly prices: WrittenPrices;
  };
  readonly now: number;
  readonly known?: Household;
}

async function billAt({
  contract,
  now,
  known = houseIn(findLocalMoment(2025, 1, 1), now),
}: Case): Promise<BalancePayload> {
  const contracts = billedAsAsked(runAtOnce(parseContractsAsked([contract], zone, 'contracts')), zone);
  const year = contractYear(contracts, millis(now), zone);
  if (year === null) throw new Error('no year');
  const day = dayRange(zone, year.measured.start, year.measured.start);
  const isByHour = contracts.some(({ prices }) =>
    priceBorders(prices, year.start, year.end).some((border) => localTime(border).hour !== 0),
  );
  const house = (period: typeof day) => ({
    monitor: { id: '001122aabbcc' },
    period,
    meters: buildBalanceMeters(known, [period.start, period.end], isByHour || contract.prices.peak !== undefined),
    slots: 'minutes' as const,
    source: SOURCE,
    now,
  });
  const question = { contracts, batteriesKwh: [] };
  return billOf(house(day), question, { year, house: house(year.measured) });
}

const onePrice: WrittenPrices = { currency: 'EUR', import: 0.27, export: 0.06, per_day: 0.35, per_year: -628.96 };

describe('the expected cost of a contract year', function () {
  this.timeout(120_000);

  const cases: readonly (readonly [string, WrittenPrices, DateOf, DateOf, DateOf])[] = [
    ['one price', onePrice, [2026, 3, 1], [2027, 3, 1], [2026, 11, 24]],
    ['netting until the end of 2026', { ...onePrice, netting: true }, [2026, 7, 1], [2027, 7, 1], [2026, 11, 24]],
    [
      'two tariffs with netting, and gas',
      { currency: 'EUR', import: { t1: 0.24, t2: 0.31 }, export: { t1: 0.07, t2: 0.09 }, gas: 1.31, netting: true },
      [2026, 9, 15],
      [2027, 9, 15],
      [2026, 11, 24],
    ],
    [
      'prices by the clock, over both changes of the clock',
      {
        currency: 'EUR',
        import: { value: 0.22, zones: [{ months: 'Nov-Mar', days: 'Mon-Fri', hours: '17-22', value: 0.35 }] },
        export: { zones: [{ hours: '10-16', value: -0.02 }, { value: 0.08 }] },
      },
      [2026, 2, 10],
      [2027, 2, 10],
      [2026, 8, 20],
    ],
    [
      'a price that changes on a date to come',
      {
        currency: 'EUR',
        import: [
          { start: '2026-05-01', value: 0.3 },
          { start: '2027-01-15', value: 0.26 },
        ],
        export: 0.05434,
        export_fee: 0.05184,
      },
      [2026, 5, 1],
      [2027, 5, 1],
      [2026, 11, 24],
    ],
    ['a 29 February to come', onePrice, [2027, 6, 1], [2028, 6, 1], [2027, 11, 24]],
    ['a 29 February that was', onePrice, [2028, 6, 1], [2029, 6, 1], [2028, 11, 24]],
    ['a contract from 29 February', onePrice, [2028, 2, 29], [2029, 2, 28], [2028, 11, 24]],
  ];
  for (const [name, prices, from, until, day] of cases) {
    it(`is that of each date, for ${name}`, async () => {
      const [start, end, today] = [findLocalMoment(...from), findLocalMoment(...until), findLocalMoment(...day)];
      const known = houseIn(findLocalMoment(day[0] - 1, 1, 1), today + 30 * hourMs);
      const written = from.map((part) => String(part).padStart(2, '0')).join('-');
      const contract = { name: 'Mine', from: written, prices };
      const { expected, missing } = await billAt({ contract, now: today + 15 * hourMs, known });
      const year = yearInDates(known, [start, end, today]);
      const parts = [naiveCosts(year, prices, [start, Math.min(end, end2026)])];
      if (end > end2026 && start < end2026) parts.push(naiveCosts(year, prices, [end2026, end]));
      const [whole] = start < end2026 ? parts : [naiveCosts(year, prices, [start, end])];
      const rest = start < end2026 ? (parts[1]?.total ?? 0) : 0;
      const due = prices.netting === true ? whole?.netted : whole?.total;
      should(missing['expected']).equal(undefined);
      should(expected?.total).be.approximately((whole?.total ?? NaN) + rest, 1e-8);
      should(expected?.due).be.approximately((due ?? NaN) + rest, 1e-8);
      const over = midnights(start, today).length - 1;
      should(expected?.based_on).deepEqual({
        days_this_year: over,
        days_last_year: midnights(start, end).length - 1 - over,
      });
    });
  }

  it('begins at the last anniversary, and on 1 January without a contract with dates', async () => {
    const now = findLocalMoment(2026, 11, 24, 9);
    const old = await billAt({ contract: { name: 'Old', from: '2023-12-01', prices: onePrice }, now });
    should(old.expected?.based_on).deepEqual({ days_this_year: 358, days_last_year: 7 });
    for (const dates of [{}, { until: '2027-03-31' }, { from: '2027-01-01' }]) {
      const offer = await billAt({ contract: { name: 'Offer', ...dates, prices: onePrice }, now });
      should(offer.expected?.based_on).deepEqual({ days_this_year: 327, days_last_year: 38 });
    }
  });

  it('counts the months of the capacity tariff', async () => {
    const peak = { per_kw_year: 53.25, at_least_kw: 0.5 };
    const prices: WrittenPrices = { currency: 'EUR', import: 0.25, export: 0.03, peak };
    const [start, end, today] = [
      findLocalMoment(2026, 4, 1),
      findLocalMoment(2027, 4, 1),
      findLocalMoment(2026, 11, 24),
    ];
    const known = houseIn(findLocalMoment(2025, 1, 1), today);
    const contract = { name: 'Flanders', from: '2026-04-01', prices };
    const { expected } = await billAt({ contract, now: today + hourMs, known });
    const year = yearInDates(known, [start, end, today]);
    should(expected?.total).be.approximately(naiveCosts(year, prices, [start, end]).total ?? NaN, 1e-8);
  });

  it('is null for prices by the hour, without prices, and with fewer than 300 days', async () => {
    const now = findLocalMoment(2026, 11, 24, 9);
    const list = [0, 1, 2].map((hour) => ({ start: findLocalMoment(2026, 11, 24, hour), value: 0.2 }));
    const of = async (prices: WrittenPrices, known?: Household): Promise<BalancePayload> =>
      billAt({ contract: { name: 'Mine', from: '2026-03-01', prices }, now, ...(known !== undefined && { known }) });
    const hourly = await of({ currency: 'EUR', import: list, export: 0.05 });
    should(hourly).containEql({ expected: null });
    should(hourly.missing['expected']).equal('hourly_price');
    const gas = await of({ currency: 'EUR', gas: 1.2 });
    should(gas.missing['expected']).equal('no_price');
    const buys = await of({ currency: 'EUR', import: 0.25 });
    should(buys.missing['expected']).equal('no_price');
    const short = (first: number) => of(onePrice, houseIn(first, now));
    const days = midnights(findLocalMoment(2026, 1, 1), findLocalMoment(2026, 11, 24));
    const last = days.slice(0, -1);
    const too = await short(last.at(-299) ?? 0);
    should(too.missing['expected']).equal('too_few_days');
    should(too.expected).equal(null);
    const enough = await short(last.at(-300) ?? 0);
    const { days_this_year: now300 = 0, days_last_year: before = 0 } = enough.expected?.based_on ?? {};
    should(now300 + before).equal(300);
  });

  it('takes the days that are not known as the mean of the others', async () => {
    const [now, first] = [findLocalMoment(2026, 11, 24, 9), findLocalMoment(2026, 1, 1)];
    const prices: WrittenPrices = { currency: 'EUR', import: 0.27, export: 0.06, per_day: 0.35 };
    const known = houseIn(first, now);
    const contract = { name: 'Mine', from: '2026-03-01', prices };
    const { expected } = await billAt({ contract, now, known });
    const { import: taken, export: given } = naiveCosts(known, prices, [first, findLocalMoment(2026, 11, 24)]);
    const energy = ((taken ?? NaN) - (given ?? NaN)) * (365 / 327);
    should(isRecord(expected)).equal(true);
    should(expected?.total).be.approximately(energy + 365 * 0.35, 1e-8);
  });
});
