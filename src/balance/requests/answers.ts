/** The responses for balances: readings, and the amounts of slots. What is over is kept by the connection. */
import type { PeriodSeriesPayload, RealtimePayload, SourceInfo, TotalsPayload } from '../../model/payload';
import type { MonitorId } from '../../protocol/mac';
import type { HouseReader, ReadOptions } from '../house-reader';
import type { HouseMeter } from '../meters/choice';
import { type CounterReading, offersExport, readingsOf } from '../meters/readings';
import type { Shapes, Slot } from '../meters/shape';
import { netOf, shapesOf, volumesOf } from '../meters/slots';
import type { BalanceRequest } from './plan';

export interface BalanceAnswer {
  readonly readings: readonly CounterReading[];
  /** Null if the response does not show it. */
  readonly offersExport: boolean | null;
  readonly shapes: Shapes;
  readonly net: readonly Slot[];
  readonly source: SourceInfo;
  /** The current reading of the meter; null for the past. */
  readonly reading: RealtimePayload | null;
  /** The day of minutes; null for other responses. */
  readonly day: { readonly start: number; readonly end: number } | null;
  /** The monitor sent two different values for a slot, which is left out. */
  readonly hasChanged: boolean;
}

export async function readAnswer(
  reader: HouseReader,
  monitor: MonitorId,
  { role }: HouseMeter,
  request: BalanceRequest,
  options: ReadOptions,
): Promise<BalanceAnswer> {
  const target = { monitor, alias: request.meter, role };
  switch (request.kind) {
    case 'totals':
      return ofReadings(await reader.readTotals(target, request.period, options), role, null);
    case 'realtime': {
      const [reading] = await reader.readRealtime(target, options);
      if (reading === undefined) throw new Error('One meter has one reading.');
      return ofReadings(reading, role, reading);
    }
    case 'series': {
      let hasChanged = false;
      const onChanged = (): void => {
        hasChanged = true;
      };
      const payload = await reader.readSeries(target, request.period, { ...options, onChanged });
      return { ...ofSeries(payload, role), hasChanged };
    }
  }
}

/** The answer to a request for a series from what is kept, without a request; null if nothing is. */
export async function keptAnswer(
  reader: HouseReader,
  monitor: MonitorId,
  { role }: HouseMeter,
  request: BalanceRequest,
  options: ReadOptions,
): Promise<{ readonly answer: BalanceAnswer; readonly isFinal: boolean } | null> {
  if (request.kind !== 'series' || reader.keptSeries === undefined) return null;
  let hasChanged = false;
  const onChanged = (): void => {
    hasChanged = true;
  };
  const target = { monitor, alias: request.meter, role };
  const kept = await reader.keptSeries(target, request.period, { ...options, onChanged });
  return kept === null ? null : { answer: { ...ofSeries(kept.payload, role), hasChanged }, isFinal: kept.isFinal };
}

const sure = { day: null, hasChanged: false } as const;

function ofReadings(
  payload: TotalsPayload | RealtimePayload,
  role: HouseMeter['role'],
  reading: RealtimePayload | null,
): BalanceAnswer {
  return {
    readings: readingsOf(payload, role),
    offersExport: offersExport(payload, role),
    shapes: {},
    net: [],
    source: payload.source,
    reading,
    ...sure,
  };
}

function ofSeries(payload: PeriodSeriesPayload, role: HouseMeter['role']): BalanceAnswer {
  const isDay = payload.period.unit === 'day';
  return {
    readings: [],
    offersExport: null,
    shapes: isDay ? shapesOf(payload, role) : volumesOf(payload, role),
    net: isDay ? [] : netOf(payload),
    source: payload.source,
    reading: null,
    ...sure,
    day: isDay ? payload.period : null,
  };
}
