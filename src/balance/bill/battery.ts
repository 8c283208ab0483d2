/**
 * Savings of a battery by the rule of most batteries: it takes what would go to the grid, and gives what would come from it.
 * docs/balance.md has the rule and its distance from the optimum.
 */
import { hourMs } from '../../time/units';
import type { InParts } from '../../time/pause';
import { perKwh, type Amount } from '../meters/amounts';
import type { Money } from '../prices/prices';
import type { PricedSlot } from './slot-prices';

/** kW per kWh of capacity, in each direction. */
const powerPerKwh = 0.5;
/** A battery stores nine of ten parts that it takes, and can give them. All losses are in charging. */
const takenParts = 10;
const storedParts = 9;

/** More of them are computed with a pause. */
const slotsAtOnce = 4000;

interface Charge {
  readonly charged: Amount;
  readonly sells: Money;
}

/**
 * In each slot the battery first takes from the export, as far as it has room, then gives what it held at the start of the slot;
 * both together at most its power. It begins empty, and a charge stays until it is given. What it holds at the end counts as not
 * taken.
 * @param slots ascending
 * @param kwh usable capacity
 * @returns amount × money
 */
export function* savedByBattery(slots: readonly PricedSlot[], kwh: number): InParts<Money> {
  const capacity = Math.round(kwh * perKwh) * takenParts;
  const charges: Charge[] = [];
  // In tenths of an amount, so that the losses are whole numbers.
  let stored = 0;
  let saved: Money = 0n;
  // Few prices differ, and bigints are slow: amounts add up as long as the prices stay.
  let [sumIn, sumOut, lastBuys, lastSells]: [Amount, Amount, Money, Money] = [0, 0, 0n, 0n];
  const settle = (): void => {
    saved += BigInt(sumOut) * lastBuys - BigInt(sumIn) * lastSells;
    [sumIn, sumOut] = [0, 0];
  };
  for (const [index, { start, end, taken, given, buys, sells }] of slots.entries()) {
    if (index % slotsAtOnce === slotsAtOnce - 1) yield;
    const most = Math.round(kwh * powerPerKwh * perKwh * ((end - start) / hourMs));
    const charged = Math.min(given, most, Math.floor((capacity - stored) / storedParts));
    const discharged = Math.min(taken, most - charged, Math.floor(stored / takenParts));
    if (charged > 0) charges.push({ charged, sells });
    stored += charged * storedParts - discharged * takenParts;
    if (buys !== lastBuys || sells !== lastSells) settle();
    [lastBuys, lastSells] = [buys, sells];
    sumIn += charged;
    sumOut += discharged;
  }
  settle();
  return saved + worthOfRest(charges, Math.floor(stored / storedParts));
}

/** Income of the last charges if they had gone to the grid. */
function worthOfRest(charges: readonly Charge[], held: Amount): Money {
  let [rest, worth] = [held, 0n];
  for (let index = charges.length - 1; index >= 0 && rest > 0; index -= 1) {
    const { charged, sells } = charges[index] ?? { charged: 0, sells: 0n };
    const untaken = Math.min(rest, charged);
    rest -= untaken;
    worth += BigInt(untaken) * sells;
  }
  return worth;
}
