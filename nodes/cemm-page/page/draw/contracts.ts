/** The bill by named contracts: what the contract year will cost, and each contract over the same twelve months. */
import type { BalanceContract, BalancePayload } from '../../../../src/model/payload';
import { cardOf, type Sheet } from './card';
import { type Scale, scaleThrough, short } from './chart';
import { costParts } from './cost';
import type { Card, Chart, Hero, Share, Table } from './drawn';
import { addingUp, amountIn, isNumber, roundTo } from './numbers';
import { partReasons, sayReason } from './reasons';

export function contractCards(sheet: Sheet, balance: BalancePayload, contracts: readonly BalanceContract[]): Card[] {
  const { say, formats } = sheet;
  const { share, period, expected } = balance;
  const date = (ts: number): string => formats.date(ts, { day: 'numeric', month: 'short', year: 'numeric' });
  const [own] = contracts;
  if (own === undefined) return [];
  const months = period === undefined ? '' : `${date(period.start)} – ${date(period.end - 1)}`;
  const isExpected = isNumber(expected?.due);
  const amount = isExpected ? expected.due : own.due;
  const hero: Hero = {
    ...amountIn(formats.wholeMoney(amount, currencyOf(own))),
    name: isExpected ? say('expectedYear') : `${own.name}, ${months}`,
    notes: [
      ...(isExpected ? [say('basedOn', expected.based_on.days_this_year, expected.based_on.days_last_year)] : []),
      ...(isNumber(share) && share < 1 ? [say('measured', formats.percent(share))] : []),
    ],
    cost: null,
  };
  const scale = scaleFor(contracts);
  return [
    cardOf('bill', say('bill'), { hero, sentence: sentenceOf(sheet, balance, contracts), isWide: true }),
    ...(contracts.length > 1 || own.per_month.length > 0 ? contracts : []).map((one, index) =>
      contractCard(sheet, balance, one, index === 0 ? null : own, scale),
    ),
    ...(own.cost === null
      ? []
      : [cardOf('parts', say('costPart'), { note: months, table: partsTable(sheet, contracts), isWide: true })]),
    ...nettingCard(sheet, own),
    ...savingCards(sheet, own),
  ];
}

function currencyOf({ cost }: BalanceContract): string {
  return cost?.currency ?? 'EUR';
}

/** The only difference that the page takes itself: of two shown amounts. */
function difference(one: number, other: number): number {
  return roundTo(roundTo(one, 0) - roundTo(other, 0), 0);
}

function sentenceOf({ say, formats }: Sheet, balance: BalancePayload, contracts: readonly BalanceContract[]): string {
  const { best, missing, share } = balance;
  const [own] = contracts;
  const cheapest = contracts.find(({ name }) => name === best);
  if (own === undefined || own.due === null) {
    const reason = own?.missing?.['due'] ?? missing['contracts'] ?? 'unknown';
    // With all days of the smart meter, it is another meter.
    const [part] = (share ?? 0) >= 0.98 ? partReasons(say, balance, 'bills.0') : [];
    return say('noBill', part ?? sayReason(say, reason, balance));
  }
  if (contracts.length < 2 || cheapest === undefined || cheapest.due === null) return '';
  const less = difference(own.due, cheapest.due);
  return cheapest === own || less <= 0
    ? say('cheapestOwn', own.name)
    : say('cheaper', cheapest.name, formats.wholeMoney(less, currencyOf(cheapest)));
}

function contractCard(
  { say, formats }: Sheet,
  balance: BalancePayload,
  contract: BalanceContract,
  own: BalanceContract | null,
  scale: Scale,
): Card {
  const { name, due, missing = {} } = contract;
  const more = own === null || !isNumber(own.due) || !isNumber(due) ? null : difference(due, own.due);
  const money = formats.wholeMoney(more === null ? null : Math.abs(more), currencyOf(contract));
  const beside =
    more === null || more === 0 ? '' : `${more > 0 ? '▲' : '▼'} ${money} ${say(more > 0 ? 'more' : 'less')}`;
  const reason = missing['due'] ?? missing['cost'];
  return cardOf(`contract ${name}`, name, {
    note: beside,
    aside: formats.wholeMoney(due, currencyOf(contract)),
    chart: chartFor(contract, scale, { say, formats }),
    notes: reason === undefined ? [] : [sayReason(say, reason, balance)],
  });
}

/** One scale for all contracts, so that their bars can be compared. */
function scaleFor(contracts: readonly BalanceContract[]): Scale {
  const amounts = contracts.flatMap(({ per_month: months }) => months.map(amountOfMonth)).filter(isNumber);
  return scaleThrough(amounts, 2);
}

function amountOfMonth({ due, total }: BalanceContract['per_month'][number]): number | null {
  return due ?? total;
}

