/** The entry `node-red-contrib-cemm/simulator`: a simulated monitor and its service, for development and tests. */
import { daysAgo as days, hoursAgo as hours, type When } from './house';
import { checkClockOptions, checkLocalTime, checkNumber } from './options';
import { createSimulatedClock as create, type SimulatedClock, type SimulatedClockOptions } from './simulated-clock';

export { faults, isFaultName } from './faults';
export { houses } from './houses';
export { startSimulator } from './start-simulator';
export type { SimulatedClock, SimulatedClockOptions } from './simulated-clock';
export type { FaultName } from './faults';
export type { DatedEvent, DescribedMeter, DeviceSource, House, HouseEvent, HouseMeter, Source, When } from './house';
export type { HouseName } from './houses';
export type { Household, Minute } from './household';
export type { Registers, Truth } from './register-sums';
export type {
  DeliveryStatus,
  SimulatedMonitor,
  SimulatedWebhook,
  Simulator,
  SimulatorOptions,
  WebhookOptions,
} from './simulator';
export { millis } from './options';
export type { Millis } from '../time/units';

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
