/**
 * Bills of random contracts in random houses, beside a slow, independent program (test/support/bills). CEMM_CONTRACT_SEED begins with
 * another bill; `npm run campaign -- contracts` has 2,000 contracts.
 */
import should from 'should';
import { billOf } from '../../../src/balance/bill/bill';
import {
  billedAsAsked,
  billedContracts,
  parseContractsAsked,
  parseHouseContracts,
} from '../../../src/balance/prices/house-contracts';
import { dayRange } from '../../../src/calendar/periods';
import { readContractRows } from '../../../src/balance/prices/contract-rows';
import type { BalanceContract } from '../../../src/model/payload';
import { runAtOnce } from '../../../src/time/pause';
import { dayMs, millis } from '../../../src/time/units';
import { drawNumbers } from '../../support/random';
import { SOURCE, zone } from '../../support/balance/small-house';
import { localTime, midnights, findLocalMoment, quarterMs } from '../../support/bills/calendar';
import { type Household, householdOf, buildBalanceMeters, type Losses, noLosses } from '../../support/bills/household';
import { naiveBill, type Span, type Term } from '../../support/bills/naive-due';
import type { WrittenPrices } from '../../support/bills/naive-costs';

type Draw = () => number;

type UnitPrice = NonNullable<WrittenPrices['import']>;

function oneIn<Value>(draw: Draw, list: readonly [Value, ...Value[]]): Value {
  return list[Math.floor(draw() * list.length)] ?? list[0];
}

function priceIn(draw: Draw, least: number, most: number): number {
  return Number((least + draw() * (most - least)).toFixed(5));
}

const tariffs = (draw: Draw, least: number, most: number) => ({
  t1: priceIn(draw, least, most),
  t2: priceIn(draw, least, most),
});

/** Prices that change at some midnights, the first one before the period. */
function datedList(draw: Draw, period: Span, least: number, most: number): UnitPrice {
  const days = midnights(...period).slice(1, -1);
  const changes = Array.from(
    { length: 1 + Math.floor(draw() * 3) },
    () => days[Math.floor(draw() * days.length)] ?? period[0],
  );
  const starts = [...new Set([period[0] - 40 * 24 * 4 * quarterMs, ...changes])].sort((a, b) => a - b);
  const byTariff = draw() < 0.3;
  return starts.map((start) => ({ start, value: byTariff ? tariffs(draw, least, most) : priceIn(draw, least, most) }));
}

/** Market prices, some negative; in some lists some are missing. */
function market(draw: Draw, [from, to]: Span, stepMs: number): { start: number; value: number }[] {
  const missing = draw() < 0.3 ? 0.004 : 0;
  const starts = Array.from({ length: Math.ceil((to - from) / stepMs) }, (_, index) => from + index * stepMs);
  return starts.map((start) => ({ start, value: priceIn(draw, -0.08, 0.3) })).filter(() => draw() >= missing);
}

const times = ['7-11', '17-22', '22-1', '0:15-2:45', '2-3', '17:30-22', '0-24', '23:45-7'] as const;
const months = ['Nov-Mar', 'Apr-Oct', 'Jun,Jul', 'Oct'] as const;
const days = ['Mon-Fri', 'Sat,Sun', 'Fri-Mon', 'Sun'] as const;

function zones(draw: Draw, least: number, most: number): UnitPrice {
  const list = Array.from({ length: 1 + Math.floor(draw() * 4) }, () => {
    const zone: { value: number; hours?: string; months?: string; days?: string } = {
      value: priceIn(draw, least, most),
    };
    if (draw() < 0.7) zone.hours = oneIn(draw, times);
    if (draw() < 0.4) zone.months = oneIn(draw, months);
    if (draw() < 0.5) zone.days = oneIn(draw, days);
    return zone;
  });
  return draw() < 0.85 ? { value: priceIn(draw, least, most), zones: list } : { zones: list };
}

