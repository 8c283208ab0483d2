/** The views of the page: one row each. The rest is typed by the rows: what a row lacks in another file is an error of the compiler. */
import type { PeriodUnit as Unit } from '../../../src/calendar/units';

export type { Unit };

/** Lengths of the points of a day. */
export const daySteps = ['1m', '15m', '1h'] as const;

export type DayStep = (typeof daySteps)[number];

/** So many units back. */
type Back = readonly [count: number, unit: Unit];

/**
 * Periods to compare with: the same weekday of the week before, the period before, the same one of the year before (of a week that
 * with the same weekdays, 52 weeks before).
 */
const compareKeys = ['week', 'before', 'year'] as const;

interface Row {
  /** Null: it has no date, and a drawing of its own. */
  readonly unit: Unit | null;
  /** View that a bar leads to; null: none. */
  readonly opens: string | null;
  /** A path of 24 × 24. */
  readonly icon: string;
}

interface PeriodRow extends Row {
  /** Length of its periods. */
  readonly unit: Unit;
  /** Length of the points that its question asks for, as bars and as a curve; null: bars only, in the step of the period. */
  readonly steps: { readonly bars: DayStep; readonly curve: DayStep } | null;
  /** The periods to compare with, the usual one first. */
  readonly compares: Readonly<Partial<Record<(typeof compareKeys)[number], Back>>>;
  /** The date of its period in the header. */
  readonly title: Intl.DateTimeFormatOptions;
}

const rows = {
  now: {
    unit: null,
    opens: 'day',
    icon: 'M13 3 5 14h6l-1 7 8-11h-6z',
  },
  day: {
    unit: 'day',
    steps: { bars: '1h', curve: '15m' },
    opens: null,
    compares: { week: [7, 'day'], before: [1, 'day'], year: [1, 'year'] },
    title: { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric' },
    icon: 'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19',
  },
  week: {
    unit: 'week',
    steps: null,
    opens: 'day',
    compares: { before: [1, 'week'], year: [52, 'week'] },
    title: { day: 'numeric', month: 'short', year: 'numeric' },
    icon: 'M4 19V11M7.2 19V7M10.4 19V13M13.6 19V9M16.8 19V6M20 19V12',
  },
  month: {
    unit: 'month',
    steps: null,
    opens: 'day',
    compares: { before: [1, 'month'], year: [1, 'year'] },
    title: { month: 'long', year: 'numeric' },
    icon: 'M4 6h16v14H4zM4 10.5h16M8.5 3v4M15.5 3v4M8 14.5h2M14 14.5h2',
  },
  year: {
    unit: 'year',
    steps: null,
    opens: 'month',
    compares: { before: [1, 'year'] },
    title: { year: 'numeric' },
    icon: 'M3 20c3 0 4-14 9-14s6 14 9 14',
  },
  bill: {
    unit: null,
    opens: null,
    icon: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  },
} as const satisfies Readonly<Record<string, PeriodRow | (Row & { readonly unit: null })>>;

export type View = keyof typeof rows;

/** The views with a period. */
export type PeriodView = { [V in View]: (typeof rows)[V]['unit'] extends Unit ? V : never }[View];

/** The rows, with the compiler's check that what a view opens is a view. */
export const viewRows: Readonly<
  Record<PeriodView, PeriodRow & { readonly opens: PeriodView | null }> &
    Record<View, Row & { readonly opens: View | null }>
> = rows;

/** In the order of the page. */
export const views = Object.keys(rows) as View[];

/** The views of a list, in the order of the page; all if it has none. */
export function viewsIn(list: readonly unknown[]): View[] {
  const known = views.filter((view) => list.includes(view));
  return known.length === 0 ? [...views] : known;
}

export const compares = ['none', ...compareKeys] as const;

export type Compare = (typeof compares)[number];

/** The comparisons of a view, the usual one first, none last. */
export function comparesOf(view: PeriodView): Compare[] {
  const { compares: there } = viewRows[view];
  return [...compareKeys.filter((key) => key in there), 'none'];
}
