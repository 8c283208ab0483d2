/** The flows of a house in each clock hour, where every one of its meters was measured by itself. */
import { runAtOnce } from '../../time/pause';
import { smallest } from '../../checks/extremes';
import type { Span } from '../../calendar/periods';
import type { BalanceMethod } from '../../model/payload';
import type { Amount, HouseQuantity } from '../meters/amounts';
import { getEntry } from '../meters/entries';
import type { PlacedMeter } from '../meters/placed-meters';
import type { Flows } from './energies';
import { electricQuantities, type FoundAmounts } from './fields-of-house';
import { HouseParts } from './house-parts';
import { bySteps, leastExact, type StepAmounts } from './measured';
import { type Parts, divideIntoParts } from './parts';

export interface HoursInput {
  readonly placed: readonly PlacedMeter[];
  readonly period: Span;
  readonly until: number;
  readonly slots: 'minutes' | 'delivered';
  readonly found: FoundAmounts;
}

export interface HouseHour {
  readonly start: number;
  readonly flows: Flows;
  /** Measured ms. */
  readonly known: number;
}

export interface HouseHours {
  /** Its steps are the hours. */
  readonly parts: Parts;
  readonly house: HouseParts;
  /** One per step; null if a flow is not known by itself. */
  readonly hours: readonly (HouseHour | null)[];
  readonly method: BalanceMethod | null;
}

export function hoursOfHouse({ placed, period, until, slots, found }: HoursInput): HouseHours {
  const parts = divideIntoParts(period, 'PT1H', until, []);
  const house = new HouseParts(placed, parts, slots);
  const measured = new Map<HouseQuantity, StepAmounts & { readonly byItself: Uint8Array }>();
  for (const quantity of electricQuantities) {
    const one = found[quantity] === null ? null : house.measured(quantity);
    if (one === null) continue;
    measured.set(quantity, { ...bySteps(one, parts), byItself: house.measuredByItself(quantity) });
  }
  const all = [...measured.values()];
  const together = runAtOnce(house.stepsInCommon([...measured.keys()]));
  const hours = parts.steps.map((start, hour): HouseHour | null => {
    if (together[hour] !== 1 || all.some(({ byItself }) => byItself[hour] !== 1)) return null;
    const amountIn = (quantity: HouseQuantity): Amount => measured.get(quantity)?.amounts[hour] ?? 0;
    const flows: Flows = {
      import: amountIn('import'),
      export: amountIn('export'),
      production: amountIn('production'),
      battery: { charged: amountIn('charged'), discharged: amountIn('discharged') },
    };
    return { start, flows, known: smallest(all.map((one) => getEntry(one.known, hour))) };
  });
  return { parts, house, hours, method: leastExact(all.map(({ method }) => method)) };
}