function chartFor(
  contract: BalanceContract,
  { ticks, place }: Scale,
  { say, formats }: Pick<Sheet, 'say' | 'formats'>,
): Chart | null {
  const months = contract.per_month;
  const width = 100 / Math.max(1, months.length);
  const named = months.map((month) => {
    const [year = 0, number = 1] = month.label.split('-').map(Number);
    const middle = Date.UTC(year, number - 1, 15);
    return {
      month,
      short: formats.date(middle, { month: 'short' }),
      full: formats.date(middle, { month: 'long', year: 'numeric' }),
    };
  });
  if (months.every((month) => amountOfMonth(month) === null)) return null;
  return {
    label: say('points', contract.name),
    unit: currencyOf(contract),
    unread: [],
    ghosts: [],
    lines: [],
    prices: [],
    legend: [],
    now: null,
    at: -1,
    isSmall: true,
    columns: named.map(({ month, full }) => {
      const amount = amountOfMonth(month);
      return { name: full, text: formats.money(amount, currencyOf(contract)), isUnknown: amount === null };
    }),
    rects: months.flatMap((month, index) => {
      const amount = amountOfMonth(month) ?? 0;
      const [top, bottom] = [place(Math.max(0, amount)), place(Math.min(0, amount))];
      const x = { x: short((index + 0.16) * width), width: short(0.68 * width) };
      const colour = amount < 0 ? ('export' as const) : ('import' as const);
      return amount === 0 ? [] : [{ colour, isPart: false, ...x, y: top, height: short(bottom - top) }];
    }),
    ticks: ticks.map((tick) => ({ y: place(tick), text: formats.number(tick, 0) })),
    marks: named.map((one, index) => ({
      x: short((index + 0.5) * width),
      text: one.short,
      isMinor: index % 3 !== 0,
    })),
  };
}

/** Whole amounts that add up to the whole total of each contract. */
function partsTable({ say, formats }: Sheet, contracts: readonly BalanceContract[]): Table {
  const columns = contracts.map((contract) => {
    const parts = costParts((part) => contract.cost?.[part]);
    const total = contract.cost?.total ?? null;
    const shown = addingUp(
      total,
      parts.map(({ value }) => value),
      0,
    );
    return { contract, total, amounts: new Map(parts.map(({ part }, index) => [part, shown[index] ?? null])) };
  });
  const there = costParts(() => 0).filter(({ part }) => columns.some(({ amounts }) => (amounts.get(part) ?? 0) !== 0));
  const money = (value: number | null | undefined, { contract }: (typeof columns)[number]): string =>
    formats.wholeMoney(value, currencyOf(contract));
  const isNetted = contracts.some(
    ({ due, cost }) => isNumber(due) && isNumber(cost?.total) && difference(due, cost.total) !== 0,
  );
  const total = [say(isNetted ? 'totalUnnetted' : 'total'), ...columns.map((column) => money(column.total, column))];
  const due = [say('totalNetted'), ...columns.map((column) => money(column.contract.due, column))];
  return {
    heads: [say('costPart'), ...contracts.map(({ name }) => name)],
    rows: [
      ...there.map(({ part, name }) => [
        say(name),
        ...columns.map((column) => money(column.amounts.get(part), column)),
      ]),
      total,
      ...(isNetted ? [due] : []),
    ],
    hasSum: true,
  };
}

function nettingCard({ say, formats }: Sheet, own: BalanceContract): Card[] {
  const [due, total] = [own.due, own.cost?.total];
  if (!isNumber(due) || !isNumber(total)) return [];
  const more = difference(total, due);
  if (more === 0) return [];
  const money = (value: number): string => formats.wholeMoney(value, currencyOf(own));
  const words = say('without', money(total), money(due), money(Math.abs(more)), say(more > 0 ? 'more' : 'less'));
  return [cardOf('netting', say('netting'), { sentence: words, isWide: true })];
}

/** A house without sun has nothing to save. */
function savingCards({ say, formats }: Sheet, own: BalanceContract): Card[] {
  const money = (value: number): string => formats.wholeMoney(value, currencyOf(own));
  const known = own.batteries.flatMap(({ kwh, saved }) =>
    isNumber(saved) && roundTo(saved, 0) > 0 ? [{ kwh, saved }] : [],
  );
  const row = (key: string, name: string, saved: number, colour: string): Share => ({
    key,
    name,
    text: `${money(saved)} ${say('less')}`,
    note: '',
    colour,
    part: null,
  });
  const list = [
    ...known.map(({ kwh, saved }) =>
      row(`battery ${kwh}`, say('batteryOf', formats.amount(kwh, 'kWh', 0)), saved, 'battery'),
    ),
    ...(isNumber(own.moved) && roundTo(own.moved, 0) > 0 ? [row('moved', say('moved'), own.moved, 'production')] : []),
  ];
  return list.length === 0 ? [] : [cardOf('savings', say('savings'), { shares: { list, sum: null }, isWide: true })];
}
