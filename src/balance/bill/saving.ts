/** The quarters and hours of a bill at its prices, for what moved use and batteries would have saved. */
import type { BalanceBattery, BalanceMissing, BalancePayload } from '../../model/payload';
import type { InParts } from '../../time/pause';
import { perKwh, type Amount } from '../meters/amounts';
import { type PlacedMeter, placeMeters } from '../meters/placed-meters';
import { divideIntoParts, pastUntil } from '../period/parts';
import type { ReadHouse } from '../period/period-balance';
import { perAmount, toNumber } from '../prices/exact';
import { leastShare } from '../prices/known-days';
import type { Money, Prices } from '../prices/prices';
import { savedByBattery } from './battery';
import { hasGrid, reasonAgainst } from './bill-base';
import { findClockHour, type GridSlots, gridSlotsOf, knownIn } from './grid-slots';
import { type PricedSlot, pricedSlotsOf } from './slot-prices';
import { type Tariff, tariffsOfSlots } from './tariff-hours';

export interface Savings {
  readonly moved: number | null;
  readonly batteries: BalanceBattery[];
  /** Why `moved` is null. */
  readonly missing: { readonly moved?: BalanceMissing; readonly batteries?: BalanceMissing };
}

interface Grid {
  readonly placed: readonly PlacedMeter[];
  readonly slots: GridSlots;
}

/** The slots are the same for every set of prices. */
export class SlotsOfHouse {
  private grid: Grid | null = null;
  private tariffs: { readonly ofSlots: readonly Tariff[] | null } | null = null;

  constructor(private readonly house: ReadHouse) {}

  *savings(
    prices: Prices | null,
    base: BalancePayload,
    share: number,
    batteriesKwh: readonly number[],
  ): InParts<Savings> {
    const slots = yield* this.pricedSlots(prices, base, share);
    if (typeof slots === 'string') {
      return {
        moved: null,
        batteries: batteriesKwh.map((kwh) => ({ kwh, saved: null })),
        missing: { moved: slots, ...(batteriesKwh.length > 0 && { batteries: slots }) },
      };
    }
    const { days } = (yield* this.gridSlots()).slots;
    const moved = yield* worthOfMoved(days, slots);
    const batteries: BalanceBattery[] = [];
    for (const kwh of batteriesKwh) {
      batteries.push({ kwh, saved: toNumber((yield* savedByBattery(slots, kwh)) * perAmount.kWh) });
    }
    return { moved: toNumber(moved * perAmount.kWh), batteries, missing: {} };
  }

  private *pricedSlots(
    prices: Prices | null,
    base: BalancePayload,
    share: number,
  ): InParts<readonly PricedSlot[] | BalanceMissing> {
    const reason = hasGrid(base) ? reasonAgainst(prices, base, share) : 'not_measured';
    if (prices === null || reason !== null) return reason ?? 'no_price';
    const { period } = this.house;
    const least = leastShare * (period.end - period.start);
    const { slots: grid } = yield* this.gridSlots();
    if (knownIn(grid.slots) < least) return 'not_by_hour';
    const slots = yield* pricedSlotsOf(prices, grid, () => this.tariffsOfSlots());
    if (typeof slots === 'string') return slots;
    return knownIn(slots) < least ? 'no_price' : slots;
  }

  private *tariffsOfSlots(): InParts<readonly Tariff[] | null> {
    if (this.tariffs !== null) return this.tariffs.ofSlots;
    const { placed, slots } = yield* this.gridSlots();
    const ofSlots = yield* tariffsOfSlots(placed, slots, this.house.period.timezone);
    this.tariffs = { ofSlots };
    return ofSlots;
  }

  private *gridSlots(): InParts<Grid> {
    if (this.grid !== null) return this.grid;
    const { period, meters, now } = this.house;
    const until = pastUntil(period, now);
    const placed = placeMeters(meters, divideIntoParts(period, 'P1D', until, []).days, until < period.end);
    yield;
    const grid: Grid = { placed, slots: yield* gridSlotsOf(this.house, placed, until) };
    this.grid = grid;
    return grid;
  }
}

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
 * Worth of 1 kWh a day that a house uses in hours with a surplus of sun, instead of in other hours. On each day it is the least of
 * 1 kWh, the export of the hours with more export than import, and the import of the other hours; at the mean price of that import
 * minus the mean price of that export.
 * @param days first moments of the days, and the last past moment
 * @param slots ascending
 * @returns amount × money
 */
function* worthOfMoved(days: readonly number[], slots: readonly PricedSlot[]): InParts<Money> {
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
