/** A realtime answer as the payload that leaves a node. */
import type { RealtimeAnswer } from '../wire/answers';
import { mergeTotals } from './device-totals';
import { idOf, meterName } from './identity';
import type { MeterInfo, MonitorInfo, RealtimePayload, SourceInfo } from './payload';
import { momentOf, readingParts } from './readings';

export interface RealtimeInput {
  readonly answer: RealtimeAnswer;
  readonly monitor: MonitorInfo;
  readonly meter: MeterInfo;
  readonly source: SourceInfo;
}

/**
 * Never throws. `ts` is the moment of what is measured now, see `momentOf`. An answer in which nothing has a time says
 * "no value" as of the moment it was fetched; its id ends in `none`, so that two of them are the same statement.
 */
export function normalizeRealtime({ answer, monitor, meter, source }: RealtimeInput): RealtimePayload {
  const measurements = mergeTotals(answer);
  const moment = momentOf(measurements);
  const ts = moment ?? source.fetchedAt;
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: idOf('rt', monitor, meterName(meter), moment ?? 'none'),
    ts,
    time: new Date(ts).toISOString(),
    monitor: { ...monitor },
    meter: { ...meter },
    ...readingParts(measurements, meter.role, ts),
    source: { ...source },
  };
}
