/** Days, weeks, months and years in a time zone: half-open and without gaps between them. A day has 23, 24 or 25 hours. */
import { dayMs, earliestMoment, latestMoment, millis, type Millis, millisToSeconds, type Seconds } from '../time/units';
import { type PeriodUnit, seriesUnits, type SeriesUnit, unitRows } from './units';
import { CalendarError, fromLocalTime, toLocalTime, type LocalTime } from './zone';

export type { PeriodUnit, SeriesUnit };

/** A period of one unit, or `range`: days in a row, such as those of a bill. */
interface SpanOf<Unit extends PeriodUnit | 'range'> {
  readonly unit: Unit;
  /** `2026-10-25`, `2026-W43`, `2026-10` or `2026`; of a range its first and last day, both inclusive: `2025-07-01/2026-06-30`. */
  readonly label: string;
  /** IANA name. */
  readonly timezone: string;
  /** First moment of the period, Unix ms. */
  readonly start: Millis;
  /** First moment after it, Unix ms. */
  readonly end: Millis;
}

export type PeriodOf<Unit extends PeriodUnit> = SpanOf<Unit>;

/** A day, week, month or year. */
export type Period = { readonly [Unit in PeriodUnit]: PeriodOf<Unit> }[PeriodUnit];

/** A period for which a monitor has a series. */
export type SeriesPeriod = { readonly [Unit in SeriesUnit]: PeriodOf<Unit> }[SeriesUnit];

export type DayRange = SpanOf<'range'>;

export type Span = Period | DayRange;

/** Default limit of `periodsBetween`: ten years of days. */
export const mostPeriods = 3660;

/**
 * The day, week, month or year that contains the moment.
 * @throws {CalendarError} `no_such_zone`; `out_of_range` before 2010 or after 2099
 */
export function periodContaining<Unit extends PeriodUnit>(unit: Unit, zone: string, at: Millis): PeriodOf<Unit> {
  if (!(at >= earliestMoment && at < latestMoment)) throw new CalendarError('out_of_range');
  const local = toLocalTime(zone, at);
  const period = createPeriod(unit, zone, unitRows[unit].first(local - modulo(local, dayMs)));
  // If clocks are set back over midnight, the date of yesterday occurs once more after today has begun.
  return at < period.end ? period : nextPeriod(period);
}

/**
 * The period of a label (`2026-10-25`, `2026-10`, `2026`). The form of the label decides the unit.
 * @throws {CalendarError} `not_a_label`, `no_such_date` (2026-02-30, or a day that the time zone skipped), `out_of_range`,
 *   `no_such_zone`
 */
export function periodFromLabel(label: string, zone: string): SeriesPeriod {
  const unit = seriesUnits.find((one) => unitRows[one].pattern.test(label));
  if (unit === undefined) throw new CalendarError('not_a_label');
  return labelled(unit, label, zone);
}

/**
 * The week of a label (`2026-W43`).
 * @throws {CalendarError} as periodFromLabel
 */
export function weekFromLabel(label: string, zone: string): PeriodOf<'week'> {
  if (!unitRows.week.pattern.test(label)) throw new CalendarError('not_a_label');
  return labelled('week', label, zone);
}

function labelled<Unit extends PeriodUnit>(unit: Unit, label: string, zone: string): PeriodOf<Unit> {
  const first = unitRows[unit].parse(label);
  const period = createPeriod(unit, zone, first);
  if (unitRows[unit].label(first) !== label || period.start === period.end) throw new CalendarError('no_such_date');
  if (period.end <= earliestMoment || period.start >= latestMoment) throw new CalendarError('out_of_range');
  return period;
}

/** The period of the same unit that begins at the end of this one. */
export function nextPeriod<Unit extends PeriodUnit>(period: PeriodOf<Unit>): PeriodOf<Unit> {
  return neighbour(period, 1);
}

/** The period of the same unit that ends at the start of this one. */
export function previousPeriod<Unit extends PeriodUnit>(period: PeriodOf<Unit>): PeriodOf<Unit> {
  return neighbour(period, -1);
}

/**
 * The period that contains `now`, or the one before it.
 * @throws {CalendarError} `no_such_zone`, `out_of_range`
 */
