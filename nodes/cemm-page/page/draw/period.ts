/** The parts of a day, month or year: the number, bars or a curve, costs, gas and water. */
import type { BalancePayload } from '../../../../src/model/payload';
import { isReading, type Question } from '../messages';
import { type PeriodView, viewRows } from '../views';
import { calendarOf } from './calendar';
import { carpetOf } from './carpet';
import { balanceOf, cardOf, cardsOfAnswer, type Sheet } from './card';
import { chartOf } from './chart';
import { chosenQuestion, comparedDay, compareIn, buildMinutesQuestion, questionOf, shapeIn, hoursOf } from './choice';
import { comparisonOf, type Comparison } from './comparison';
import { costCards } from './cost';
import { deviceCards } from './devices';
import type { Card, Chart, When } from './drawn';
import { comparedTitle } from './header';
import { digitsFor, isNumber } from './numbers';
import { readingsCards } from './readings';
import {
  barSeries,
  comparedSeries,
  formatAmount,
  houseSeries,
  lacksElectricity,
  powers,
  chooseUnit,
  used,
  volumes,
} from './series';
import { periodSentence } from './sentence';
import { type Slot, placeSlots } from './slots';
import { tableOf } from './table';
import { figuresOf, heroOf } from './tiles';

/** The cards of the chosen period. */
export function chosenCards(sheet: Sheet, view: PeriodView, title: string, hasReadings: boolean): Card[] {
  const { choice, frame } = sheet;
  const { unit } = viewRows[view];
  const question = chosenQuestion(choice, view, frame);
  const other = comparedDay(choice, frame);
  const compared = other === null ? null : balanceOf(sheet, questionOf(view, other));
  const name = comparedTitle(sheet, view, compareIn(choice)) ?? '';
  const cards = cardsOfAnswer(sheet, question, title, (balance) => {
    const comparison = compared === null ? null : comparisonOf(sheet, balance, compared, name);
    return periodCards(sheet, balance, title, comparison);
  });
  const waits = other === null ? [] : cardsOfAnswer(sheet, questionOf(view, other), name, () => []);
  return [
    ...cards,
    ...waits,
    ...(unit === 'year' ? carpetCards(sheet, question) : []),
    ...(unit === 'day' && hasReadings ? readingsCards(sheet, question) : []),
  ];
}

/** Without a heading until it is seen; left out where no hour of electricity is known. */
function carpetCards(sheet: Sheet, year: Question): Card[] {
  const { say, choice } = sheet;
  const parts = { isWide: true, isCarpet: true };
  if (lacksElectricity(balanceOf(sheet, year))) return [];
  if (!choice.seesCarpet) return balanceOf(sheet, year) === null ? [] : [cardOf('carpet', '', parts)];
  return cardsOfAnswer(sheet, hoursOf(year), say('carpet'), (balance) => {
    const carpet = carpetOf(sheet, balance);
    const isUnknown = carpet === null || (carpet.paths.length === 0 && !isReading(balance));
    return isUnknown ? [] : [cardOf('carpet', say('carpet'), { ...parts, carpet })];
  });
}

function periodCards(sheet: Sheet, balance: BalancePayload, title: string, comparison: Comparison | null): Card[] {
  const { say, choice, formats } = sheet;
  const key = balance.period?.label ?? '';
  const slot = placeSlots(balance, formats)[choice.at ?? -1] ?? null;
  const isEmpty = Object.values(balance.values).every((value) => value === null);
  const hero = cardOf(key, title, {
    hero: heroOf(sheet, balance, comparison),
    isWide: true,
    sentence: isEmpty && !isReading(balance) ? say('nothing') : periodSentence(sheet, balance, comparison),
  });
  if (isEmpty) return [hero];
  const chosen = shapeIn(choice);
  const shape = chosen === 'curve' && lacksElectricity(balance) ? 'bars' : chosen;
  const chart =
    shape === 'curve' ? curveOf(sheet, balance) : shape === 'bars' ? barsOf(sheet, balance, comparison) : null;
  const table = shape === 'table' ? tableOf(sheet, balance, comparison) : null;
  const main = cardOf(`${key}-${shape}`, say(shape === 'bars' ? houseSeries(balance).name : shape), {
    tiles: figuresOf(sheet, balance, slot),
    chart,
    isWide: true,
    when: chart === null && table === null ? null : describeWhen(sheet, balance, slot),
    table,
    notes: describePeak(sheet, balance),
  });
  const costs = costCards(sheet, balance, slot);
  const others = [...deviceCards(sheet, balance, slot), ...costs, ...volumeCards(sheet, balance, slot, costs)];
  return [hero, main, ...calendarCards(sheet, balance), ...others];
}

