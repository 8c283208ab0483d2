/** The quarters and hours of a bill at its prices, for what moved use and batteries would have saved. */
import type { BalanceBattery, BalanceMissing, BalancePayload } from '../../model/payload';
import type { InParts } from '../../time/pause';
import { type PlacedMeter, placeMeters } from '../meters/placed-meters';
import { divideIntoParts, pastUntil } from '../period/parts';
import type { ReadHouse } from '../period/period-balance';
import { perAmount, toNumber } from '../prices/exact';
import type { Prices } from '../prices/prices';
import { savedByBattery } from './battery';
import { hasGrid, leastShare, reasonAgainst } from './bill-base';
import { type GridSlots, gridSlotsOf, knownIn } from './grid-slots';
import { worthOfMoved } from './moved';
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
