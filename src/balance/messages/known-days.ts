/** The days that are known of a house whose messages are added up: a house that is new has no twelve months for a bill. */
import { type DayRange, dayRange, nextPeriod, periodContaining, previousPeriod } from '../../calendar/periods';
import { smallest } from '../../checks/extremes';
import { millis } from '../../time/units';
import { mostDaysOfBill } from '../bill/bill-question';
import type { RoleOfMeter } from './meters-of-state';
import type { MessagesState, MeterState } from './state';

/** The first moment that is known of the grid, epoch ms; Infinity for none. Months and years have no days. */
function knownSince({ meters }: MessagesState, roleOf: RoleOfMeter): number {
  const moments = Object.entries(meters).flatMap(([name, meter]) =>
    roleOf(name) === 'grid' ? firstMoments(meter) : [],
  );
  return smallest(moments);
}

function firstMoments({ latest, quarters, midnights, fields }: MeterState): number[] {
  const ofFields = Object.values(fields).flatMap((field) => [
    field.quarters,
    field.hours,
    field.days,
    field.oldQuarters,
    field.oldHours,
  ]);
  const borders = [quarters, midnights, ...ofFields].flatMap((list) => Object.keys(list).map(Number));
  return [...Object.values(latest).map(([ts]) => ts), ...borders];
}

/**
 * From the first day that is known from its start until yesterday, where the twelve months of a bill begin earlier.
 * @param period the twelve months
 * @returns null if they are known, and if no day is
 */
export function knownRange(state: MessagesState, roleOf: RoleOfMeter, period: DayRange, now: number): DayRange | null {
  const since = knownSince(state, roleOf);
  if (since <= period.start || since > now) return null;
  const { timezone } = period;
  const begun = periodContaining('day', timezone, millis(since));
  const first = begun.start < since ? nextPeriod(begun) : begun;
  const last = previousPeriod(periodContaining('day', timezone, millis(now)));
  return first.start > last.start ? null : dayRange(timezone, first.start, last.start, mostDaysOfBill);
}
