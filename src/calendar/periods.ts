/** Days, months and years in a time zone: half-open and without gaps between them. A day has 23, 24 or 25 hours. */
import { earliestMoment, latestMoment, millis, type Millis, millisToSeconds, type Seconds } from '../protocol/time';
import { CalendarError, fromLocalTime, toLocalTime, type LocalTime } from './zone';

export type PeriodUnit = 'day' | 'month' | 'year';

/** A day, month or year. */
export interface Period {
  readonly unit: PeriodUnit;
  /** `2026-10-25`, `2026-10` or `2026`. */
  readonly label: string;
  /** IANA name. */
  readonly timezone: string;
  /** First moment of the period, Unix ms. */
  readonly start: Millis;
  /** First moment after it, Unix ms. */
  readonly end: Millis;
}

/** Days in a row, such as those of a bill. */
export interface DayRange {
  readonly unit: 'range';
  /** First and last day, both inclusive: `2025-07-01/2026-06-30`. */
  readonly label: string;
  /** IANA name. */
  readonly timezone: string;
  /** First moment of the first day, Unix ms. */
  readonly start: Millis;
  /** First moment after the last day, Unix ms. */
  readonly end: Millis;
}

export type Span = Period | DayRange;

/** Default limit of `periodsBetween`: ten years of days. */
export const mostPeriods = 3660;

const labelPattern = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/**
 * The day, month or year that contains the moment.
 * @throws {CalendarError} `no_such_zone`; `out_of_range` before 2010 or after 2099
 */
export function periodContaining(unit: PeriodUnit, zone: string, at: Millis): Period {
  if (!(at >= earliestMoment && at < latestMoment)) throw new CalendarError('out_of_range');
  const local = new Date(toLocalTime(zone, at));
  const period = periodOf(unit, zone, local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  // If clocks are set back over midnight, the date of yesterday occurs once more after today has begun.
  return at < period.end ? period : nextPeriod(period);
}

/**
 * The period of a label (`2026-10-25`, `2026-10`, `2026`). The form of the label decides the unit.
 * @throws {CalendarError} `not_a_label`, `no_such_date` (2026-02-30, or a day that the time zone skipped), `out_of_range`,
 *   `no_such_zone`
 */
export function periodFromLabel(label: string, zone: string): Period {
  const match = labelPattern.exec(label);
  if (!match) throw new CalendarError('not_a_label');
  const [, year, month, day] = match;
  const unit = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  const period = periodOf(unit, zone, Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  if (period.label !== label || period.start === period.end) throw new CalendarError('no_such_date');
  if (period.end <= earliestMoment || period.start >= latestMoment) throw new CalendarError('out_of_range');
  return period;
}

/** The period of the same unit that begins at the end of this one. */
export function nextPeriod(period: Period): Period {
  return neighbour(period, 1);
}

/** The period of the same unit that ends at the start of this one. */
export function previousPeriod(period: Period): Period {
  return neighbour(period, -1);
}

/**
 * The period that contains `now`, or the one before it.
 * @throws {CalendarError} `no_such_zone`, `out_of_range`
 */
export function namedPeriod(name: 'current' | 'previous', unit: PeriodUnit, zone: string, now: Millis): Period {
  const current = periodContaining(unit, zone, now);
  return name === 'current' ? current : previousPeriod(current);
}

/**
 * All periods from the one that contains `from` to the one that contains `to`, both included.
 * @param most number of periods allowed
 * @throws {CalendarError} `wrong_order` if `to` is before `from`, `too_many_periods`, `no_such_zone`, `out_of_range`
 */
export function periodsBetween(
  unit: PeriodUnit,
  zone: string,
  from: Millis,
  to: Millis,
  most: number = mostPeriods,
): Period[] {
  let period = periodContaining(unit, zone, from);
  if (to < period.start) throw new CalendarError('wrong_order');
  const periods: Period[] = [];
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
  const days = periodsBetween('day', zone, from, to, most);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new CalendarError('wrong_order');
  return {
    unit: 'range',
    label: `${first.label}/${last.label}`,
    timezone: zone,
    start: first.start,
    end: last.end,
  };
}

/** The months that a span touches. */
export function monthsOf({ timezone, start, end }: Span): Period[] {
  return periodsBetween('month', timezone, start, millis(end - 1));
}

/**
 * The `time` to send for a period, in Unix seconds: noon of the day, of the 15th of the month, of 1 July. Noon is on the same
 * day in neighbouring time zones, so a monitor with a wrong time zone still answers for the right day.
 */
export function requestTime(period: Period): Seconds {
  const { year, month, day } = datesOf(period);
  const local = {
    day: Date.UTC(year, month, day, 12),
    month: Date.UTC(year, month, 15, 12),
    year: Date.UTC(year, 6, 1, 12),
  }[period.unit];
  return millisToSeconds(fromLocalTime(period.timezone, local as LocalTime));
}

/** First moment of a date. `month` (0 to 11) and `day` may exceed their range, as in `Date.UTC`. */
export function startOfDate(zone: string, year: number, month: number, day: number): Millis {
  return fromLocalTime(zone, Date.UTC(year, month, day) as LocalTime);
}

/** Year, month (0 to 11) and day of the first date of a period. */
export function datesOf(period: Period): { year: number; month: number; day: number } {
  const [year, month, day] = period.label.split('-').map(Number);
  return { year: year ?? NaN, month: (month ?? 1) - 1, day: day ?? 1 };
}

function neighbour(period: Period, direction: 1 | -1): Period {
  const { year, month, day } = datesOf(period);
  const step = { day: [0, 0, direction], month: [0, direction, 0], year: [direction, 0, 0] } as const;
  const [years, months, days] = step[period.unit];
  const found = periodOf(period.unit, period.timezone, year + years, month + months, day + days);
  // A zone that moves across the date line skips a day (Pacific/Apia, 2011-12-30).
  return found.start === found.end ? neighbour(found, direction) : found;
}

function periodOf(unit: PeriodUnit, timezone: string, year: number, month: number, day: number): Period {
  const date = new Date(Date.UTC(year, month, day)).toISOString();
  switch (unit) {
    case 'day':
      return {
        unit,
        label: date.slice(0, 10),
        timezone,
        start: startOfDate(timezone, year, month, day),
        end: startOfDate(timezone, year, month, day + 1),
      };
    case 'month':
      return {
        unit,
        label: date.slice(0, 7),
        timezone,
        start: startOfDate(timezone, year, month, 1),
        end: startOfDate(timezone, year, month + 1, 1),
      };
    case 'year':
      return {
        unit,
        label: date.slice(0, 4),
        timezone,
        start: startOfDate(timezone, year, 0, 1),
        end: startOfDate(timezone, year + 1, 0, 1),
      };
  }
}
