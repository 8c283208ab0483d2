/** The price of each slot, as a line over the bars with an axis of its own. */
import { largest, smallest } from '../../../../src/extremes';
import type { Chart } from './drawn';
import { type Formats, isNumber } from './numbers';
import type { Slot } from './slots';
import { stepsThrough } from './steps';

/** Cents between two lines of the axis. */
const steps = [5, 10, 20, 50, 100];

/** Null where all slots have one price: the line would say nothing. @param zero place of zero in the chart, percent */
export function priceLine(
  slots: readonly Slot[],
  formats: Formats,
  zero: number,
): Pick<Chart, 'lines' | 'ticks'> | null {
  const cents = slots.map(({ point }) => {
    const price = point?.['cost_per_kwh'];
    return isNumber(price) ? 100 * price : null;
  });
  const known = cents.filter(isNumber);
  if (known.length < 2 || largest(known) - smallest(known) < 0.1) return null;
  const step = steps.find((one) => largest(known) <= 4 * one) ?? 200;
  const top = step * Math.max(1, Math.ceil(largest(known) / step));
  const place = (value: number): number => Number((zero * (1 - value / top)).toFixed(3));
  const width = 100 / slots.length;
  return {
    lines: [{ colour: null, d: stepsThrough(cents, (index) => Number((index * width).toFixed(3)), place) }],
    ticks: Array.from({ length: top / step + 1 }, (_, index) => ({
      y: place(index * step),
      text: formats.number(index * step, 0),
    })),
  };
}
