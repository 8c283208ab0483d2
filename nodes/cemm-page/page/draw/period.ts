/** Cards of a day, month or year: numbers, bars or lines, cost by part. */
import type { BalancePayload } from '../../../../src/model/payload';
import { balanceOf, cardOf, cardsOfAnswer, type Sheet } from './card';
import { chartOf } from './chart';
import { chosenQuestion, comparedDay, compareIn, questionOf, shapeIn } from './choice';
import { comparisonOf, type Comparison } from './comparison';
import { costCards } from './cost';
import { type Compare, type PeriodView, viewRows } from '../views';
import { addTo, localTime, noonOf } from './dates';
import type { Card, Chart } from './drawn';
import { isNumber } from './numbers';
import { readingsCards } from './readings';
import { energies, houseSeries, powers, used, volumes } from './series';
import { tableOf } from './table';
import type { TextKey } from './texts';
import { tilesOf } from './tiles';

export const compareNames: Readonly<Record<PeriodView, Readonly<Partial<Record<Compare, TextKey>>>>> = {
  day: { none: 'none', before: 'dayBefore', week: 'weekBefore', year: 'lastYear' },
  month: { none: 'none', before: 'monthBefore', year: 'lastYear' },
  year: { none: 'none', before: 'yearBefore' },
};

/** The chosen period in words. */
export function titleOf({ say, frame }: Sheet, view: PeriodView, day: string, tag: string): string {
  const { day: today } = localTime(frame.moment, frame.timezone);
  const { unit, title } = viewRows[view];
  const date = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...title }).format(noonOf(day));
  if (unit !== 'day') return date;
  const near = day === today ? 'today' : day === addTo(today, -1, 'day') ? 'yesterday' : null;
  return near === null ? date : `${say(near)}, ${date}`;
}

/** The cards of the chosen period. */
export function chosenCards(sheet: Sheet, view: PeriodView, title: string, hasReadings: boolean): Card[] {
  const { choice, frame } = sheet;
  const question = chosenQuestion(choice, view, frame);
  const other = comparedDay(choice, frame);
  const compared = other === null ? null : balanceOf(sheet, questionOf(view, other));
  const name = compareNames[view][compareIn(choice)];
  const cards = cardsOfAnswer(sheet, question, title, (balance) => {
    const comparison =
      compared === null || name === undefined ? null : comparisonOf(sheet, balance, compared, sheet.say(name));
    return periodCards(sheet, balance, { title, comparison });
  });
  const waits =
    other === null || name === undefined
      ? []
      : cardsOfAnswer(sheet, questionOf(view, other), sheet.say(name), () => []);
  return [...cards, ...waits, ...(view === 'day' && hasReadings ? readingsCards(sheet, question) : [])];
}

interface PeriodPlan {
  readonly title: string;
  readonly comparison?: Comparison | null;
  /** Numbers and bars only. */
  readonly isBrief?: true;
}

export function periodCards(
  sheet: Sheet,
  balance: BalancePayload,
  { title, comparison = null, isBrief }: PeriodPlan,
): Card[] {
  const { say, choice } = sheet;
  const key = balance.period?.label ?? '';
  const tiles = tilesOf(sheet, balance, comparison);
  const shape = isBrief === true ? 'bars' : shapeIn(choice);
  const chart =
    shape === 'curve' ? curveOf(sheet, balance) : shape === 'bars' ? barsOf(sheet, balance, comparison) : null;
  const table = shape === 'table' ? tableOf(sheet, balance, comparison) : null;
  const isEmpty = tiles.length === 0 || Object.values(balance.values).every((value) => value === null);
  const numbers = cardOf(key, title, {
    tiles,
    isWide: isBrief !== true,
    state: isEmpty ? say('nothing') : '',
    notes: peakOf(sheet, balance),
  });
  if (isBrief === true) return [{ ...numbers, chart }];
  const drawing =
    chart === null && table === null
      ? []
      : [cardOf(`${key}-${shape}`, say(shape === 'bars' ? 'used' : shape), { chart, table, isWide: true })];
  const more = shape === 'bars' ? volumeCards(sheet, balance, key) : [];
  return [numbers, ...drawing, ...costCards(sheet, balance, key), ...more];
}

function barsOf(sheet: Sheet, balance: BalancePayload, comparison: Comparison | null): Chart | null {
  const { say } = sheet;
  const compared =
    comparison === null
      ? undefined
      : { balance: comparison.balance, of: houseSeries(comparison.balance), name: comparison.shortName };
  return chartOf(sheet, balance, { title: say('used'), unit: 'kWh', series: energies, lineFactor: null, compared });
}

const slotsPerHour = { PT1M: 60, PT15M: 4, PT1H: 1, P1D: 1 / 24, P1M: 0 };

/** The mean power of each slot of a day. */
function curveOf(sheet: Sheet, balance: BalancePayload): Chart | null {
  const perHour = balance.period === undefined ? 0 : slotsPerHour[balance.period.step];
  const series = isNumber(balance.values[used.field]) ? powers.ofHouse : powers.ofGrid;
  return chartOf(sheet, balance, { title: sheet.say('curve'), unit: 'W', series, lineFactor: 1000 * perHour });
}

function volumeCards(sheet: Sheet, balance: BalancePayload, key: string): Card[] {
  return volumes.flatMap((one) => {
    const title = sheet.say(one.name);
    const chart = chartOf(sheet, balance, { title, unit: 'm³', series: [one], lineFactor: null });
    return chart === null ? [] : [cardOf(`${key}-${one.colour}`, title, { chart })];
  });
}

function peakOf({ say, formats }: Sheet, { peak }: BalancePayload): string[] {
  if (!isNumber(peak?.power_w)) return [];
  const when = `${formats.date(peak.start, { day: 'numeric', month: 'short' })}, ${formats.clock(peak.start)}–\u2060${formats.clock(peak.end)}`;
  return [say('pair', say('peak'), `${formats.amount(peak.power_w / 1000, 'kW', 2)} (${when})`)];
}
