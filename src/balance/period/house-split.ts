/**
 * The sources of the use of a house in an hour, as in the energy dashboard of Home Assistant (computeConsumptionSingle,
 * https://github.com/home-assistant/frontend/blob/dev/src/data/energy.ts).
 */
import type { Flows } from './energies';

/** Amounts that add up to the use of the house. */
export interface HouseSplit {
  readonly grid: number;
  readonly sun: number;
  readonly battery: number;
}

export function splitOf({ import: taken, export: given, production, battery }: Flows): HouseSplit {
  const [fromGrid, sun] = [atLeast0(taken), atLeast0(production ?? 0)];
  const [charged, discharged] = [atLeast0(battery?.charged ?? 0), atLeast0(battery?.discharged ?? 0)];
  const used = atLeast0(fromGrid + sun + discharged - atLeast0(given) - charged);
  const gridToBattery = atLeast0(Math.min(charged, fromGrid - used));
  const sunToBattery = Math.min(sun, charged - gridToBattery);
  const sunToGrid = Math.min(sun - sunToBattery, atLeast0(given));
  const batteryToGrid = Math.min(discharged, atLeast0(given) - sunToGrid);
  const ofSun = Math.min(used, sun - sunToBattery - sunToGrid);
  const ofBattery = Math.min(used - ofSun, discharged - batteryToGrid);
  return { grid: used - ofSun - ofBattery, sun: ofSun, battery: ofBattery };
}

function atLeast0(flow: number): number {
  return Math.max(0, flow);
}
