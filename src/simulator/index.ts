/** The entry `node-red-contrib-cemm/simulator`: a simulated monitor and its service, for development and tests. */
export { createSimulatedClock } from './simulated-clock';
export { faults, isFaultName } from './faults';
export { startSimulator } from './start-simulator';
export type { SimulatedClock, SimulatedClockOptions } from './simulated-clock';
export type { FaultName } from './faults';
export type { Household, Minute, Registers } from './household';
export type {
  DeliveryStatus,
  SimulatedMonitor,
  SimulatedWebhook,
  Simulator,
  SimulatorOptions,
  WebhookOptions,
} from './simulator';
export { millis, type Millis } from '../protocol/time';
