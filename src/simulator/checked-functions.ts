/** Functions that the simulator itself uses as well, with a check of their arguments for programs. */
import { daysAgo as days, hoursAgo as hours, type When } from './house';
import { checkClockOptions, checkLocalTime, checkNumber } from './options';
import { createSimulatedClock as create, type SimulatedClock, type SimulatedClockOptions } from './simulated-clock';

/** @throws {CemmError} CONFIG: an option cannot be used */
export function createSimulatedClock(options: SimulatedClockOptions = {}): SimulatedClock {
  checkClockOptions(options);
  return create(options);
}

/**
 * Hours before the start, rounded to the minute.
 * @throws {CemmError} CONFIG: an argument cannot be used
 */
export function hoursAgo(before: number): When {
  checkNumber('hours', before);
  return hours(before);
}

/**
 * A local time on a day before the start; 0 is the day of the start.
 * @throws {CemmError} CONFIG: an argument cannot be used
 */
export function daysAgo(before: number, localTime: string): When {
  checkNumber('days', before);
  checkLocalTime(localTime);
  return days(before, localTime);
}
