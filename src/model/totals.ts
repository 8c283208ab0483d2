/** Tells that a meter was replaced, reset or misread. Nothing here subtracts: what a fall means is the flow's decision. */
import type { MeterInfo, MonitorInfo, SourceInfo, TotalsPayload, Values } from './payload';
import type { Period } from '../calendar/periods';
import type { Measurement, TotalsResponse } from '../protocol/responses';
import type { Millis } from '../protocol/time';
import { idOf, meterName } from './identity';
import { momentOf, readingParts } from './realtime';
import { hasTwoTariffs } from './fields';

/**
 * `zero`: the counter reads 0, which a monitor also gives for a moment after a restart (wait for the next reading).
 * `fell`: it reads less than before, as a replaced meter does.
 */
export interface MeterReset {
  readonly field: string;
  readonly kind: 'zero' | 'fell';
  readonly previous: number;
  readonly current: number;
}

/** kWh or m³. The members `data` and `totals` of one answer differ by 0.01 through rounding (vendor-facts.md 1.2). */
const ROUNDING = 0.05;

/** Counters that only rise. Net energy is none: it falls whenever more is fed in than used. */
const RISING = /^(energy_(import|export|production|own_use)(_(t|l)\d)?_kwh|home_energy_kwh|(gas|water|volume)_m3)$/;

/**
 * Compares two sets of meter readings of the same meter, older one first, and tells each counter that reads less than
 * before. Not for series: their values are per slot. Fields that are null or absent on either side tell nothing.
 */
export function compareReadings(previous: Values, current: Values): MeterReset[] {
  const resets: MeterReset[] = [];
  for (const [field, now] of Object.entries(current)) {
    const before = previous[field] ?? null;
    if (!RISING.test(field) || now === null || before === null || now >= before - ROUNDING) continue;
    resets.push({ field, kind: now === 0 ? 'zero' : 'fell', previous: before, current: now });
  }
  return resets;
}

// Meter readings of a day as the payload that leaves a node.

export interface TotalsInput {
  readonly response: TotalsResponse;
  /** The day that was asked for. */
  readonly period: Period;
  readonly now: Millis;
  readonly monitor: MonitorInfo;
  readonly meter: MeterInfo;
  readonly source: SourceInfo;
  /** The meter has never offered a second tariff (sums.ts). Default: what this answer alone says. */
  readonly isSingleCounter?: boolean;
}

/** Never throws. `ts` is the newest time of a reading on the day; the day's first moment where there is none. */
export function normalizeTotals(input: TotalsInput): TotalsPayload {
  const { response, period, now, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, response.data.keys());
  const readings = new Map([...response.data].map(([channel, reading]) => [channel, ofTheDay(reading, input)]));
  const ts = momentOf(new Map([...readings].filter(([, { time }]) => isIn(period, time)))) ?? period.start;
  const { unit, label, timezone, start, end } = period;
  return {
    schema: 'cemm/1',
    kind: 'totals',
    id: idOf('tt', monitor, meterName(meter), label),
    ts,
    time: new Date(ts).toISOString(),
    monitor: { ...monitor },
    meter: { ...meter },
    period: { unit, label, timezone, start, end, final: now >= end },
    ...readingParts(readings, { role: meter.role, isSingleCounter }, ts),
    source: { ...source },
  };
}

/**
 * The reading where it can stand for the day, else no value. On the running day a counter that has reported nothing yet
 * shows what it showed before: that reading stands, with its own time. So does one without a time, unless the answer says
 * that it is about another day.
 */
function ofTheDay(reading: Measurement, { response, period, now }: TotalsInput): Measurement {
  const { time, value } = reading;
  if (value === null || isIn(period, time)) return reading;
  const isAboutTheDay = response.time === null || isIn(period, response.time);
  const isBefore = time === null || (time < period.start && now < period.end);
  return isAboutTheDay && isBefore ? reading : { time, value: null, flaw: 'no_recent_value' };
}

function isIn({ start, end }: Period, time: number | null): boolean {
  return time !== null && time >= start && time < end;
}
