/** The entry `node-red-contrib-cemm/simulator`: a simulated monitor and its service, for development and tests. */
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
export { createSimulatedClock, daysAgo, hoursAgo } from './checked-functions';
export { millis } from './options';
export type { Millis } from '../time/units';
