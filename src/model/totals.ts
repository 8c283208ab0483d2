/** Meter readings of a day: the payload of kind `totals`, and detection of counters that were reset. */
import type { TotalsPayload, Values } from './payload';
import type { SeriesPeriod } from '../calendar/periods';
import type { Measurement, TotalsResponse } from '../protocol/responses';
import type { Millis } from '../time/units';
import { idOf, payloadHead, meterName } from './identity';
import { type AnswerInput, findNewestTime, readingParts } from './realtime';
import { hasTwoTariffs } from './derived-fields';
import { findFieldKind, kinds } from './fields';

export interface TotalsInput extends AnswerInput {
  readonly response: TotalsResponse;
  readonly period: SeriesPeriod;
  readonly now: Millis;
}

/**
 * The payload of kind `totals` (`docs/payload.md`). `ts` is the newest time of a reading on the day, or the start of the day
 * if no reading has one.
 */
export function normalizeTotals(input: TotalsInput): TotalsPayload {
  const { response, period, now, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, response.data.keys());
  const readings = new Map([...response.data].map(([channel, reading]) => [channel, ofTheDay(reading, input)]));
  const ts =
    findNewestTime(new Map([...readings].filter(([, { time }]) => periodContains(period, time)))) ?? period.start;
  const { unit, label, timezone, start, end } = period;
  return {
    ...payloadHead('totals', idOf('tt', monitor, meterName(meter), label), ts, monitor),
    meter: { ...meter },
    period: { unit, label, timezone, start, end, final: now >= end },
    ...readingParts(readings, { role: meter.role, isSingleCounter }, ts),
    source: { ...source },
  };
}

/**
 * The reading if it is valid for the day, else no value. On the current day an older reading is valid, with its own time: the
 * counter has not changed since. A reading without a time is valid unless the response is about another day.
 */
function ofTheDay(reading: Measurement, { response, period, now }: TotalsInput): Measurement {
  const { time, value } = reading;
  if (value === null || periodContains(period, time)) return reading;
  const isAboutTheDay = response.time === null || periodContains(period, response.time);
  const isBefore = time === null || (time < period.start && now < period.end);
  return isAboutTheDay && isBefore ? reading : { time, value: null, flaw: 'no_recent_value' };
}

function periodContains({ start, end }: SeriesPeriod, time: number | null): boolean {
  return time !== null && time >= start && time < end;
}

/**
 * A counter that is lower than before. `zero`: it is 0, which a monitor also sends for a moment after a restart, so wait for
 * the next reading. `fell`: it is lower, for example because the meter was replaced.
 */
export interface MeterReset {
  readonly field: string;
  readonly kind: 'zero' | 'fell';
  readonly previous: number;
  readonly current: number;
}

/** kWh or m³. `data` and `totals` of one response can differ by 0.01, because a monitor rounds them differently. */
const roundingTolerance = 0.05;

/**
 * Finds the counters that are lower in `current` than in `previous`. Both are `values` of payloads of kind `realtime` or
 * `totals` of the same meter. Ignores fields that are null or absent in either one.
 */
export function compareReadings(previous: Values, current: Values): MeterReset[] {
  const resets: MeterReset[] = [];
  for (const [field, now] of Object.entries(current)) {
    const before = previous[field] ?? null;
    const kind = findFieldKind(field);
    // Net energy falls while export exceeds import.
    if (kind === null || !kinds[kind].rises) continue;
    if (now === null || before === null || now >= before - roundingTolerance) continue;
    resets.push({ field, kind: now === 0 ? 'zero' : 'fell', previous: before, current: now });
  }
  return resets;
}
