/** The days of a cost: how many are past, how many are known, and how many of these have a price. */
import { periodContaining, type Span } from '../../calendar/periods';
import { getEntry } from '../meters/entries';
import type { CostDays } from '../prices/known-days';
import { pricesOfParts, type Prices } from '../prices/prices';
import type { HouseParts } from './house-parts';
import type { Measured } from './measured';
import { type Parts, divideIntoParts } from './parts';
import { millis } from '../../time/units';

interface ImportByDay {
  readonly days: Parts;
  readonly lastShare: number;
  readonly taken: Measured | null;
}

/** A bill has the costs of one house by many prices. */
const byHouse = new WeakMap<HouseParts, ImportByDay>();

/** @param until end of the past part of the period */
export function costDaysOf(
  { import: price }: Pick<Prices, 'import'>,
  house: HouseParts,
  period: Span,
  until: number,
): CostDays {
  const byDay = byHouse.get(house) ?? importByDay(house, period, until);
  byHouse.set(house, byDay);
  const { days, lastShare, taken } = byDay;
  const past = days.steps;
  const known = new Set(
    past.filter(
      (_, step) => taken === null || days.stepOf.some((of, part) => of === step && getEntry(taken.known, part) > 0),
    ),
  );
  if (price === null || price.kind === 'fixed') return { past, lastShare, known, priced: known };
  const { steps } = divideIntoParts(period, 'PT1H', until, []);
  const prices = pricesOfParts(price, steps);
  const priced = new Set<number>();
  let day = 0;
  steps.forEach((start, hour) => {
    while ((past[day + 1] ?? Infinity) <= start) day += 1;
    const of = getEntry(past, day);
    if (prices[hour] !== null && known.has(of)) priced.add(of);
  });
  return { past, lastShare, known, priced };
}

/** Start of the first day of which some of the import is known, if it is later than that of the period; else null. */
export function knownFrom(house: HouseParts, period: Span, until: number): number | null {
  const byDay = byHouse.get(house) ?? importByDay(house, period, until);
  byHouse.set(house, byDay);
  const { days, taken } = byDay;
  const part = taken?.known.findIndex((ms) => ms > 0) ?? -1;
  const start = part < 0 ? null : days.steps[getEntry(days.stepOf, part)];
  return start === undefined || start === null || start <= period.start ? null : start;
}

function importByDay(house: HouseParts, period: Span, until: number): ImportByDay {
  const days = divideIntoParts(period, 'P1D', until, []);
  const last = days.steps.at(-1) ?? period.start;
  const { start, end } = periodContaining('day', period.timezone, millis(last));
  return { days, lastShare: (until - start) / (end - start), taken: house.inParts(days).measured('import') };
}
