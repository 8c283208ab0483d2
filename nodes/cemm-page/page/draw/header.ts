/** The header: the chosen period, others to choose, and what it is compared with. */
import { type Compare, type PeriodView, type Unit, viewRows } from '../views';
import type { Sheet } from './card';
import { comparedDay, chooseDay, isCurrent, stepped } from './choice';
import { addTo, labelOf, localTime, noonOf, weekNumber } from './dates';
import type { Pick, Picker } from './drawn';
import { dateFormat } from './formatters';

type Format = (day: string, options: Intl.DateTimeFormatOptions) => string;

/** Days in a calendar have no time zone. */
function dayFormat(tag: string): Format {
  return (day, options) => dateFormat(tag, { timeZone: 'UTC', ...options }).format(noonOf(day));
}

/** A period in words; a day or a week without its year where that is the current one. */
export function formatPeriodTitle({ frame, tag, say }: Sheet, view: PeriodView, day: string): string {
  const { title, unit } = viewRows[view];
  const { day: today } = localTime(frame.moment, frame.timezone);
  const isThisYear = labelOf(day, 'year') === labelOf(today, 'year');
  const isShort = isThisYear && title.day !== undefined;
  const options = isShort ? { ...title, year: undefined } : title;
  if (unit !== 'week') return dayFormat(tag)(day, options);
  const monday = labelOf(day, 'week');
  const days = dateFormat(tag, { timeZone: 'UTC', ...options });
  return say('weekOf', weekNumber(day), days.formatRange(noonOf(monday), noonOf(addTo(monday, 6, 'day'))));
}

/** Null without a comparison. */
export function comparedTitle(sheet: Sheet, view: PeriodView, compare: Compare): string | null {
  const day = comparedDay({ ...sheet.choice, compare }, sheet.frame);
  return day === null ? null : formatPeriodTitle(sheet, view, day);
}

export function pickerOf(sheet: Sheet, view: PeriodView): Picker {
  const { choice, frame, tag } = sheet;
  const { unit } = viewRows[view];
  const date = chooseDay(choice, frame);
  const { day: today } = localTime(frame.moment, frame.timezone);
  const shown = choice.pickAt ?? date;
  const format = dayFormat(tag);
  const page = pages[unit](shown, format);
  const picks = page.days.map(({ day, text, isBlank = false }): Pick => ({
    key: day,
    text,
    date: day,
    isBlank,
    isChosen: labelOf(day, unit) === labelOf(date, unit),
    isFuture: labelOf(day, unit) > labelOf(today, unit),
  }));
  const { turn } = page;
  const [before, after] = turn === null ? [null, null] : [addTo(shown, -1, turn), addTo(shown, 1, turn)];
  const isOver = turn !== null && after !== null && labelOf(after, turn) > labelOf(today, turn);
  return {
    title: formatPeriodTitle(sheet, view, date),
    date,
    hasNext: stepped(choice, 1, frame) !== null,
    isCurrent: isCurrent(choice, frame),
    head: page.head,
    heads: page.heads,
    columns: page.columns,
    picks,
    before,
    after: isOver ? null : after,
  };
}

interface PickPage {
  readonly head: string;
  readonly heads: readonly string[];
  readonly columns: number;
  readonly days: readonly { readonly day: string; readonly text: string; readonly isBlank?: boolean }[];
  /** The unit that the arrows of the choices turn; null: none. */
  readonly turn: Unit | null;
}

const mostYears = 6;

/** The choices of each unit. */
const pages: Readonly<Record<Unit, (shown: string, format: Format) => PickPage>> = {
  day: daysOfMonth,
  week: daysOfMonth,
  month: (shown, format) => ({
    head: labelOf(shown, 'year'),
    heads: [],
    columns: 3,
    turn: 'year',
    days: numbered(12, (index) => {
      const day = `${labelOf(shown, 'year')}-${two(index + 1)}-01`;
      return { day, text: format(day, { month: 'short' }) };
    }),
  }),
  year: (shown) => ({
    head: '',
    heads: [],
    columns: 3,
    turn: null,
    days: numbered(mostYears, (index) => {
      const day = addTo(shown, index - mostYears + 1, 'year');
      return { day, text: labelOf(day, 'year') };
    }),
  }),
};

function daysOfMonth(shown: string, format: Format): PickPage {
  const month = labelOf(shown, 'month');
  const first = `${month}-01`;
  const before = (new Date(noonOf(first)).getUTCDay() + 6) % 7;
  const monday = addTo(first, -before, 'day');
  const days = numbered(42, (index) => addTo(monday, index, 'day'));
  const weeks = days.filter((_, index) => labelOf(days[index - (index % 7)] ?? '', 'month') <= month);
  return {
    head: format(first, { month: 'long', year: 'numeric' }),
    columns: 7,
    turn: 'month',
    heads: days.slice(0, 7).map((day) => format(day, { weekday: 'short' })),
    days: weeks.map((day) => ({ day, text: String(Number(day.slice(8))), isBlank: labelOf(day, 'month') !== month })),
  };
}

function numbered<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