export function namedPeriod<Unit extends PeriodUnit>(
  name: 'current' | 'previous',
  unit: Unit,
  zone: string,
  now: Millis,
): PeriodOf<Unit> {
  const current = periodContaining(unit, zone, now);
  return name === 'current' ? current : previousPeriod(current);
}

/**
 * All periods from the one that contains `from` to the one that contains `to`, both included.
 * @param most number of periods allowed
 * @throws {CalendarError} `wrong_order` if `to` is before `from`, `too_many_periods`, `no_such_zone`, `out_of_range`
 */
export function periodsBetween<Unit extends PeriodUnit>(
  unit: Unit,
  zone: string,
  from: Millis,
  to: Millis,
  most: number = mostPeriods,
): PeriodOf<Unit>[] {
  let period = periodContaining(unit, zone, from);
  if (to < period.start) throw new CalendarError('wrong_order');
  const periods: PeriodOf<Unit>[] = [];
  for (; period.start <= to; period = nextPeriod(period)) {
    if (periods.length >= most) throw new CalendarError('too_many_periods');
    periods.push(period);
  }
  return periods;
}

/**
 * The days from the one that contains `from` to the one that contains `to`, both included.
 * @param most number of days allowed
 * @throws {CalendarError} as periodsBetween
 */
export function dayRange(zone: string, from: Millis, to: Millis, most: number = mostPeriods): DayRange {
  const first = periodContaining('day', zone, from);
  const last = periodsBetween('day', zone, from, to, most).at(-1) ?? first;
  return {
    unit: 'range',
    label: `${first.label}/${last.label}`,
    timezone: zone,
    start: first.start,
    end: last.end,
  };
}

/** The periods that begin before a moment, from the one that contains another moment on. */
export function periodsUntil<Unit extends PeriodUnit>(
  unit: Unit,
  { timezone, start }: Pick<Span, 'timezone' | 'start'>,
  until: number,
): PeriodOf<Unit>[] {
  const periods: PeriodOf<Unit>[] = [];
  let period = periodContaining(unit, timezone, start);
  for (; period.start < until; period = nextPeriod(period)) periods.push(period);
  return periods;
}

/** The months that a span touches. */
export function monthsOf({ timezone, start, end }: Span): PeriodOf<'month'>[] {
  return periodsBetween('month', timezone, start, millis(end - 1));
}

/**
 * The `time` to send for a period, in Unix seconds: noon of the day, of the 15th of the month, of 1 July. Noon is on the same
 * day in neighbouring time zones, so a monitor with a wrong time zone still answers for the right day.
 */
export function requestTime(period: SeriesPeriod): Seconds {
  const first = firstDate(period);
  const days = { day: 0, month: 14, year: null }[period.unit];
  const date = days === null ? Date.UTC(new Date(first).getUTCFullYear(), 6, 1) : first + days * dayMs;
  return millisToSeconds(fromLocalTime(period.timezone, (date + dayMs / 2) as LocalTime));
}

/** First moment of a date. `month` (0 to 11) and `day` may exceed their range, as in `Date.UTC`. */
export function startOfDate(zone: string, year: number, month: number, day: number): Millis {
  return fromLocalTime(zone, Date.UTC(year, month, day) as LocalTime);
}

/** Year, month (0 to 11) and day of the first date of a period. */
export function datesOf(period: Period): { year: number; month: number; day: number } {
  const first = new Date(firstDate(period));
  return { year: first.getUTCFullYear(), month: first.getUTCMonth(), day: first.getUTCDate() };
}

function firstDate({ unit, label }: Period): number {
  return unitRows[unit].parse(label);
}

function neighbour<Unit extends PeriodUnit>(
  { unit, label, timezone }: PeriodOf<Unit>,
  direction: 1 | -1,
): PeriodOf<Unit> {
  const { move, parse } = unitRows[unit];
  const found = createPeriod(unit, timezone, move(parse(label), direction));
  // A zone that moves across the date line skips a day (Pacific/Apia, 2011-12-30).
  return found.start === found.end ? neighbour(found, direction) : found;
}

/** @param first its first date */
function createPeriod<Unit extends PeriodUnit>(unit: Unit, timezone: string, first: number): PeriodOf<Unit> {
  const { label, move } = unitRows[unit];
  return {
    unit,
    label: label(first),
    timezone,
    start: fromLocalTime(timezone, first as LocalTime),
    end: fromLocalTime(timezone, move(first, 1) as LocalTime),
  };
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
