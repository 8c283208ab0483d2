/** Meter readings of a day as the payload that leaves a node. */
import type { Period } from '../calendar/period';
import type { Measurement, TotalsAnswer } from '../wire/answers';
import type { Millis } from '../wire/time';
import { idOf, meterName } from './identity';
import type { MeterInfo, MonitorInfo, SourceInfo, TotalsPayload } from './payload';
import { momentOf, readingParts } from './readings';
import { hasTwoTariffs } from './sums';

export interface TotalsInput {
  readonly answer: TotalsAnswer;
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
  const { answer, period, now, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, answer.data.keys());
  const readings = new Map([...answer.data].map(([channel, reading]) => [channel, ofTheDay(reading, input)]));
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
function ofTheDay(reading: Measurement, { answer, period, now }: TotalsInput): Measurement {
  const { time, value } = reading;
  if (value === null || isIn(period, time)) return reading;
  const isAboutTheDay = answer.time === null || isIn(period, answer.time);
  const isBefore = time === null || (time < period.start && now < period.end);
  return isAboutTheDay && isBefore ? reading : { time, value: null, flaw: 'no_recent_value' };
}

function isIn({ start, end }: Period, time: number | null): boolean {
  return time !== null && time >= start && time < end;
}
