/**
 * The units of periods: one row each. What else depends on the unit is a `Record` over it, so that a new row does not compile
 * until each of these places has it. Dates are those of a calendar without a time zone, as the numbers that `Date.UTC` returns.
 */
import type { SeriesUnit } from '../protocol/responses';
import { mondayBefore, mondayOfWeek } from '../time/date-text';
import { dayMs } from '../time/units';

/** Every unit, the shortest first. */
export const periodUnits = ['day', 'week', 'month', 'year'] as const;

export type PeriodUnit = (typeof periodUnits)[number];

export type { SeriesUnit };

export interface UnitRow {
  /** The first date of the period that contains the date. */
  readonly first: (date: number) => number;
  /** The first date of the period that is this many periods after the one that begins at `first`. */
  readonly move: (first: number, count: number) => number;
  readonly label: (first: number) => string;
  readonly pattern: RegExp;
  /** The first date of a label that matches the pattern; the date of a label that does not exist has another label. */
  readonly parse: (label: string) => number;
}

const daysOfWeek = 7;

export const unitRows: Readonly<Record<PeriodUnit, UnitRow>> = {
  day: {
    first: (date) => date,
    move: (first, count) => first + count * dayMs,
    label: (first) => formatUtc(first, 10),
    pattern: /^\d{4}-\d{2}-\d{2}$/,
    parse: (label) => Date.UTC(numberAt(label, 0, 4), numberAt(label, 5, 7) - 1, numberAt(label, 8, 10)),
  },
  // ISO 8601: a week begins on Monday and belongs to the year of its Thursday.
  week: {
    first: mondayBefore,
    move: (first, count) => first + count * daysOfWeek * dayMs,
    label: labelOfWeek,
    pattern: /^\d{4}-W\d{2}$/,
    parse: (label) => mondayOfWeek(numberAt(label, 0, 4), numberAt(label, 6, 8)),
  },
  month: {
    first: (date) => monthsAfter(date, 0),
    move: monthsAfter,
    label: (first) => formatUtc(first, 7),
    pattern: /^\d{4}-\d{2}$/,
    parse: (label) => Date.UTC(numberAt(label, 0, 4), numberAt(label, 5, 7) - 1, 1),
  },
  year: {
    first: (date) => Date.UTC(new Date(date).getUTCFullYear(), 0, 1),
    move: (first, count) => Date.UTC(new Date(first).getUTCFullYear() + count, 0, 1),
    label: (first) => formatUtc(first, 4),
    pattern: /^\d{4}$/,
    parse: (label) => Date.UTC(numberAt(label, 0, 4), 0, 1),
  },
};

export const seriesUnits: readonly SeriesUnit[] = ['day', 'month', 'year'];

function labelOfWeek(monday: number): string {
  const year = new Date(monday + 3 * dayMs).getUTCFullYear();
  const week = 1 + Math.round((monday - mondayOfWeek(year, 1)) / (daysOfWeek * dayMs));
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function monthsAfter(date: number, count: number): number {
  const utc = new Date(date);
  return Date.UTC(utc.getUTCFullYear(), utc.getUTCMonth() + count, 1);
}

function formatUtc(date: number, length: number): string {
  return new Date(date).toISOString().slice(0, length);
}

function numberAt(text: string, from: number, to: number): number {
  return Number(text.slice(from, to));
}