function energyPrice(draw: Draw, period: Span, least: number, most: number): UnitPrice {
  const isShort = period[1] - period[0] < 70 * 24 * 4 * quarterMs;
  const kinds: readonly [() => UnitPrice, ...(() => UnitPrice)[]] = [
    () => priceIn(draw, least, most),
    () => priceIn(draw, least, most),
    () => tariffs(draw, least, most),
    () => datedList(draw, period, least, most),
    () => zones(draw, least, most),
    () => market(draw, period, 4 * quarterMs),
    () => ({
      list: market(draw, period, isShort ? quarterMs : 4 * quarterMs),
      times: 1.21,
      plus: priceIn(draw, 0, 0.16),
    }),
    () => ({
      list: market(draw, period, isShort ? quarterMs : 4 * quarterMs),
      every: '1h',
      plus: priceIn(draw, -0.02, 0.1),
    }),
  ];
  return oneIn(draw, kinds)();
}

/**
 * Random prices as people have them.
 * @param withPeak sometimes with the capacity tariff
 */
function randomPrices(draw: Draw, period: Span, withPeak: boolean): WrittenPrices {
  const prices: { -readonly [Name in keyof WrittenPrices]: WrittenPrices[Name] } = {
    currency: 'EUR',
    import: energyPrice(draw, period, 0.18, 0.36),
  };
  if (draw() < 0.9) prices.export = energyPrice(draw, period, -0.02, 0.12);
  if (draw() < 0.4) prices.export_fee = energyPrice(draw, period, 0.01, 0.06);
  if (draw() < 0.4)
    prices.gas = oneIn<() => UnitPrice>(draw, [
      () => priceIn(draw, 1, 1.6),
      () => market(draw, period, 24 * 4 * quarterMs),
    ])();
  if (draw() < 0.2) prices.water = priceIn(draw, 0.8, 2);
  if (draw() < 0.5) prices.per_day = priceIn(draw, -1.8, 1.3);
  if (draw() < 0.4) prices.per_year = priceIn(draw, -630, 200);
  if (withPeak && draw() < 0.25)
    prices.peak = { per_kw_year: priceIn(draw, 35, 60), at_least_kw: oneIn(draw, [0, 2.5, 9]) };
  return prices;
}

/** First moments of the months of a period, the first one at its start. */
function monthStarts([from, to]: Span): number[] {
  return midnights(from, to).filter((at) => at < to && (at === from || localTime(at).day === 1));
}

/** Contracts of one bill. */
const contractsOfBill = 5;

const netEnd = findLocalMoment(2027, 1, 1);

interface RandomBill {
  /** What is wrong without a mark. */
  readonly broken: readonly string[];
  /** Contracts whose `due` is known and has no mark. */
  readonly exact: number;
}

/** Most periods are short; about a third have the end of netting in them, and one in ten is a year. */
function randomPeriod(draw: Draw): Span {
  const count = draw() < 0.1 ? 366 : 5 + Math.floor(draw() * 70);
  const [first, last] =
    draw() < 0.35
      ? [netEnd - Math.floor(draw() * count) * dayMs, netEnd]
      : [findLocalMoment(2026, 1, 1), findLocalMoment(2028, 7, 1)];
  const { year, month, day } = localTime(first + Math.floor(draw() * Math.max(1, (last - first) / dayMs)) * dayMs);
  const from = findLocalMoment(year, month, day);
  const end = localTime(from + count * dayMs + dayMs / 2);
  return [from, findLocalMoment(end.year, end.month, end.day)];
}

function randomHousehold(draw: Draw, [from, to]: Span): Household {
  const [use, sun] = [100 + draw() * 500, oneIn(draw, [0, 1, 3, 12])];
  return householdOf(from, to, (start) => {
    const { hour, month } = localTime(start);
    const used = Math.floor(draw() * draw() * use);
    const made = hour >= 8 && hour < 18 ? Math.floor(draw() * sun * (6 - Math.abs(6.5 - month)) * 30) : 0;
    return {
      import: Math.max(0, used - made),
      export: Math.max(0, made - used),
      gas: Math.floor(draw() * 40),
      water: Math.floor(draw() * 9),
    };
  });
}

/** Two houses of five miss quarters, days or the readings of midnights. */
function randomLosses(draw: Draw, period: Span): Losses {
  if (draw() < 0.6) return noLosses;
  const days = midnights(...period).slice(0, -1);
  const lost = new Set(days.filter(() => draw() < 0.02));
  const short = new Set<number>();
  for (const day of days) if (draw() < 0.05) short.add(day + Math.floor(draw() * 90) * quarterMs);
  const unread = new Set([...days, period[1]].filter(() => draw() < 0.05));
  return {
    quarter: (at) => short.has(at) || days.some((day) => lost.has(day) && at >= day && at < day + dayMs),
    midnight: (at) => unread.has(at),
  };
}

