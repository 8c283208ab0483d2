/** Which of several shapes of a period agrees with the readings at both of its ends. */
import { type BalanceRole, perUnit } from './amounts';
import { computeChange } from './breaks';
import { type Counter, type CounterReading, mainCounters, placeReadings } from './readings';
import type { Shape, Shapes } from './shape';

/** Minutes agree with counters within 0.05 kWh or m³, and 1 % of what flowed. */
const permitted = { amount: 0.05, share: 0.01 } as const;

/** Null if none agrees, or more than one. Minutes are right in the difference of both directions. */
export function findAgreeing(
  role: BalanceRole,
  { start, end }: { readonly start: number; readonly end: number },
  readings: readonly CounterReading[],
  shapes: readonly Shapes[],
): number | null {
  const change = (counter: Counter): number | null =>
    computeChange(placeReadings(readings, counter, [start, end]), start, end);
  const [one, other = null] = mainCounters[role];
  const taken = change(one);
  if (taken === null) return null;
  const given = (other === null ? null : change(other)) ?? 0;
  const most = permitted.amount * perUnit(one) + permitted.share * (Math.abs(taken) + Math.abs(given));
  const agree = shapes.flatMap((version, index) => {
    const [plus, minus] = [
      sumWhole(version[one], end - start),
      other === null ? 0 : sumWhole(version[other], end - start),
    ];
    if (plus === null || minus === null) return [];
    return Math.abs(plus - minus - (taken - given)) <= most ? [index] : [];
  });
  const [only = null, ...rivals] = agree;
  return rivals.length > 0 ? null : only;
}

/** Null if a part of the time is not known. */
function sumWhole(shape: Shape | undefined, length: number): number | null {
  if (shape === undefined) return null;
  const known = shape.known.reduce((sum, ms) => sum + ms, 0);
  return known < length ? null : shape.amounts.reduce((sum, amount) => sum + amount, 0);
}
