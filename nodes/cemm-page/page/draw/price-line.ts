/** The price of each slot, as a line over the bars with an axis of its own. */
import { largest, smallest } from '../../../../src/checks/extremes';
import type { Chart } from './drawn';
import { type Formats, isNumber, roundTo } from './numbers';
import type { PriceSlot } from './prices';
import type { Slot } from './slots';
import { stepsThrough } from './steps';

/** Cents between two lines of the axis. */
const centSteps = [5, 10, 20, 50, 100];

/**
 * Null where all slots have one price: the line would say nothing.
 * @param ahead prices after the last slot with a cost
 * @param zero place of zero in the chart, percent
 */
export function priceLine(
  slots: readonly Slot[],
  ahead: readonly PriceSlot[],
  { formats, zero }: { readonly formats: Formats; readonly zero: number },
): Pick<Chart, 'lines' | 'ticks'> | null {
  const [start, end] = [slots[0]?.ts ?? 0, slots.at(-1)?.end ?? 0];
  const past = slots.filter(({ ts }) => ts < (ahead[0]?.ts ?? end));
  const steps = [...past.map((slot) => ({ ts: slot.ts, price: slot.point?.['cost_per_kwh'] })), ...ahead];
  const cents = steps.map(({ price }) => (isNumber(price) ? 100 * price : null));
  const known = cents.filter(isNumber);
  if (known.length < 2 || largest(known) - smallest(known) < 0.1) return null;
  const step = centSteps.find((one) => largest(known) <= 4 * one) ?? 200;
  const top = step * Math.max(1, Math.ceil(largest(known) / step));
  const place = (value: number): number => roundTo(zero * (1 - value / top), 3);
  const x = (index: number): number => roundTo((100 * ((steps[index]?.ts ?? end) - start)) / (end - start), 3);
  return {
    lines: [{ colour: null, d: stepsThrough(cents, x, place) }],
    ticks: Array.from({ length: top / step + 1 }, (_, index) => ({
      y: place(index * step),
      text: formats.number(index * step, 0),
    })),
  };
}
