/** Which day, month or year a message (or a round of polling) is about. */
import { CalendarError } from '../../src/calendar/calendar-error';
import { parseDate } from '../../src/calendar/parse-date';
import type { Period, PeriodUnit } from '../../src/calendar/period';
import { namedPeriod, periodContaining, periodsBetween } from '../../src/calendar/periods';
import { CemmError } from '../../src/clients/errors';
import { millis, type Millis } from '../../src/wire/time';
import { dateTypes, type DateType } from './date-config';
import { noValue, resolveTyped, type Evaluation } from './typed-input';

export interface DateEntry {
  /** As the form calls it; an error names it. */
  readonly field: string;
  readonly value: string | undefined;
  readonly type: string | undefined;
}

export interface PeriodFrame {
  readonly unit: PeriodUnit;
  readonly timezone: string;
  readonly now: Millis;
}

/** @throws CemmError as resolveTyped, and INPUT `no_value`, `not_begun`, or the calendar's own word */
export async function choosePeriod(entry: DateEntry, frame: PeriodFrame, evaluation: Evaluation): Promise<Period> {
  const { unit, timezone, now } = frame;
  const type = dateTypeOf(entry.type);
  if (type === 'current' || type === 'previous') {
    return inCalendar(entry.field, () => namedPeriod(type, unit, timezone, now));
  }
  const value = await resolveTyped(entry.field, entry.value ?? '', type, evaluation);
  if (value === undefined || value === null || value === '') throw noValue(entry.field, type);
  const period = inCalendar(entry.field, () => periodContaining(unit, timezone, parseDate(value, timezone)));
  if (period.start > now) throw notBegun(entry.field, period);
  return period;
}

/** All periods from one to the other, both included. @throws CemmError as choosePeriod */
export async function choosePeriods(
  from: DateEntry,
  to: DateEntry,
  frame: PeriodFrame,
  evaluation: Evaluation,
): Promise<Period[]> {
  const first = await choosePeriod(from, frame, evaluation);
  const last = await choosePeriod(to, frame, evaluation);
  return inCalendar(to.field, () => periodsBetween(frame.unit, frame.timezone, first.start, last.start));
}

/** A date in a message. @throws CemmError INPUT `date` */
export function dateOf(field: string, value: unknown, timezone: string): Millis {
  return inCalendar(field, () => parseDate(value, timezone));
}

export function wallClock(): Millis {
  return millis(Date.now());
}

/** Calendar errors as ours: `date` for what is no date, and the calendar's own word for a bad range. */
export function inCalendar<Result>(field: string, use: () => Result): Result {
  try {
    return use();
  } catch (thrown) {
    if (!(thrown instanceof CalendarError)) throw thrown;
    throw new CemmError('INPUT', `${field}: ${thrown.message}.`, { reason: thrown.reason, params: { field } });
  }
}

function notBegun(field: string, { label }: Period): CemmError {
  return new CemmError('INPUT', `${field}: ${label} has not begun yet.`, {
    reason: 'not_begun',
    params: { field, date: label },
  });
}

function dateTypeOf(type: string | undefined): DateType {
  return dateTypes.find((known) => known === type) ?? 'current';
}
