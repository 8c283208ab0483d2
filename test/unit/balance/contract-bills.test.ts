/** Bills by contracts, beside the naive program: each side of the end of netting is a period of its own. */
import should from 'should';
import { billOf } from '../../../src/balance/bill/bill';
import type { BilledContract, Contract } from '../../../src/balance/prices/contracts';
import {
  billedAsAsked,
  billedContracts,
  housePrices,
  parseContractsAsked,
  parseHouseContracts,
} from '../../../src/balance/prices/house-contracts';
import { daysOfPrices, pricePoints } from '../../../src/balance/prices/price-points';
import { parsePrices, priceBorders } from '../../../src/balance/prices/prices';
import { dayRange, type DayRange } from '../../../src/calendar/periods';
import type { BalanceContract, BalancePayload } from '../../../src/model/payload';
import { readContractRows } from '../../../src/balance/prices/contract-rows';
import { runAtOnce } from '../../../src/time/pause';
import { hourMs, millis } from '../../../src/time/units';
import { drawNumbers } from '../../support/random';
import { meter, SOURCE, zone } from '../../support/balance/small-house';
import { localTime, findLocalMoment } from '../../support/bills/calendar';
import { type Household, householdOf, buildBalanceMeters } from '../../support/bills/household';
import { naiveCosts, type WrittenPrices } from '../../support/bills/naive-costs';

const [begin, finish] = [findLocalMoment(2026, 1, 1), findLocalMoment(2028, 1, 1)];
const netEnd = findLocalMoment(2027, 1, 1);

/** Two years of a house with sun. */
function twoYears(seed: number, sun: number): Household {
  const draw = drawNumbers(seed);
  return householdOf(begin, finish, (start) => {
    const { hour, month } = localTime(start);
    const used = Math.floor(draw() * (hour >= 17 && hour < 22 ? 500 : 150));
    const made = hour >= 8 && hour < 18 ? Math.floor(draw() * sun * (6 - Math.abs(6.5 - month)) * 40) : 0;
    return {
      import: Math.max(0, used - made),
      export: Math.max(0, made - used),
      gas: Math.floor(draw() * 30),
      water: 0,
    };
  });
}

const household = twoYears(1, 3);

function rangeOf(from: number, to: number): DayRange {
  return dayRange(zone, millis(from), millis(to - hourMs));
}

interface Written {
  readonly name: string;
  readonly from?: string;
  readonly until?: string;
  readonly prices: object;
}

function asked(contracts: readonly Written[]): BilledContract[] {
  return billedAsAsked(runAtOnce(parseContractsAsked(contracts, zone, 'contracts')), zone);
}

function billIn(period: DayRange, contracts: readonly BilledContract[], known = household): Promise<BalancePayload> {
  const hasQuarters = contracts.some(({ prices }) =>
    priceBorders(prices, period.start, period.end).some((border) => localTime(border).hour !== 0),
  );
  const meters = buildBalanceMeters(known, [period.start, period.end], hasQuarters);
  return billOf(
    { monitor: { id: '001122aabbcc' }, period, meters, slots: 'minutes', source: SOURCE, now: finish + hourMs },
    { contracts, batteriesKwh: [] },
  );
}

function houseOf(list: readonly object[]): Contract[] {
  const read = readContractRows(list);
  if ('flaw' in read) throw new Error(read.path);
  return runAtOnce(
    parseHouseContracts(
      read.map((row) => ({ row, prices: row.prices })),
      zone,
    ),
  );
}

function first({ contracts = [] }: BalancePayload): BalanceContract {
  const [contract] = contracts;
  if (contract === undefined) throw new Error('no contract');
  return contract;
}

function holdMonths({ per_month, due, cost }: BalanceContract): void {
  const sum = (field: 'due' | 'total') => per_month.reduce((total, month) => total + (month[field] ?? NaN), 0);
  sum('due').should.be.approximately(due ?? NaN, 1e-8);
  sum('total').should.be.approximately(cost?.total ?? NaN, 1e-8);
}

const lowHigh = { import: { t1: 0.24, t2: 0.31 }, export: { t1: 0.07, t2: 0.09 } };
const kinds: readonly (readonly [string, WrittenPrices])[] = [
  ['one price', { currency: 'EUR', import: 0.27, export: 0.06, per_day: 0.35 }],
  ['a feed-in fee', { currency: 'EUR', import: 0.25, export: 0.05434, export_fee: 0.05184, per_year: -628.96 }],
  ['two tariffs', { currency: 'EUR', ...lowHigh, gas: 1.31 }],
  [
    'a price that changes within a month',
    {
      currency: 'EUR',
      import: [
        { start: '2026-01-01', value: 0.3 },
        { start: '2026-07-15', value: 0.26 },
        { start: '2027-02-10', value: 0.29 },
      ],
      export: 0.1,
    },
  ],
];

