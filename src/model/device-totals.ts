/**
 * A monitor's own realtime answer often has a second member `totals` with the meter readings and their own times
 * (vendor-facts.md 1.2). Meter readings come from there, everything else from `data`.
 */
import type { Measurement, Measurements, RealtimeAnswer, TotalsAnswer } from '../wire/answers';
import { isMeterReading } from './fields';

/**
 * Low and high tariff of one counter. `data` of a meter with a single counter has the whole counter in t1 and nothing in
 * t2, while `totals` of the same meter splits it: halves from different members must never be added up.
 */
const PAIRS: readonly (readonly [string, string])[] = [
  ['t1', 't2'],
  ['t3', 't4'],
  ['electric_energy', 'electric_energy_high'],
];

/** One value per channel out of both members. */
export function mergeTotals({ data, totals }: RealtimeAnswer): Measurements {
  if (totals === null) return data;
  const merged = new Map<string, Measurement>(data);
  for (const [channel, measurement] of totals) {
    const measured = data.get(channel);
    const [given, had] = [worthOf(measurement), worthOf(measured)];
    // A reading from `totals` wins even over a newer one in `data`; a live value only fills a hole.
    const wins = isMeterReading(channel) ? given > 0 && given >= had : given > had;
    if (measured === undefined || wins) merged.set(channel, measurement);
  }
  for (const pair of PAIRS) keepTogether(pair, data, totals, merged);
  return merged;
}

/** Channel names in either member, whether they have a value or not. */
export function channelsOffered({ data, totals }: RealtimeAnswer): string[] {
  return [...data.keys(), ...(totals?.keys() ?? [])];
}

/** The meter readings of a realtime answer: totals of the current day, for a device that has no such endpoint. */
export function readingsOfNow(answer: RealtimeAnswer): TotalsAnswer {
  const data = new Map([...mergeTotals(answer)].filter(([channel]) => isMeterReading(channel)));
  return { ioId: answer.ioId, time: null, data };
}

/** Removes what `data` left in a pair that `totals` splits, unless `data` splits it as well. */
function keepTogether(
  pair: readonly [string, string],
  data: Measurements,
  totals: Measurements,
  merged: Map<string, Measurement>,
): void {
  const totalsSplit = pair.some((channel) => hasValue(totals.get(channel)));
  const dataSplit = pair.every((channel) => hasValue(data.get(channel)));
  if (!totalsSplit || dataSplit) return;
  for (const channel of pair) {
    const own = totals.get(channel);
    if (hasValue(own)) continue;
    if (own !== undefined) merged.set(channel, own);
    else if (hasValue(data.get(channel))) merged.delete(channel);
  }
}

function hasValue(measurement: Measurement | undefined): boolean {
  return worthOf(measurement) > 0;
}

/** A value with a time is worth more than one without, and that more than none. */
function worthOf(measurement: Measurement | undefined): 0 | 1 | 2 {
  if (measurement === undefined || measurement.value === null) return 0;
  return measurement.time === null ? 1 : 2;
}