interface Case {
  readonly name: string;
  readonly terms: readonly Term[];
  readonly bill: BalanceContract | undefined;
}

function dateAt(moment: number): string {
  const { year, month, day } = localTime(moment);
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

/** Bills contracts as a question asks for them, or as one house had them one after the other. */
async function billAtRandom(seed: number): Promise<RandomBill> {
  const draw = drawNumbers(seed);
  const period = randomPeriod(draw);
  const household = randomHousehold(draw, period);
  const losses = randomLosses(draw, period);
  const isHistory = draw() < 0.3;
  const sheets = Array.from({ length: contractsOfBill }, () => randomPrices(draw, period, !isHistory));
  const range = dayRange(zone, millis(period[0]), millis(period[1] - 1));
  const house = {
    monitor: { id: '001122aabbcc' },
    period: range,
    slots: 'minutes' as const,
    source: SOURCE,
    now: period[1] + dayMs,
    meters: buildBalanceMeters(household, period, true, losses),
  };
  const { rows, cases } = isHistory ? historyOf(draw, period, sheets) : askedOf(draw, period, sheets);
  const contracts = isHistory
    ? billedContracts(parsedRows(rows), null, zone, range)
    : billedAsAsked(runAtOnce(parseContractsAsked(rows, zone, 'contracts')), zone);
  const payload = await billOf(house, { contracts, batteriesKwh: [] });
  const broken: string[] = [];
  let exact = 0;
  for (const [index, { name, terms }] of cases.entries()) {
    const bill = payload.contracts?.[index];
    const found = flawsOf({ name, terms, bill }, household, period);
    broken.push(...found.map((flaw) => `seed ${seed}, ${range.label}, contract ${index}: ${flaw}`));
    if (bill !== undefined && bill.due !== null && isWholeBill(bill)) exact += 1;
  }
  const dues = (payload.contracts ?? []).map(({ due }) => due ?? NaN);
  const best = payload.contracts?.find(({ name }) => name === payload.best)?.due ?? null;
  if (best !== null && best !== Math.min(...dues))
    broken.push(`seed ${seed}: ${best} is not the lowest of ${dues.join()}`);
  return { broken, exact };
}

interface Rows {
  readonly rows: readonly object[];
  readonly cases: readonly Omit<Case, 'bill'>[];
}

function askedOf(draw: Draw, period: Span, sheets: readonly WrittenPrices[]): Rows {
  const all = sheets.map((sheet, index) => {
    const name = `Contract ${index}`;
    const [from, until] = randomDates(draw, period);
    const netting = draw() < 0.7;
    const prices = { ...sheet, netting };
    const dated = draw() < 0.7;
    const row = dated ? { name, from: dateAt(from), until: dateAt(until - dayMs / 2), prices } : { name, prices };
    const netted: Span | null = dated && netting && from < netEnd ? [from, Math.min(until, netEnd)] : null;
    return { row, name, terms: [{ span: period, prices: sheet, netted }] };
  });
  return { rows: all.map(({ row }) => row), cases: all.map(({ name, terms }) => ({ name, terms })) };
}

/** First midnight, and the midnight after the last day. */
function randomDates(draw: Draw, period: Span): Span {
  const all = midnights(...period);
  const [a = 0, b = 1] = [Math.floor(draw() * all.length), Math.floor(draw() * all.length)].sort(
    (one, other) => one - other,
  );
  const end = Math.max(a + 1, b);
  return draw() < 0.4
    ? period
    : [all[Math.min(a, all.length - 2)] ?? period[0], all[Math.min(end, all.length - 1)] ?? period[1]];
}

/** Two contracts of a house, one after the other. */
function historyOf(draw: Draw, period: Span, [first, second]: readonly WrittenPrices[]): Rows {
  if (first === undefined || second === undefined) throw new Error('two sheets of prices are needed');
  const inside = midnights(...period).slice(1, -1);
  const change = inside[Math.floor(draw() * inside.length)] ?? period[1];
  const terms = [
    { name: 'Old', span: [period[0], change], sheet: first },
    { name: 'New', span: [change, period[1]], sheet: second },
  ] as const;
  const netting = draw() < 0.7;
  return {
    rows: terms.map(({ name, span, sheet }) => ({
      name,
      from: dateAt(span[0]),
      until: dateAt(span[1] - dayMs / 2),
      prices: { ...sheet, netting },
    })),
    cases: [
      {
        name: 'Old + New',
        terms: terms.map(({ span, sheet }): Term => ({
          span,
          prices: sheet,
          netted: netting && span[0] < netEnd ? [span[0], Math.min(span[1], netEnd)] : null,
        })),
      },
    ],
  };
}

function parsedRows(rows: readonly object[]) {
  const read = readContractRows(rows);
  if ('flaw' in read) throw new Error(read.path);
  const given = read.map((row) => ({ row, prices: row.prices }));
  return runAtOnce(parseHouseContracts(given, zone));
}

/** A hundredth of a cent. */
const tolerance = 1e-4;

function differs(ours: number | null, theirs: number): boolean {
  return ours === null || Math.abs(ours - theirs) > tolerance;
}

/** True if nothing says that the bill lacks something. */
function isWholeBill({ cost, missing = {} }: BalanceContract): boolean {
  return (
    cost !== null &&
    cost.coverage > 1 - 1e-9 &&
    !Object.keys(missing).some((field) => field.startsWith('cost') || field === 'due')
  );
}

function flawsOf({ name, terms, bill }: Case, household: Household, period: Span): string[] {
  if (bill?.name !== name) return [`${bill?.name ?? 'none'} instead of ${name}`];
  const { cost, due, per_month, missing = {} } = bill;
  const flaws: string[] = [];
  if (cost === null || due === null) {
    if (missing['cost'] === undefined && missing['due'] === undefined) flaws.push('unknown without a reason');
    return flaws;
  }
  for (const field of ['due', 'total'] as const) {
    const months = per_month.flatMap((month) => month[field] ?? []);
    if (months.length < per_month.length) {
      if (missing['per_month'] === undefined) flaws.push(`a month without ${field} and without a reason`);
      continue;
    }
    const sum = months.reduce((all, month) => all + month, 0);
    const whole = field === 'due' ? due : cost.total;
    if (differs(whole, sum)) flaws.push(`${field}: the months come to ${sum}, not to ${whole}`);
  }
  if (cost.coverage < 1 - 1e-9 || Object.keys(missing).some((field) => field.startsWith('cost'))) return flaws;
  // Prices by the hour are not netted, which is the mark.
  const plain = missing['due'] === 'hourly_price' ? terms.map((term): Term => ({ ...term, netted: null })) : terms;
  const naive = naiveBill(household, plain, period, monthStarts(period));
  if (differs(cost.total, naive.total)) flaws.push(`total ${cost.total} instead of ${naive.total}`);
  if (differs(due, naive.due)) flaws.push(`due ${due} instead of ${naive.due}`);
  for (const [index, month] of naive.months.entries()) {
    const ours = per_month[index];
    for (const field of ['due', 'total'] as const) {
      const own = ours?.[field] ?? null;
      if (own === null ? missing['per_month'] === undefined : differs(own, month[field]))
        flaws.push(`${field} of month ${index}: ${own} instead of ${month[field]}`);
    }
  }
  return flaws;
}

const contracts = Number(process.env['CEMM_CONTRACTS'] ?? 30);
const first = Number(process.env['CEMM_CONTRACT_SEED'] ?? 1);

describe('bills of random contracts', function () {
  // 2,000 contracts take a quarter of an hour.
  this.timeout(0);

  it(`are right or have a mark, and their months add up: ${contracts} contracts from seed ${first}`, async () => {
    const before = process.cpuUsage();
    const broken: string[] = [];
    let [exact, seed] = [0, first];
    for (let count = 0; count < contracts; count += contractsOfBill, seed += 1) {
      const bill = await billAtRandom(seed);
      broken.push(...bill.broken);
      exact += bill.exact;
    }
    const { user, system } = process.cpuUsage(before);
    console.log(
      `      ${contracts} contracts, ${exact} without a mark: ${((user + system) / 1e6).toFixed(1)} s of processor time`,
    );
    should(broken).deepEqual([]);
    exact.should.be.above(contracts / 5);
  });
});
