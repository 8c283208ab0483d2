/** The periods that a program names: `{ day: '2026-10-25' }`, `{ unit: 'day', from, to }`, `{ period: 'now' }`. */
import { parseDate } from '../calendar/dates';
import { namedPeriod, type Period, periodContaining, type PeriodOf, periodsBetween } from '../calendar/periods';
import { type PeriodUnit, periodUnits } from '../calendar/units';
import { convertCalendarErrors } from '../model/calendar-errors';
import type { DateChoice, RangeChoice } from './cemm';
import { CemmError } from '../errors';
import { checkArgument, described, needed, object, oneOf, unknownOption } from '../checks/options';
import { type Millis } from '../time/units';
import { isRecord } from '../checks/record';
import { checkRange, dateKind, isDateChoice } from './request-options';

/** Time zone and moment in which a date is read. */
export interface DateFrame {
  readonly timezone: string;
  readonly now: Millis;
}

/**
 * @param units that the method accepts
 * @throws {CemmError} INPUT `no_period`, `option_missing`, `option_type`, `option_unknown`, or the reason of the CalendarError
 */
export function readPeriod<Unit extends PeriodUnit>(
  choice: unknown,
  frame: DateFrame,
  units: readonly Unit[],
): PeriodOf<Unit> {
  const { name, value } = namedValue(choice, units);
  return periodOf(name, value, frame, name);
}

/**
 * A period, or `now`.
 * @throws {CemmError} as readPeriod
 */
export function readPeriodOrNow(choice: unknown, frame: DateFrame): Period | 'now' {
  const { name, value } = namedValue(choice, ['period', ...periodUnits]);
  return name === 'period' ? 'now' : periodOf(name, value, frame, name);
}

/** @throws {CemmError} as readPeriod, and INPUT `wrong_order`, `too_many_periods` */
export function readRange<Unit extends PeriodUnit>(
  range: RangeChoice<Unit>,
  frame: DateFrame,
  units: readonly Unit[],
): PeriodOf<Unit>[] {
  checkRange(range, units);
  const { unit } = range;
  const from = periodOf(unit, range.from, frame, 'from').start;
  const to = periodOf(unit, range.to, frame, 'to').start;
  return convertCalendarErrors('to', () => periodsBetween(unit, frame.timezone, from, to));
}

/** @param field name of the date in the call, for errors */
function periodOf<Unit extends PeriodUnit>(
  unit: Unit,
  date: DateChoice,
  { timezone, now }: DateFrame,
  field: string,
): PeriodOf<Unit> {
  return convertCalendarErrors(field, () => {
    if (date === 'current' || date === 'previous') return namedPeriod(date, unit, timezone, now);
    const written = unit === 'year' && isYear(date) ? String(date) : date;
    return periodContaining(unit, timezone, parseDate(written, timezone));
  });
}

/** True for a number of four digits; epoch seconds have ten. */
function isYear(value: DateChoice): boolean {
  return typeof value === 'number' && value < 10_000;
}

/** The only name in the object that has a value. */
function namedValue<Name extends PeriodUnit | 'period'>(
  choice: unknown,
  names: readonly Name[],
): { readonly name: Name; readonly value: DateChoice } {
  const hasNow = names.some((name) => name === 'period');
  const example = `an object, such as { ${hasNow ? "period: 'now' } or { " : ''}day: 'previous' }`;
  checkArgument('INPUT', 'period', choice, needed(described(object, example)));
  const given = new Map(Object.entries(isRecord(choice) ? choice : {}).filter(([, value]) => value !== undefined));
  for (const name of given.keys()) {
    if (!names.some((known) => known === name)) throw unknownOption('INPUT', name, names);
  }
  const [name, ...others] = names.filter((one) => given.has(one));
  if (name === undefined || others.length > 0) {
    const periods = names.map((one) => `\`${one}\``).join(', ');
    throw new CemmError('INPUT', { reason: 'no_period', params: { periods } });
  }
  const value = given.get(name);
  checkArgument('INPUT', name, value, name === 'period' ? oneOf(['now']) : dateKind);
  if (!isDateChoice(value)) throw new CemmError('INPUT', { reason: 'not_a_date', params: { field: name } });
  return { name, value };
}
