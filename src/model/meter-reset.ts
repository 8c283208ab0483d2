/** Tells that a meter was replaced, reset or misread. Nothing here subtracts: what a fall means is the flow's decision. */
import type { Values } from './payload';

/**
 * `zero`: the counter reads 0, which a monitor also gives for a moment after a restart (wait for the next reading).
 * `fell`: it reads less than before, as a replaced meter does.
 */
export interface MeterReset {
  readonly field: string;
  readonly kind: 'zero' | 'fell';
  readonly previous: number;
  readonly current: number;
}

/** kWh or m³. The members `data` and `totals` of one answer differ by 0.01 through rounding (vendor-facts.md 1.2). */
const ROUNDING = 0.05;

/** Counters that only rise. Net energy is none: it falls whenever more is fed in than used. */
const RISING = /^(energy_(import|export|production|own_use)(_(t|l)\d)?_kwh|home_energy_kwh|(gas|water|volume)_m3)$/;

/**
 * Compares two sets of meter readings of the same meter, older one first, and tells each counter that reads less than
 * before. Not for series: their values are per slot. Fields that are null or absent on either side tell nothing.
 */
export function compareReadings(previous: Values, current: Values): MeterReset[] {
  const resets: MeterReset[] = [];
  for (const [field, now] of Object.entries(current)) {
    const before = previous[field] ?? null;
    if (!RISING.test(field) || now === null || before === null || now >= before - ROUNDING) continue;
    resets.push({ field, kind: now === 0 ? 'zero' : 'fell', previous: before, current: now });
  }
  return resets;
}
