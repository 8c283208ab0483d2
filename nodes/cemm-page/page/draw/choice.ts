/** The choice of a viewer, and the balances that the page needs for it. */
import { type Answer, buildQuestionKey, lastOf, type Question } from '../messages';
import { type Compare, comparesOf, type DayStep, type PeriodView, type View, viewRows } from '../views';
import { addTo, labelOf, localTime } from './dates';
import { lacksElectricity } from './series';

export type Shape = 'bars' | 'curve' | 'table';

export function shapesOf(view: PeriodView): readonly Shape[] {
  return viewRows[view].steps === null ? ['bars', 'table'] : ['bars', 'curve', 'table'];
}

/** Prices of a bill as typed: of a kWh from the grid, of a kWh to the grid, of a day. */
export const priceFields = ['buy', 'sell', 'perDay'] as const;
export type PriceField = (typeof priceFields)[number];

export interface Choice {
  readonly view: View;
  /** A day of the chosen period; null: the current one, and for a day before 09:00 yesterday. */
  readonly date: string | null;
  /** Null: the usual one of the view. */
  readonly compare: Compare | null;
  readonly shape: Shape;
  /** The chosen bar; null for none. */
  readonly at: number | null;
  /** A day of the choices that the picker shows; null: those with the chosen period. */
  readonly pickAt: string | null;
  /** The carpet of a year is, or was, on the screen. */
  readonly seesCarpet: boolean;
  readonly prices: Readonly<Record<PriceField, string>>;
}

export const firstChoice: Choice = {
  view: 'now',
  date: null,
  compare: null,
  shape: 'bars',
  at: null,
  pickAt: null,
  seesCarpet: false,
  prices: { buy: '', sell: '', perDay: '' },
};

/** The view Now compares its first day with the same weekday before. */
export const daysBack = 7;
/** Until this hour, yesterday comes first. */
const morning = 9;
const batteries = [5, 10];

export interface Frame {
  readonly moment: number;
  /** Null: not known yet. */
  readonly timezone: string | null;
}

export function isPeriod(view: View): view is PeriodView {
  return viewRows[view].unit !== null;
}

export function isMorning({ moment, timezone }: Frame): boolean {
  return localTime(moment, timezone).hour < morning;
}

/** True if a page without a chosen date shows the same now. */
export function isUsualDate({ date }: Choice, frame: Frame): boolean {
  return !isMorning(frame) && date === localTime(frame.moment, frame.timezone).day;
}

/** A day of the chosen period. */
export function chooseDay({ view, date }: Choice, frame: Frame): string {
  const { day } = localTime(frame.moment, frame.timezone);
  return date ?? (viewRows[view].unit === 'day' && isMorning(frame) ? addTo(day, -1, 'day') : day);
}

/** The shown period is the running one. */
export function isCurrent(choice: Choice, frame: Frame): boolean {
  if (!isPeriod(choice.view)) return true;
  const { unit } = viewRows[choice.view];
  const { day: today } = localTime(frame.moment, frame.timezone);
  return labelOf(chooseDay(choice, frame), unit) === labelOf(today, unit);
}

/** The day of the period before or after the chosen one; null if that has not begun. */
export function stepped(choice: Choice, count: number, frame: Frame): string | null {
  if (!isPeriod(choice.view)) return null;
  const { unit } = viewRows[choice.view];
  const day = addTo(chooseDay(choice, frame), count, unit);
  const { day: today } = localTime(frame.moment, frame.timezone);
  return labelOf(day, unit) <= labelOf(today, unit) ? day : null;
}

/** The chosen comparison, where the view has it, otherwise its usual one. */
export function compareIn({ view, compare }: Choice): Compare {
  if (!isPeriod(view)) return 'none';
  const there = comparesOf(view);
  return there.find((one) => one === compare) ?? there[0] ?? 'none';
}

export function shapeIn({ view, shape }: Choice): Shape {
  return isPeriod(view) && shapesOf(view).includes(shape) ? shape : 'bars';
}

/** Null without a comparison. */
export function comparedDay(choice: Choice, frame: Frame): string | null {
  const { view } = choice;
  if (!isPeriod(view)) return null;
  const compare = compareIn(choice);
  const back = compare === 'none' ? undefined : viewRows[view].compares[compare];
  return back === undefined ? null : addTo(chooseDay(choice, frame), -back[0], back[1]);
}

