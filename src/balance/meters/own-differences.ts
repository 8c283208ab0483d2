/** Compares the readings of a meter with the sums that the monitor keeps itself. */
import { hourMs } from '../../time/units';
import { perKwh, type Amount, type BalanceRole } from './amounts';
import { unusualRate, type Break, type Placed } from './breaks';
import { mainCounters, type PlacedReading } from './readings';
import type { Slot } from './shape';

/** Permitted difference from the monitor's own day or month: kWh, and a share of the flow. */
const permittedDifference = { amount: 0.5, share: 0.05 } as const;

/** The reading of an adjacent day may count for the end of a month. */
const mostBeside = 26 * hourMs;

/**
 * Days or months, including the current one, whose net differs from the monitor's own; the largest difference first.
 * @param until end of the running day or month so far
 */
export function differingIn(
  meter: { readonly role: BalanceRole; readonly net: readonly Slot[] },
  placed: Placed,
  until: number,
): Break[] {
  const found = meter.net.flatMap((whole) => {
    const slot = { ...whole, end: Math.min(whole.end, until) };
    const [plus, minus = null] = mainCounters[meter.role];
    const [taken, given] = [
      changeIn(placed.get(plus), slot),
      minus === null ? noChange : changeIn(placed.get(minus), slot),
    ];
    if (taken === null || given === null) return [];
    const difference = Math.abs(taken.amount - given.amount - slot.amount);
    const unsure = computeTolerance(Math.abs(taken.amount) + Math.abs(given.amount), taken.beside);
    return difference > unsure ? [{ from: slot.start, to: slot.end, difference }] : [];
  });
  return found.sort((a, b) => b.difference - a.difference);
}

/** @param beside distance of the readings from the ends, ms */
export function computeTolerance(flowed: Amount, beside: number): Amount {
  const { amount, share } = permittedDifference;
  return (amount + (unusualRate.electricity * beside) / hourMs) * perKwh + share * flowed;
}

const noChange = { amount: 0, beside: 0 } as const;

/** The change between the readings nearest to both ends, and their distance from the ends in ms. */
export function changeIn(
  list: readonly PlacedReading[] = [],
  { start, end }: { readonly start: number; readonly end: number },
): { amount: Amount; beside: number } | null {
  const beside = (border: number) => (reading: PlacedReading) => Math.abs(reading.at - border);
  const [before, after] = [start, end].map((border) => {
    const [nearest] = list
      .filter((reading) => beside(border)(reading) <= mostBeside)
      .sort((a, b) => beside(border)(a) - beside(border)(b));
    return nearest;
  });
  if (before === undefined || after === undefined || before.at >= after.at) return null;
  return { amount: after.amount - before.amount, beside: beside(start)(before) + beside(end)(after) };
}