describe('a bill by contracts', function () {
  this.timeout(120_000);

  for (const [kind, prices] of kinds) {
    for (const month of kind === 'one price' ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [3, 10]) {
      it(`nets until the end of 2026 with ${kind} from month ${month}`, async () => {
        const [from, to] = [findLocalMoment(2026, month, 1), findLocalMoment(2027, month, 1)];
        const written = { name: 'Mine', from: `2026-${String(month).padStart(2, '0')}-01`, prices };
        const netting = { ...written, prices: { ...prices, netting: true } };
        const bill = await billIn(rangeOf(from, to), asked([netting, { ...written, name: 'Not netted' }]));
        const [mine, plain] = bill.contracts ?? [];
        const [before, after] = [
          naiveCosts(household, prices, [from, netEnd]),
          naiveCosts(household, prices, [netEnd, to]),
        ];
        const total = (before.total ?? NaN) + (after.total ?? NaN);
        should(mine?.due).be.approximately((before.netted ?? NaN) + (month === 1 ? 0 : (after.total ?? NaN)), 1e-8);
        should(mine?.cost?.total).be.approximately(month === 1 ? (before.total ?? NaN) : total, 1e-8);
        should(plain?.due).be.approximately(mine?.cost?.total ?? NaN, 1e-8);
        should(mine?.missing?.['due']).equal(undefined);
        should(bill.best).equal((mine?.due ?? 0) <= (plain?.due ?? 0) ? 'Mine' : 'Not netted');
        for (const one of bill.contracts ?? []) holdMonths(one);
      });
    }
  }

  it('never nets an offer, nor a contract from 2027', async () => {
    const prices = { currency: 'EUR', import: 0.27, export: 0.06, netting: true };
    const year = rangeOf(findLocalMoment(2026, 7, 1), findLocalMoment(2027, 7, 1));
    const { contracts = [] } = await billIn(
      year,
      asked([
        { name: 'Offer', prices },
        { name: 'Later', from: '2027-01-01', prices },
      ]),
    );
    for (const { due, cost } of contracts) should(due).equal(cost?.total);
  });

  it('nets on the own days of a contract alone', async () => {
    const prices = { currency: 'EUR', import: 0.27, export: 0.06 };
    const [from, start, end, to] = [
      findLocalMoment(2026, 2, 1),
      findLocalMoment(2026, 4, 1),
      findLocalMoment(2026, 10, 1),
      findLocalMoment(2026, 12, 1),
    ];
    const own = { name: 'Own', from: '2026-04-01', until: '2026-09-30', prices: { ...prices, netting: true } };
    const { due } = first(await billIn(rangeOf(from, to), asked([own])));
    const parts = [
      naiveCosts(household, prices, [from, start]).total,
      naiveCosts(household, prices, [start, end]).netted,
      naiveCosts(household, prices, [end, to]).total,
    ];
    should(due).be.approximately(
      parts.reduce<number>((sum, part) => sum + (part ?? NaN), 0),
      1e-8,
    );
  });

  it('has the total instead of netting for prices by the clock and by the hour', async () => {
    const zones = { value: 0.2, zones: [{ days: 'Mon-Fri', hours: '17-22', value: 0.35 }] };
    const period = rangeOf(findLocalMoment(2026, 5, 1), findLocalMoment(2026, 6, 1));
    const contract = { name: 'By the clock', from: '2026-01-01' };
    const prices = { currency: 'EUR', import: 0.2, export: 0.05, netting: true };
    const mine = runAtOnce(
      parseContractsAsked([{ ...contract, prices: { ...prices, import: zones } }], zone, 'contracts'),
    );
    const { due, cost, missing } = first(await billIn(period, billedAsAsked(mine, zone)));
    should(missing?.['due']).equal('hourly_price');
    should(due).equal(cost?.total);
  });

  it('does not know a netted bill by tariff without registers by tariff at that midnight', async () => {
    const [from, to] = [findLocalMoment(2026, 12, 1), findLocalMoment(2027, 2, 1)];
    const period = rangeOf(from, to);
    const meters = buildBalanceMeters(household, [from, to], true).map((one) =>
      one.role === 'grid'
        ? meter(one.name, 'grid', {
            ...one,
            readings: one.readings.filter(
              ({ counter, ts }) => !counter.includes('_t') || Math.abs(ts - netEnd) > hourMs,
            ),
          })
        : one,
    );
    const prices = { currency: 'EUR', ...lowHigh, netting: true };
    const bill = await billOf(
      { monitor: { id: '001122aabbcc' }, period, meters, slots: 'minutes', source: SOURCE, now: finish },
      { contracts: asked([{ name: 'Mine', from: '2026-01-01', prices }]), batteriesKwh: [] },
    );
    const { due, missing } = first(bill);
    should(due).equal(null);
    should(missing?.['due']).equal('not_by_tariff');
    should(bill.best).equal(null);
  });

  it('says that the tariffs are unknown, where all days are measured and the first has no readings by tariff', async () => {
    const [from, to] = [findLocalMoment(2026, 12, 1), findLocalMoment(2027, 2, 1)];
    const meters = buildBalanceMeters(household, [from, to], true).map((one) =>
      one.role === 'grid'
        ? meter(one.name, 'grid', {
            ...one,
            readings: one.readings.filter(({ counter, ts }) => !counter.includes('_t') || ts - from > hourMs),
          })
        : one,
    );
    const prices = { currency: 'EUR', ...lowHigh };
    const house = {
      monitor: { id: '001122aabbcc' },
      period: rangeOf(from, to),
      meters,
      slots: 'minutes',
      source: SOURCE,
      now: finish,
    } as const;
    const { missing, cost } = first(
      await billOf(house, { contracts: asked([{ name: 'Mine', prices }]), batteriesKwh: [] }),
    );
    should(cost).equal(null);
    should(missing).containEql({ cost: 'not_by_tariff', due: 'not_by_tariff' });
    const priced = parsePrices(prices, zone);
    const pair = await billOf(house, { prices: [priced, priced], batteriesKwh: [] });
    should(pair.missing).containEql({ 'bills.0': 'not_by_tariff', 'bills.1': 'not_by_tariff' });
  });

  it('has no month by tariff without readings by tariff at the midnight between two, and says so', async () => {
    const [from, march, april, to] = [2, 3, 4, 5].map((month) => findLocalMoment(2027, month, 1));
    if (from === undefined || march === undefined || april === undefined || to === undefined)
      throw new Error('no months');
    const meters = buildBalanceMeters(household, [from, to], true).map((one) =>
      one.role === 'grid'
        ? meter(one.name, 'grid', {
            ...one,
            readings: one.readings.filter(
              ({ counter, ts }) => !counter.includes('_t') || Math.abs(ts - march) > hourMs,
            ),
          })
        : one,
    );
    const prices = { currency: 'EUR', ...lowHigh, per_day: 0.3 };
    const bill = await billOf(
      {
        monitor: { id: '001122aabbcc' },
        period: rangeOf(from, to),
        meters,
        slots: 'minutes',
        source: SOURCE,
        now: finish,
      },
      { contracts: asked([{ name: 'Offer', prices }]), batteriesKwh: [] },
    );
    const { due, cost, missing, per_month } = first(bill);
    const whole = naiveCosts(household, prices, [from, to]).total ?? NaN;
    should(due).be.approximately(whole, 1e-8);
    should(cost?.total).be.approximately(whole, 1e-8);
    should(missing?.['per_month']).equal('not_by_tariff');
    should(per_month.slice(0, 2)).deepEqual(['2027-02', '2027-03'].map((label) => ({ label, total: null, due: null })));
    const last = naiveCosts(household, prices, [april, to]).total ?? NaN;
    should(per_month[2]?.due).be.approximately(last, 1e-8);
    should(bill.best).equal('Offer');
  });

  it('counts a blank fee of export as 0 where an earlier or later contract of the house has one', async () => {
    const [from, to] = [findLocalMoment(2026, 2, 1), findLocalMoment(2027, 2, 1)];
    const period = rangeOf(from, to);
    const plain = { currency: 'EUR', import: 0.25, export: 0.07, netting: true };
    const withFee = { ...plain, export_fee: 0.05 };
    for (const [until, since] of [
      [plain, withFee],
      [withFee, plain],
    ] as const) {
      const contracts = houseOf([
        { name: 'Old', from: '2025-03-01', until: '2026-12-31', prices: until },
        { name: 'New', from: '2027-01-01', prices: since },
      ]);
      const { due, cost, per_month, missing } = first(
        await billIn(period, billedContracts(contracts, null, zone, period)),
      );
      const [before, after] = [
        naiveCosts(household, until, [from, netEnd]),
        naiveCosts(household, since, [netEnd, to]),
      ];
      should(due).be.approximately((before.netted ?? NaN) + (after.total ?? NaN), 1e-8);
      should(cost?.export_fee).be.approximately((before.export_fee ?? 0) + (after.export_fee ?? 0), 1e-8);
      should(per_month.at(-1)?.due).be.approximately(after.total ?? NaN, 1e-8);
      should(missing).not.have.property('due');
      const days = daysOfPrices({ from: '2026-12-31', to: '2027-01-01' }, { timezone: zone, now: millis(netEnd) });
      const prices = housePrices(contracts, zone);
      const { points = [] } = pricePoints({ prices, period: days, transport: 'webhook', now: netEnd });
      const fees = [until, since].map((sheet) => ('export_fee' in sheet ? 0.05 : 0));
      points
        .map((point) => point['price_export'])
        .should.deepEqual(points.map((_, hour) => Number((0.07 - (fees[hour < 24 ? 0 : 1] ?? NaN)).toFixed(2))));
    }
  });

  it('is without gas and water that have a price in one of the contracts alone, and says so', async () => {
    const [from, to] = [findLocalMoment(2026, 2, 1), findLocalMoment(2027, 2, 1)];
    const period = rangeOf(from, to);
    const until = { currency: 'EUR', import: 0.25, export: 0.07, netting: true };
    const since = { currency: 'EUR', import: 0.29, export: 0.06 };
    const contracts = houseOf([
      { name: 'Old', from: '2025-03-01', until: '2026-12-31', prices: until },
      { name: 'New', from: '2027-01-01', prices: { ...since, gas: 1.3 } },
      { name: 'Offer', prices: { ...since, gas: 1.3 } },
    ]);
    const bill = await billIn(period, billedContracts(contracts, null, zone, period));
    const own = first(bill);
    const electricity =
      (naiveCosts(household, until, [from, netEnd]).netted ?? NaN) +
      (naiveCosts(household, since, [netEnd, to]).total ?? NaN);
    should(own.due).be.approximately(electricity, 1e-8);
    should(own.cost?.gas).equal(null);
    should(own.missing).containEql({ 'cost.gas': 'no_price' });
    holdMonths(own);
    should(bill.contracts?.[1]?.cost?.gas).be.above(0);
    should(bill.best).equal(null);
  });

  it('counts the contracts of a house at their own times, and nothing between them', async () => {
    const rows = [
      { name: 'Old', until: '2026-08-14', prices: { currency: 'EUR', import: 0.31, export: 0.1, per_day: 0.2 } },
      { name: 'Gas', from: '2026-01-01', until: '2027-12-31', prices: { currency: 'EUR', gas: 1.2 } },
      { name: 'New', from: '2026-08-15', prices: { currency: 'EUR', import: 0.26, export: 0.02, per_day: 0.4 } },
      { name: 'Offer', prices: { currency: 'EUR', import: 0.2, export: 0.01 } },
    ] as const;
    const [from, change, to] = [findLocalMoment(2026, 6, 1), findLocalMoment(2026, 8, 15), findLocalMoment(2027, 6, 1)];
    const period = rangeOf(from, to);
    const bill = await billIn(period, billedContracts(houseOf(rows), null, zone, period));
    const { name, due, per_month } = first(bill);
    const parts = [
      naiveCosts(household, rows[0].prices, [from, change]).total,
      naiveCosts(household, rows[2].prices, [change, to]).total,
      naiveCosts(household, rows[1].prices, [from, to]).gas,
    ];
    should(name).equal('Old + Gas + New');
    should(due).be.approximately(
      parts.reduce<number>((sum, part) => sum + (part ?? NaN), 0),
      1e-8,
    );
    per_month.map(({ label }) => label).should.have.length(12);
    holdMonths(first(bill));
    should(bill.contracts?.map((contract) => contract.name)).deepEqual(['Old + Gas + New', 'Offer']);
    const gap = rows.filter((row) => row.name !== 'Old').map((row) => ({ ...row }));
    const between = first(await billIn(period, billedContracts(houseOf(gap), null, zone, period)));
    should(between).containEql({ cost: null, due: null });
    should(between.missing).containEql({ due: 'too_few_days' });
  });
});
