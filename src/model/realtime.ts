/** A realtime answer as the payload that leaves a node. */
import type { RealtimeAnswer } from '../wire/answers';
import { channelsOffered, mergeTotals } from './device-totals';
import { idOf, meterName } from './identity';
import type { MeterInfo, MonitorInfo, RealtimePayload, SourceInfo } from './payload';
import { momentOf, readingParts } from './readings';
import { hasTwoTariffs } from './sums';

export interface RealtimeInput {
  readonly answer: RealtimeAnswer;
  readonly monitor: MonitorInfo;
  readonly meter: MeterInfo;
  readonly source: SourceInfo;
  /** The meter has never offered a second tariff (sums.ts). Default: what this answer alone says. */
  readonly isSingleCounter?: boolean;
}

/**
 * Never throws. `ts` is the moment of what is measured now, see `momentOf`. An answer in which nothing has a time is of
 * the moment it was fetched. Where it has no value either, its id ends in `none`: two of them are the same statement.
 */
export function normalizeRealtime(input: RealtimeInput): RealtimePayload {
  const { answer, monitor, meter, source } = input;
  const isSingleCounter = input.isSingleCounter ?? !hasTwoTariffs(meter.alias, channelsOffered(answer));
  const measurements = mergeTotals(answer);
  const moment = momentOf(measurements);
  const ts = moment ?? source.fetchedAt;
  const hasValue = [...measurements.values()].some(({ value }) => value !== null);
  return {
    schema: 'cemm/1',
    kind: 'realtime',
    id: idOf('rt', monitor, meterName(meter), hasValue ? ts : 'none'),
    ts,
    time: new Date(ts).toISOString(),
    monitor: { ...monitor },
    meter: { ...meter },
    ...readingParts(measurements, { role: meter.role, isSingleCounter }, ts),
    source: { ...source },
  };
}
