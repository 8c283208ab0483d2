/** A day, month or year of the installation: half-open, in the installation's own time zone (23, 24 or 25 hour days). */
import { earliestMoment, latestMoment, type Millis, millisToSeconds, type Seconds } from '../protocol/time';
import { CalendarError, fromLocalTime, toLocalTime, type LocalTime } from './zone';

export type PeriodUnit = 'day' | 'month' | 'year';

export interface Period {
  readonly unit: PeriodUnit;
  /** `2026-10-25`, `2026-10` or `2026`. */
  readonly label: string;
  /** IANA name. */
  readonly timezone: string;
  /** First moment of the period. */
  readonly start: Millis;
  /** First moment after it. */
  readonly end: Millis;
}

// Days, months and years of a time zone (contract.md, `period`): half-open, back to back, each moment in exactly one.

/** Ten years of days: more in one question is a mistake. */
export const mostPeriods = 3660;

const LABEL = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/;

/** The day, month or year that contains the moment. Throws CalendarError `no_such_zone` or `out_of_range`. */
export function periodContaining(unit: PeriodUnit, zone: string, at: Millis): Period {
  if (!(at >= earliestMoment && at < latestMoment)) throw new CalendarError('out_of_range');
  const local = new Date(toLocalTime(zone, at));
  const period = periodOf(unit, zone, local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  // Clocks set back over midnight show yesterday's date once more after today has begun.
  return at < period.end ? period : nextPeriod(period);
}

/**
 * The period of a label (`2026-10-25`, `2026-10`, `2026`); the label's form gives the unit. Throws CalendarError
 * `not_a_label`, `no_such_date` (2026-02-30, or a day that the zone skipped), `out_of_range`, `no_such_zone`.
 */
export function periodFromLabel(label: string, zone: string): Period {
  const match = LABEL.exec(label);
  if (!match) throw new CalendarError('not_a_label');
  const [, year, month, day] = match;
  const unit = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  const period = periodOf(unit, zone, Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  if (period.label !== label || period.start === period.end) throw new CalendarError('no_such_date');
  if (period.end <= earliestMoment || period.start >= latestMoment) throw new CalendarError('out_of_range');
  return period;
}

/** The one that begins where this one ends. */
export function nextPeriod(period: Period): Period {
  return neighbour(period, 1);
}

/** The one that ends where this one begins. */
export function previousPeriod(period: Period): Period {
  return neighbour(period, -1);
}

/** `current` or `previous`, as the nodes offer them. */
export function namedPeriod(name: 'current' | 'previous', unit: PeriodUnit, zone: string, now: Millis): Period {
  const current = periodContaining(unit, zone, now);
  return name === 'current' ? current : previousPeriod(current);
}

/**
 * All periods from the one that contains `from` to the one that contains `to`, both included. Throws CalendarError
 * `wrong_order`, or `too_many_periods` when there are more than `most`.
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
 * A moment in the middle of the period: noon of the day, of the 15th of the month, of 1 July. Noon lies inside the same day
 * in every zone near the installation's, so a monitor whose own zone is set wrong still answers for it.
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

/** First moment of a calendar date; `day` and `month` (0 to 11) may run over their ends, as in `Date.UTC`. */
export function startOfDate(zone: string, year: number, month: number, day: number): Millis {
  return fromLocalTime(zone, Date.UTC(year, month, day) as LocalTime);
}

/** Year, month (0 to 11) and day of a period's first date. */
export function datesOf(period: Period): { year: number; month: number; day: number } {
  const [year, month, day] = period.label.split('-').map(Number);
  return { year: year ?? NaN, month: (month ?? 1) - 1, day: day ?? 1 };
}

function neighbour(period: Period, direction: 1 | -1): Period {
  const { year, month, day } = datesOf(period);
  const step = { day: [0, 0, direction], month: [0, direction, 0], year: [direction, 0, 0] } as const;
  const [years, months, days] = step[period.unit];
  const found = periodOf(period.unit, period.timezone, year + years, month + months, day + days);
  // A zone that moved over the date line has no such day at all (Pacific/Apia, 2011-12-30).
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
