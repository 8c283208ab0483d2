import { parseDate } from '../calendar/dates';
import { type Period, periodContaining } from '../calendar/periods';
import { CalendarError } from '../calendar/zone';
import { CemmError } from '../errors';
import type { Millis } from '../time/units';

/** @throws {CemmError} INPUT with the reason of the CalendarError, such as `date` for an invalid date */
export function convertCalendarErrors<Result>(field: string, use: () => Result): Result {
  try {
    return use();
  } catch (thrown) {
    if (!(thrown instanceof CalendarError)) throw thrown;
    throw new CemmError('INPUT', { reason: thrown.reason, params: { field } });
  }
}

/**
 * A date that a user names, not in the future.
 * @throws {CemmError} INPUT `not_begun` or the reason of the CalendarError
 */
export function parsePastDate(
  field: string,
  value: unknown,
  { timezone, now }: { readonly timezone: string; readonly now: Millis },
): Millis {
  const date = convertCalendarErrors(field, () => parseDate(value, timezone));
  if (date > now) throw notBegun(field, periodContaining('day', timezone, date));
  return date;
}

export function notBegun(field: string, { label }: Pick<Period, 'label'>): CemmError {
  return new CemmError('INPUT', { reason: 'not_begun', params: { field, date: label } });
}
