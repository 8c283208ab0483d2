import { CalendarError } from '../calendar/zone';
import { CemmError } from '../errors';

/** @throws {CemmError} INPUT with the reason of the CalendarError, such as `date` for an invalid date */
export function convertCalendarErrors<Result>(field: string, use: () => Result): Result {
  try {
    return use();
  } catch (thrown) {
    if (!(thrown instanceof CalendarError)) throw thrown;
    throw new CemmError('INPUT', { reason: thrown.reason, params: { field } });
  }
}
