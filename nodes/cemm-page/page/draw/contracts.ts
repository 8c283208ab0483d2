/** The bill by named contracts: what the contract year will cost, and each contract over the same twelve months. */
import type { BalanceContract, BalancePayload } from '../../../../src/model/payload';
import { cardOf, type Sheet } from './card';
import { type Scale, scaleThrough, short } from './chart';
import { costParts, shownCostParts } from './cost';
import type { Card, Chart, Hero, Share, Table } from './drawn';
import { amountIn, isNumber, roundTo } from './numbers';
import { partReasons, sayReason } from './reasons';

interface BillSheet extends Sheet {
  readonly money: (value: number | null | undefined, contract: BalanceContract) => string;
  /** The only difference that the page takes itself: of two shown amounts. */
  readonly difference: (one: number, other: number) => number;
  /** After the point, of all amounts. */
  readonly digits: number;
}

export function contractCards(all: Sheet, balance: BalancePayload, contracts: readonly BalanceContract[]): Card[] {
  const { say, formats } = all;
  const digits = contracts.some(hasSmallPart) ? 2 : 0;
  const money: BillSheet['money'] = (value, contract) => formats.money(value, readCurrency(contract), digits);
  const difference: BillSheet['difference'] = (one, other) =>
    roundTo(roundTo(one, digits) - roundTo(other, digits), digits);
  const sheet = { ...all, digits, money, difference };
  const { share, period, expected } = balance;
  const date = (ts: number): string => formats.date(ts, { day: 'numeric', month: 'short', year: 'numeric' });
  const [own] = contracts;
  if (own === undefined) return [];
  const months = period === undefined ? '' : `${date(period.start)} – ${date(period.end - 1)}`;
  const isExpected = isNumber(expected?.due);
  const amount = isExpected ? expected.due : own.due;
  const hero: Hero = {
    ...amountIn(money(amount, own)),
    name: isExpected ? say('expectedYear') : `${own.name}, ${months}`,
    notes: [
      ...(isExpected ? [say('basedOn', expected.based_on.days_this_year, expected.based_on.days_last_year)] : []),
      ...(isNumber(share) && share < 1 ? [say('measured', formats.percent(share))] : []),
      ...partReasons(say, balance, 'bills.0'),
      ...partReasons(say, balance, 'cost', own.missing),
    ],
    cost: null,
  };
  const scale = scaleFor(contracts);
  return [
    cardOf('bill', say('bill'), { hero, sentence: writeSentence(sheet, balance, contracts), isWide: true }),
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

/** A part that whole amounts would hide. */
function hasSmallPart({ cost }: BalanceContract): boolean {
  return costParts((part) => cost?.[part]).some(({ value }) => value !== 0 && Math.abs(value) < 1);
}

function readCurrency({ cost }: BalanceContract): string {
  return cost?.currency ?? 'EUR';
}

function writeSentence(
  { say, money, difference }: BillSheet,
  balance: BalancePayload,
  contracts: readonly BalanceContract[],
): string {
  const { best, missing } = balance;
  const [own] = contracts;
  const cheapest = contracts.find(({ name }) => name === best);
  if (own === undefined || own.due === null) {
    const reason = own?.missing?.['due'] ?? missing['contracts'] ?? 'unknown';
    return say('noBill', sayReason(say, reason, balance));
  }
  if (contracts.length < 2 || cheapest === undefined || cheapest.due === null) return '';
  const less = difference(own.due, cheapest.due);
  return cheapest === own || less <= 0
    ? say('cheapestOwn', own.name)
    : say('cheaper', cheapest.name, money(less, cheapest));
}

function contractCard(
  { say, formats, money, difference }: BillSheet,
  balance: BalancePayload,
  contract: BalanceContract,
  own: BalanceContract | null,
  scale: Scale,
): Card {
  const { name, due, missing = {} } = contract;
  const more = own === null || !isNumber(own.due) || !isNumber(due) ? null : difference(due, own.due);
  const beside =
    more === null || more === 0
      ? ''
      : `${more > 0 ? '▲' : '▼'} ${money(Math.abs(more), contract)} ${say(more > 0 ? 'more' : 'less')}`;
  const reason = missing['due'] ?? missing['cost'];
  return cardOf(`contract ${name}`, name, {
    note: beside,
    aside: money(due, contract),
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
    unit: readCurrency(contract),
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
      return { name: full, text: formats.money(amount, readCurrency(contract)), isUnknown: amount === null };
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

/** Amounts that add up to the shown total of each contract. */
function partsTable({ say, digits, money, difference }: BillSheet, contracts: readonly BalanceContract[]): Table {
  const columns = contracts.map((contract) => {
    const total = contract.cost?.total ?? null;
    const parts = shownCostParts(total, (part) => contract.cost?.[part], digits);
    return { contract, total, amounts: new Map(parts.map(({ part, shown }) => [part, shown])) };
  });
  const there = costParts(() => 0).filter(({ part }) => columns.some(({ amounts }) => (amounts.get(part) ?? 0) !== 0));
  const isNetted = contracts.some(
    ({ due, cost }) => isNumber(due) && isNumber(cost?.total) && difference(due, cost.total) !== 0,
  );
  const sum = [
    say(isNetted ? 'totalUnnetted' : 'total'),
    ...columns.map(({ total, contract }) => money(total, contract)),
  ];
  const due = [say('totalNetted'), ...contracts.map((contract) => money(contract.due, contract))];
  return {
    heads: [say('costPart'), ...contracts.map(({ name }) => name)],
    rows: [
      ...there.map(({ part, name }) => [
        say(name),
        ...columns.map(({ amounts, contract }) => money(amounts.get(part), contract)),
      ]),
      sum,
      ...(isNetted ? [due] : []),
    ],
    hasSum: true,
  };
}

function nettingCard({ say, money, difference }: BillSheet, own: BalanceContract): Card[] {
  const [due, total] = [own.due, own.cost?.total];
  if (!isNumber(due) || !isNumber(total)) return [];
  const more = difference(total, due);
  if (more === 0) return [];
  const words = say(
    'without',
    ...[total, due, Math.abs(more)].map((value) => money(value, own)),
    say(more > 0 ? 'more' : 'less'),
  );
  return [cardOf('netting', say('netting'), { sentence: words, isWide: true })];
}

/** A house without sun has nothing to save. */
function savingCards({ say, formats, money, digits }: BillSheet, own: BalanceContract): Card[] {
  const all = [
    ...own.batteries.map(({ kwh, saved }) => ({
      key: `battery ${kwh}`,
      name: say('batteryOf', formats.amount(kwh, 'kWh', 0)),
      colour: 'battery',
      saved,
    })),
    { key: 'moved', name: say('moved'), colour: 'production', saved: own.moved },
  ];
  const list = all.flatMap(({ saved, ...one }): Share[] =>
    isNumber(saved) && roundTo(saved, digits) > 0
      ? [{ ...one, text: `${money(saved, own)} ${say('less')}`, note: '', part: null }]
      : [],
  );
  return list.length === 0 ? [] : [cardOf('savings', say('savings'), { shares: { list, sum: null }, isWide: true })];
}