/** Bars of a day need hours, because with a battery own use is known by the hour only. */
export function questionOf(view: PeriodView, day: string, shape: Shape = 'bars'): Question {
  const { unit, steps } = viewRows[view];
  const step: DayStep | undefined = steps?.[shape === 'curve' ? 'curve' : 'bars'];
  return { balance: unit, date: labelOf(day, unit), ...(step !== undefined && { step }) };
}

/** The question for the chosen period. */
export function chosenQuestion(choice: Choice, view: PeriodView, frame: Frame): Question {
  return questionOf(view, chooseDay(choice, frame), shapeIn(choice));
}

/**
 * The balances that the page shows, in the order of importance.
 * @param answers that have arrived: the hours of a year come with all of the year, which is not asked beside them then
 */
export function questionsOf(choice: Choice, frame: Frame, answers: Readonly<Record<string, Answer>> = {}): Question[] {
  const { view } = choice;
  if (isPeriod(view)) {
    const { unit } = viewRows[view];
    const compared = comparedDay(choice, frame);
    const chosen = chosenQuestion(choice, view, frame);
    const hours = unit === 'year' && choice.seesCarpet ? hoursOf(chosen) : null;
    const others = compared === null ? [] : [questionOf(view, compared)];
    const prices = unit === 'day' && shapeIn(choice) === 'bars' && isCurrent(choice, frame) ? [pricesQuestion] : [];
    const isCurve = shapeIn(choice) === 'curve' && lastOf(answers[buildQuestionKey(chosen)]) !== null;
    const minutes = isCurve ? [buildMinutesQuestion(chooseDay(choice, frame))] : [];
    if (hours === null) return [chosen, ...others, ...prices, ...minutes];
    return lastOf(answers[buildQuestionKey(hours)]) === null ? [chosen, ...others, hours] : [hours, ...others];
  }
  switch (view) {
    case 'now':
      return questionsOfNow(frame, answers);
    case 'bill':
      return priceFields.some((field) => isWrong(choice, field)) ? [] : [billQuestion(choice, answers)];
  }
}

function questionsOfNow(frame: Frame, answers: Readonly<Record<string, Answer>>): Question[] {
  const { day } = localTime(frame.moment, frame.timezone);
  const days = [day, ...(isMorning(frame) ? [addTo(day, -1, 'day')] : [])];
  const before = addTo(days.at(-1) ?? day, -daysBack, 'day');
  const ofDays = [...days, before].map((one) => questionOf('day', one));
  const today = lastOf(answers[buildQuestionKey(questionOf('day', day))]);
  return lacksElectricity(today) ? ofDays : [{ balance: 'now' }, ...ofDays, pricesQuestion];
}

/** The prices of today and tomorrow. */
export const pricesQuestion: Question = { balance: 'prices' };

/** The minutes of a day: of those that are kept, so the quarters of the day come first, which are read and then kept. */
export function buildMinutesQuestion(date: string): Question {
  return { balance: 'day', date, step: '1m' };
}

/** The hours of a year, which are many, with its months. */
export function hoursOf(year: Question): Question {
  return { ...year, hours: true };
}

export function billQuestion({ prices }: Choice, answers: Readonly<Record<string, Answer>>): Question {
  const question: Question = { balance: 'bill', batteries_kwh: batteries };
  const [buy, sell, perDay] = priceFields.map((field) => typedNumber(prices[field]));
  if (typeof buy !== 'number' || typeof sell !== 'number') return question;
  const { contracts = [], bills = [] } = lastOf(answers[buildQuestionKey(question)]) ?? {};
  const costs = [contracts[0]?.cost, ...bills, ...Object.values(answers).map((answer) => lastOf(answer)?.cost)];
  // That of the prices of the house.
  const [currency = 'EUR'] = costs.flatMap((cost) => cost?.currency ?? []);
  const typed = { currency, import: buy, export: sell, per_day: perDay ?? 0 };
  return { ...question, prices: [typed, typed] };
}

/** A typed price that is no amount, and a missing one: both of a kWh are needed as soon as anything is typed. */
export function isWrong({ prices }: Choice, field: PriceField): boolean {
  const isNeeded = field !== 'perDay' && priceFields.some((one) => prices[one].trim() !== '');
  return (isNeeded || prices[field].trim() !== '') && typedNumber(prices[field]) === null;
}

/** Accepts a point and a comma; null if it is no amount. */
function typedNumber(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() === '' || !Number.isFinite(value) || Math.abs(value) > 1000 ? null : value;
}