function calendarCards(sheet: Sheet, balance: BalancePayload): Card[] {
  const calendar = calendarOf(sheet, balance);
  if (calendar === null) return [];
  return [cardOf('calendar', sheet.say('calendar'), { note: sheet.say('netOf'), isWide: true, calendar })];
}

function describeWhen({ say, formats, frame }: Sheet, balance: BalancePayload, slot: Slot | null): When {
  const step = balance.period?.step;
  const { field } = houseSeries(balance);
  if (slot === null) {
    const by = step === 'P1M' ? 'byMonth' : step === 'P1D' ? 'byDay' : 'byHour';
    return { name: chooseUnit(field), text: step === 'PT15M' ? '' : say(by), isChosen: false };
  }
  const value = slot.point?.[field];
  const price = slot.point?.['cost_per_kwh'];
  const isToCome = slot.ts > frame.moment || isReading(balance);
  const amount = isNumber(value)
    ? formatAmount(formats, field, value, digitsFor([value]))
    : isToCome
      ? ''
      : say('not_measured');
  const perKwh = isNumber(price) && balance.cost !== undefined ? formats.money(price, balance.cost.currency, 3) : '';
  return { name: slot.fullName, text: [amount, perKwh].filter((part) => part !== '').join(' · '), isChosen: true };
}

/** The bars of the number of the house, also in the view Now. */
export function barsOf(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): Chart | null {
  const { say, formats } = sheet;
  const house = houseSeries(balance);
  const compared =
    comparison === null
      ? undefined
      : { balance: comparison.balance, of: comparedSeries(balance, comparison.balance), name: comparison.shortName };
  return chartOf(sheet, balance, {
    title: say(house.name),
    unit: chooseUnit(house.field),
    series: barSeries(house),
    lineFactor: null,
    compared,
    textOf: ({ point }) => formatAmount(formats, house.field, point?.[house.field], 2),
  });
}

/** The mean power of each quarter of a day, and the line by the minute where minutes are known. */
function curveOf(sheet: Sheet, balance: BalancePayload): Chart | null {
  const series = isNumber(balance.values[used.field]) ? powers.ofHouse : powers.ofGrid;
  const watt = (slot: Slot, { field, name }: (typeof series)[number]): string[] => {
    const value = slot.point?.[field];
    return isNumber(value) ? [`${sheet.say(name)} ${sheet.formats.amount(value * 4000, 'W', 0)}`] : [];
  };
  return chartOf(sheet, balance, {
    title: sheet.say('curve'),
    unit: 'W',
    series,
    lineFactor: 4000,
    minutes: balanceOf(sheet, buildMinutesQuestion(balance.period?.label ?? ''))?.points,
    textOf: (slot) => series.flatMap((one) => watt(slot, one)).join(', '),
  });
}

/** Gas and water, with the cost of each; not the one that is the number of the house. */
function volumeCards(sheet: Sheet, balance: BalancePayload, slot: Slot | null, costs: readonly Card[]): Card[] {
  const { say, formats } = sheet;
  const { values, coverage } = balance;
  const parts = costs.flatMap(({ shares }) => shares?.list ?? []);
  const house = houseSeries(balance);
  return volumes.flatMap((one) => {
    if (one === house) return [];
    const title = say(one.name);
    const plan = { title, unit: 'm³', series: [one], lineFactor: null, isSmall: true } as const;
    const chart = chartOf(sheet, balance, {
      ...plan,
      textOf: ({ point }) => formats.volume(point?.[one.field]),
    });
    if (chart === null) return [];
    const amount = slot === null ? values[one.field] : slot.point?.[one.field];
    const money = parts.find(({ key }) => key === one.colour)?.text ?? '';
    const share = slot === null ? (coverage[one.field] ?? 1) : 1;
    const notes = share < 1 ? [say('measured', formats.percent(share))] : [];
    return [cardOf(one.field, title, { note: formats.volume(amount), aside: money, chart, notes })];
  });
}

function describePeak({ say, formats }: Sheet, { peak }: BalancePayload): string[] {
  if (!isNumber(peak?.power_w)) return [];
  const when = `${formats.date(peak.start, { day: 'numeric', month: 'short' })}, ${formats.clock(peak.start)}–\u2060${formats.clock(peak.end)}`;
  return [say('pair', say('peak'), `${formats.amount(peak.power_w / 1000, 'kW', 2)} (${when})`)];
}
