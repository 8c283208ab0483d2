/**
 * What a battery would have saved, by the rule of most batteries: it takes what would go to the grid, and gives what would come
 * from it. docs/balance.md has the rule and its distance from the optimum.
 */
import { hourMs } from '../../protocol/time';
import { perKwh } from '../meters/amounts';
import type { Money } from '../prices/prices';
import type { PricedSlot } from './slot-prices';

/** kW per kWh of capacity, in each direction. */
const powerPerKwh = 0.5;
/** Of ten parts that it takes, nine are stored and can be given. All losses are in charging. */
const [takenParts, storedParts] = [10, 9];

/**
 * In each slot the battery first takes from the export, as far as it has room, then gives what it held at the start of the slot;
 * both together at most its power. It begins empty, and a charge stays until it is given.
 * @param slots ascending
 * @param kwh usable capacity
 * @returns amount × money
 */
export function savedByBattery(slots: readonly PricedSlot[], kwh: number): Money {
  const capacity = Math.round(kwh * perKwh) * takenParts;
  // In tenths of an amount, so that the losses are whole numbers.
  let stored = 0;
  let saved: Money = 0n;
  for (const { start, end, taken, given, buys, sells } of slots) {
    const most = Math.round(kwh * powerPerKwh * perKwh * ((end - start) / hourMs));
    const charged = Math.min(given, most, Math.floor((capacity - stored) / storedParts));
    const discharged = Math.min(taken, most - charged, Math.floor(stored / takenParts));
    if (charged === 0 && discharged === 0) continue;
    stored += charged * storedParts - discharged * takenParts;
    saved += BigInt(discharged) * buys - BigInt(charged) * sells;
  }
  return saved;
}
