/**
 * The start of a meter: after a power cut, Node-RED starts together with the monitor, which sends 0 for its counters for a moment.
 * Node-RED does not know the readings before, but Home Assistant and Prometheus do, and would count the whole counter again.
 */
import { largest } from '../checks/extremes';
import { findFieldKind, kinds } from '../model/fields';
import type { DataPoint } from './data-points';

/** A monitor has the readings of its meters this long after its start. */
const startMs = 10 * 60_000;

/** `started`, or the time of the first reading of a meter whose counters were all 0 since then, Unix ms. */
export type MeterStart = 'started' | number;

/** The start of a meter after its next counters. A new meter, which has real zeros, has started ten minutes after its first reading. */
export function nextMeterStart(
  before: MeterStart | undefined,
  counters: readonly { readonly ts: number; readonly value: number }[],
): MeterStart {
  if (before === 'started' || counters.some(({ value }) => value !== 0)) return 'started';
  const newest = largest(counters.map(({ ts }) => ts));
  const since = before ?? newest;
  return newest < since + startMs ? since : 'started';
}

/** A value with a window (`this_day_…`) starts at 0 each time. */
export function isCounter({ field, topic }: DataPoint): boolean {
  const kind = findFieldKind(field);
  return topic === null && kind !== null && kinds[kind].rises;
}
