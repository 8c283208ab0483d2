/** Paths of the power of one moment: from the sun, the battery and the grid to the house, the battery and the grid. */
import type { BalancePayload } from '../../../../src/model/payload';

/** Powers of a house at one moment, W. Null: the house has no such meter. */
export interface Powers {
  readonly taken: number;
  readonly given: number;
  readonly sun: number | null;
  /** Positive: the battery discharges. */
  readonly battery: number | null;
}

/** All of them at least 0. */
export interface Paths {
  readonly sunToHouse: number;
  readonly sunToBattery: number;
  readonly sunToGrid: number;
  readonly batteryToHouse: number;
  readonly batteryToGrid: number;
  readonly gridToHouse: number;
  readonly gridToBattery: number;
}

/**
 * Which source feeds what cannot be measured. This is the rule of the balance and of Home Assistant: import beyond the use of the house
 * charges the battery, the sun charges the rest of it, and what then remains of the sun is exported first.
 */
export function pathsBetween({ taken, given, sun, battery }: Powers): Paths {
  const shines = Math.max(0, sun ?? 0);
  const [discharged, charged] = [Math.max(0, battery ?? 0), Math.max(0, -(battery ?? 0))];
  const used = Math.max(0, taken + shines + discharged - given - charged);
  const gridToBattery = Math.max(0, Math.min(charged, taken - used));
  const sunToBattery = Math.min(shines, charged - gridToBattery);
  const sunToGrid = Math.min(shines - sunToBattery, given);
  const batteryToGrid = Math.min(discharged, given - sunToGrid);
  return {
    gridToBattery,
    sunToBattery,
    sunToGrid,
    batteryToGrid,
    sunToHouse: shines - sunToBattery - sunToGrid,
    batteryToHouse: discharged - batteryToGrid,
    gridToHouse: Math.max(0, taken - gridToBattery),
  };
}

/** Null where one of the powers is not known. */
export function pathsIn({ values }: Pick<BalancePayload, 'values'>): Paths | null {
  const { power_import_w: taken = null, power_export_w: given = null } = values;
  const { power_production_w: sun, power_battery_w: battery } = values;
  if (taken === null || given === null || sun === null || battery === null) return null;
  return pathsBetween({ taken, given, sun: sun ?? null, battery: battery ?? null });
}
