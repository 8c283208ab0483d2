/** Determines the monitor, meter and period of a message or a poll. */
import { CemmError } from '../../../src/errors';
import type { MeterTarget, RealtimeTarget } from '../../../src/connection/connection';
import type { DateType, MeterConfig, TypedValue } from './shared-config';
import { type Evaluation, noValue, resolveText, resolveTyped } from './typed-input';
import { convertCalendarErrors, notBegun } from '../../../src/model/calendar-errors';
import { parseDate } from '../../../src/calendar/dates';
import {
  namedPeriod,
  type PeriodOf,
  periodContaining,
  periodsBetween,
  type PeriodUnit,
} from '../../../src/calendar/periods';
import { millis, type Millis } from '../../../src/time/units';

/** @throws {CemmError} as resolveText */
export async function chooseMeters(config: MeterConfig, evaluation: Evaluation): Promise<RealtimeTarget> {
  const monitor = await resolveText('monitor', config.monitor, config.monitorType, evaluation);
  const alias = await resolveText('alias', config.alias, config.aliasType, evaluation);
  return { monitor, alias, role: config.role };
}

/** @throws {CemmError} as resolveText, and INPUT `no_alias` */
export async function chooseMeter(config: MeterConfig, evaluation: Evaluation): Promise<MeterTarget> {
  const { alias, ...target } = await chooseMeters(config, evaluation);
  if (alias !== null) return { ...target, alias };
  throw new CemmError('INPUT', { reason: 'no_alias' });
}

export interface DateEntry {
  /** The field's name in the form, for errors. */
  readonly field: string;
  readonly value: string;
  readonly type: DateType;
}

export interface PeriodFrame<Unit extends PeriodUnit = PeriodUnit> {
  readonly unit: Unit;
  readonly timezone: string;
  readonly now: Millis;
}

/** @throws {CemmError} as resolveTyped, and INPUT `no_value`, `not_begun` or the reason of the CalendarError */
export async function choosePeriod<Unit extends PeriodUnit>(
  entry: DateEntry,
  frame: PeriodFrame<Unit>,
  evaluation: Evaluation,
): Promise<PeriodOf<Unit>> {
  const { unit, timezone, now } = frame;
  const { type } = entry;
  if (type === 'current' || type === 'previous') {
    return convertCalendarErrors(entry.field, () => namedPeriod(type, unit, timezone, now));
  }
  const value = await resolveTyped(entry.field, entry.value, type, evaluation);
  if (value === undefined || value === null || value === '') throw noValue(entry.field, type);
  const period = convertCalendarErrors(entry.field, () => periodContaining(unit, timezone, parseDate(value, timezone)));
  if (period.start > now) throw notBegun(entry.field, period);
  return period;
}

/**
 * All periods of a range, including both ends.
 * @throws {CemmError} as choosePeriod
 */
export async function choosePeriods<Unit extends PeriodUnit>(
  from: DateEntry,
  to: DateEntry,
  frame: PeriodFrame<Unit>,
  evaluation: Evaluation,
): Promise<PeriodOf<Unit>[]> {
  const first = await choosePeriod(from, frame, evaluation);
  const last = await choosePeriod(to, frame, evaluation);
  return convertCalendarErrors(to.field, () => periodsBetween(frame.unit, frame.timezone, first.start, last.start));
}

/** @throws {CemmError} as resolveText, and INPUT `period` */
export async function choosePeriodWord<Word extends string>(
  { period, periodType }: { readonly period: string; readonly periodType: TypedValue },
  words: readonly Word[],
  evaluation: Evaluation,
): Promise<Word> {
  const chosen = await resolveText('period', period, periodType, evaluation);
  const word = words.find((known) => known === chosen);
  if (word !== undefined) return word;
  throw new CemmError('INPUT', { reason: 'period', params: { field: 'period', periods: words.join(', ') } });
}

/** A poll has no message. */
export function choosePatience(msg: Evaluation['msg']): 'poll' | 'user' {
  return msg === null ? 'poll' : 'user';
}

export function wallClock(): Millis {
  return millis(Date.now());
}
