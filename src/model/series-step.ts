/** How far apart the samples of a series are. */
import type { Period, PeriodUnit } from '../calendar/period';
import type { Step } from '../calendar/slots';
import type { Millis } from '../wire/time';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Years have months, months have days, and a day has minutes (spec.md B: one value per minute, day, month). */
export function defaultStep(unit: PeriodUnit): Step {
  return { day: 'PT1M', month: 'P1D', year: 'P1M' }[unit] as Step;
}

/** Of times that are meant to be equal: clocks and telegrams are seconds apart. */
const JITTER = 2.5 * MINUTE;
/** Two entries so close are one entry twice. */
const REPEAT = MINUTE / 2;

/**
 * The step of one channel. It is that of the period, except for gas within a day: there the smart meter updates every
 * hour (DSMR 4 and before) or every five minutes (DSMR 5). Samples that are hours apart, and nothing else, are hourly: a
 * monitor leaves out what it did not record, so a single distance that no hourly meter has shows the finer step, however
 * many gaps there are. Only gas, because a sparse day of power must not be squeezed into a coarser grid.
 *
 * A lone sample on the hour is an hour's once that hour is over. Before, it may as well be the first of many that are a
 * flow: null, the step cannot be told yet, and with it the unit.
 */
export function stepOf(channel: string, times: Float64Array, period: Period, now: Millis): Step | null {
  if (period.unit !== 'day' || channel !== 'gas') return defaultStep(period.unit);
  // A monitor announces the last minute of a day long before it comes (spec.md B): that is no distance.
  const past = times.filter((time) => time >= period.start && time < period.end && time <= now).sort();
  const distances = distancesOf(past);
  if (distances.length === 0) return stepOfLone(past[0], period.start, now);
  if (distances.every(isWholeHours)) return 'PT1H';
  return distances.some((distance) => distance < JITTER) ? 'PT1M' : 'PT5M';
}

function stepOfLone(time: number | undefined, start: number, now: number): Step | null {
  if (time === undefined) return 'PT1H';
  const intoHour = (time - start) % HOUR;
  if (intoHour >= MINUTE) return 'PT5M';
  return now - time + intoHour >= HOUR ? 'PT1H' : null;
}

/** Of ascending times. */
function distancesOf(times: Float64Array): Float64Array {
  return times
    .subarray(1)
    .map((time, index) => time - (times[index] ?? 0))
    .filter((distance) => distance >= REPEAT);
}

function isWholeHours(distance: number): boolean {
  return distance >= HOUR / 2 && Math.abs(distance - Math.round(distance / HOUR) * HOUR) < JITTER;
}
