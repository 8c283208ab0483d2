/** The line through the values of slots, as an SVG path. */
import { isNumber } from './numbers';

/** Steps, because a value is that of its whole slot. A missing value interrupts the line. */
export function stepsThrough(
  values: readonly (number | null)[],
  xOf: (index: number) => number,
  place: (value: number) => number,
): string {
  return values
    .map((value, index) =>
      value === null ? '' : `${isNumber(values[index - 1]) ? 'V' : `M${xOf(index)} `}${place(value)}H${xOf(index + 1)}`,
    )
    .join('');
}
