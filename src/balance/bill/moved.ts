/** Worth of 1 kWh a day that a house uses in hours with a surplus of sun, instead of in other hours. */
import type { InParts } from '../../time/pause';
import { perKwh, type Amount } from '../meters/amounts';
import type { Money } from '../prices/prices';
import { findClockHour } from './grid-slots';
import type { PricedSlot } from './slot-prices';

const movedPerDay: Amount = perKwh;

/** More of them are computed with a pause. */
const daysAtOnce = 30;

interface Hour {
  taken: Amount;
  given: Amount;
  /** Amount × money. */
  paid: Money;
  earned: Money;
}

/**
 * On each day the least of 1 kWh, the export of the hours with more export than import, and the import of the other hours; at the
 * mean price of that import minus the mean price of that export.
 * @param days first moments of the days, and the last past moment
 * @param slots ascending
 * @returns amount × money
 */
export function* worthOfMoved(days: readonly number[], slots: readonly PricedSlot[]): InParts<Money> {
  let worth: Money = 0n;
  let index = 0;
  for (const [place, day] of days.slice(0, -1).entries()) {
    if (place % daysAtOnce === daysAtOnce - 1) yield;
    const end = days[place + 1] ?? Infinity;
    const hours = new Map<number, Hour>();
    for (let slot = slots[index]; slot !== undefined && slot.start < end; slot = slots[index]) {
      addTo(hours, findClockHour(slot.start, day), slot);
      index += 1;
    }
    worth += worthOfDay([...hours.values()]);
  }
  return worth;
}

function addTo(hours: Map<number, Hour>, start: number, { taken, given, buys, sells }: PricedSlot): void {
  const hour = hours.get(start) ?? { taken: 0, given: 0, paid: 0n, earned: 0n };
  hours.set(start, hour);
  hour.taken += taken;
  hour.given += given;
  hour.paid += BigInt(taken) * buys;
  hour.earned += BigInt(given) * sells;
}

function worthOfDay(hours: readonly Hour[]): Money {
  let [taken, given, paid, earned] = [0, 0, 0n, 0n];
  for (const hour of hours) {
    if (hour.given > hour.taken) {
      given += hour.given;
      earned += hour.earned;
    } else {
      taken += hour.taken;
      paid += hour.paid;
    }
  }
  const moved = BigInt(Math.min(movedPerDay, taken, given));
  return moved === 0n ? 0n : (moved * paid) / BigInt(taken) - (moved * earned) / BigInt(given);
}
