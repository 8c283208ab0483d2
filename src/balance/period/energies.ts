/** Quantities derived from import, export and production: self-consumption, use of the house, and the ratios. */
import type { BalanceMissing } from '../../model/payload';
import { perKwh, type Amount } from '../meters/amounts';

/** Amounts or W; the calculation is the same. */
export interface Flows {
  readonly import: number;
  readonly export: number;
  /** Null if the house has no production meter. */
  readonly production: number | null;
  /** Null if the house has no meter at a battery. */
  readonly battery: BatteryFlows | null;
}

export interface BatteryFlows {
  readonly charged: number;
  readonly discharged: number;
}

export interface Sums {
  readonly net: number;
  readonly house: number;
  /** Null if the house has no production. With a battery it is right for times of an hour at most. */
  readonly selfConsumed: number | null;
}

export function computeHouseSums(flows: Flows): Sums {
  const { import: taken, export: given, production, battery } = flows;
  const net = taken - given;
  if (battery !== null) {
    const house = net + (production ?? 0) + battery.discharged - battery.charged;
    return { net, house, selfConsumed: production === null ? null : production - splitFlows(flows).sunToGrid };
  }
  if (production === null) return { net, house: taken, selfConsumed: null };
  return { net, house: net + production, selfConsumed: production - given };
}

/** Amounts that add up to the use of the house, and the part of the production that goes to the grid. */
export interface FlowSplit {
  readonly grid: number;
  readonly sun: number;
  readonly battery: number;
  readonly sunToGrid: number;
}

/**
 * The sources of the use of a house in an hour, as in the energy dashboard of Home Assistant (computeConsumptionSingle,
 * https://github.com/home-assistant/frontend/blob/dev/src/data/energy.ts): import beyond the use of the house charges the battery,
 * production charges the rest of it, and what then remains of the production is exported first.
 */
export function splitFlows({ import: taken, export: given, production, battery }: Flows): FlowSplit {
  const [fromGrid, toGrid, sun] = [atLeast0(taken), atLeast0(given), atLeast0(production ?? 0)];
  const [charged, discharged] = [atLeast0(battery?.charged ?? 0), atLeast0(battery?.discharged ?? 0)];
  const used = atLeast0(fromGrid + sun + discharged - toGrid - charged);
  const gridToBattery = atLeast0(Math.min(charged, fromGrid - used));
  const sunToBattery = Math.min(sun, charged - gridToBattery);
  const sunToGrid = Math.min(sun - sunToBattery, toGrid);
  const batteryToGrid = Math.min(discharged, toGrid - sunToGrid);
  const ofSun = Math.min(used, sun - sunToBattery - sunToGrid);
  const ofBattery = Math.min(used - ofSun, discharged - batteryToGrid);
  return { grid: used - ofSun - ofBattery, sun: ofSun, battery: ofBattery, sunToGrid };
}

function atLeast0(flow: number): number {
  return Math.max(0, flow);
}

/** 0.1 kWh. */
export const smallestEnergy = perKwh / 10;
/** W; the power of a house changes by this much between two readings that are seconds apart. */
export const smallestPower = 100;

/**
 * True for a value below zero by more than 1 % of its parts and more than the smallest difference: an unmeasured battery, or a
 * meter in the wrong role. The own use of an inverter at night or under snow is negative production in any case.
 */
export function isInconsistent(value: number, flows: Flows, smallest: number): boolean {
  const { import: taken, export: given, production, battery } = flows;
  const ofBattery = battery === null ? 0 : Math.abs(battery.charged) + Math.abs(battery.discharged);
  const parts = Math.abs(taken) + Math.abs(given) + Math.abs(production ?? 0) + ofBattery;
  const least = Math.min(0, production ?? 0);
  return value < least - 0.01 * parts && value < least - smallest;
}

/** True if two values of one amount differ by more than 1 % of the flow and more than 0.1 kWh. */
export function isDifferent(one: Amount, other: Amount, flowed: Amount): boolean {
  const difference = Math.abs(one - other);
  return difference > 0.01 * Math.abs(flowed) && difference > smallestEnergy;
}

/** Limited to 0 to 1; null for a whole of 0 or less: an inverter uses a little power of the house at night. */
export function divideWithinOne(part: number | null, whole: number | null): number | BalanceMissing {
  if (part === null || whole === null) return 'not_measured';
  return whole <= 0 ? 'zero_divisor' : Math.min(1, Math.max(0, part / whole));
}
