/**
 * Series of gas and water in m³ that are what the counter shows, not what was used. No documentation says which of the two
 * a monitor gives; the numbers do, where they are more than a meter can count in their time.
 */
import type { Slots, Step } from '../calendar/slots';
import type { Samples } from '../wire/answers';
import type { Field } from './fields';
import type { SlotColumn } from './slot-column';

/** m³ that the largest meter of a house or shop lets through in an hour: a gas meter G25, a water meter of 10 m³/h. */
const MOST_PER_HOUR = { gas: 40, water: 10 } as const;
const HOURS_OF_STEP: Readonly<Record<Step, number>> = { PT1M: 1 / 60, PT5M: 1 / 12, PT1H: 1, P1D: 24, P1M: 24 * 31 };

/** True where the numbers never fall and begin with more than any meter counts in a step: no amount, and no flow. */
export function isCounter({ name, unit, semantics }: Field, step: Step, { values }: SlotColumn): boolean {
  const isFlow = name === 'gas_lpm';
  if (!isFlow && (semantics !== 'volume' || unit !== 'm³')) return false;
  const known = values.filter((value) => !Number.isNaN(value));
  const perHour = name === 'water_m3' ? MOST_PER_HOUR.water : MOST_PER_HOUR.gas;
  const most = isFlow ? (perHour * 1000) / 60 : perHour * HOURS_OF_STEP[step];
  return (known[0] ?? 0) > most && known.every((value, index) => index === 0 || value >= (known[index - 1] ?? 0));
}

/** The two fields of a counter: the amount under the name that it has everywhere, and the reading. */
export function counterFields({ name }: Field): { readonly amount: Field; readonly reading: Field } {
  const medium = name.replace(/_(m3|lpm)$/, '');
  const common = { unit: 'm³', unitSource: 'specification', semanticsSource: 'data' } as const;
  return {
    amount: { ...common, name: `${medium}_m3`, semantics: 'volume' },
    reading: { ...common, name: `${medium}_reading_m3`, semantics: 'reading' },
  };
}

/**
 * What was counted in each slot: the reading at its end less the one at its beginning, NaN where either is missing. A
 * reading belongs to the nearer end of the slot that its time lies in, and one at the end of the period to its last slot.
 */
export function amountsOf({ times, values }: Samples, slots: Slots, end: number, now: number): Float64Array {
  const borders = Float64Array.from([...slots.starts, end]);
  const readings = new Float64Array(borders.length).fill(NaN);
  const distances = new Float64Array(borders.length).fill(Infinity);
  times.forEach((time, index) => {
    const value = values[index] ?? NaN;
    if (time < (borders[0] ?? 0) || time > end || time > now || Number.isNaN(value)) return;
    const slot = time === end ? slots.count - 1 : slots.indexOf(time);
    const [before, after] = [time - (borders[slot] ?? 0), (borders[slot + 1] ?? 0) - time];
    const border = before <= after ? slot : slot + 1;
    const distance = Math.min(before, after);
    if (distance > (distances[border] ?? 0)) return;
    readings[border] = value;
    distances[border] = distance;
  });
  return new Float64Array(slots.count).map((_, slot) => {
    const amount = (readings[slot + 1] ?? NaN) - (readings[slot] ?? NaN);
    return amount >= 0 ? amount : NaN;
  });
}
