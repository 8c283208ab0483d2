/** Meter readings of a day as the payload that leaves a node. */
import type { Period } from '../calendar/period';
import type { TotalsAnswer } from '../wire/answers';
import type { Millis } from '../wire/time';
import { idOf, meterName } from './identity';
import type { MeterInfo, MonitorInfo, SourceInfo, TotalsPayload } from './payload';
import { momentOf, readingParts } from './readings';

export interface TotalsInput {
  readonly answer: TotalsAnswer;
  /** The day that was asked for. */
  readonly period: Period;
  readonly now: Millis;
  readonly monitor: MonitorInfo;
  readonly meter: MeterInfo;
  readonly source: SourceInfo;
}

/** Never throws. `ts` is the newest time of a reading; the day's first moment where none has a time. */
export function normalizeTotals({ answer, period, now, monitor, meter, source }: TotalsInput): TotalsPayload {
  const ts = momentOf(answer.data) ?? period.start;
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
    ...readingParts(answer.data, meter.role, ts),
    source: { ...source },
  };
}
