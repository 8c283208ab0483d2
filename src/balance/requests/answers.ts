/** The responses for balances: readings, and the amounts of slots. What is over is kept by the connection. */
import type { PeriodSeriesPayload, RealtimePayload, SourceInfo, TotalsPayload } from '../../model/payload';
import type { MonitorId } from '../../protocol/mac';
import type { SeriesRead } from '../../model/read-options';
import type { HouseReader, ReadOptions, SeriesVersion } from '../house-reader';
import type { HouseMeter } from '../meters/choice';
import { type CounterReading, offersExport, readCounters } from '../meters/readings';
import { joinedSlots, type Shapes, type Slot } from '../meters/shape';
import type { Time } from '../prices/contracts';
import { readNetSlots, buildShapes, volumesOf } from '../meters/slots';
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
  readonly day: Time | null;
  /** Null for what is not kept. */
  readonly read: SeriesRead | null;
  /** The responses that have different values for slots, which are left out; none if all agree. */
  readonly versions: readonly AnswerVersion[];
}

interface AnswerVersion {
  readonly period: Time;
  readonly answer: BalanceAnswer;
  /** Keeps it, because counters agree with it. */
  readonly settle: () => Promise<void>;
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
      const notes = new SeriesNotes();
      return ofSeries(await reader.readSeries(target, request.period, notes.listenWith(options)), role, notes);
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
  const notes = new SeriesNotes();
  const target = { monitor, alias: request.meter, role };
  const kept = await reader.keptSeries(target, request.period, notes.listenWith(options));
  return kept === null ? null : { answer: ofSeries(kept.payload, role, notes), isFinal: kept.isFinal };
}

/** Notes of the connection on a series, beside its payload. */
class SeriesNotes {
  versions: readonly SeriesVersion[] = [];
  read: SeriesRead | null = null;

  listenWith(options: ReadOptions): ReadOptions {
    return {
      ...options,
      onChanged: (versions) => {
        this.versions = versions;
      },
      onRead: (read) => {
        this.read = read;
      },
    };
  }
}

/** The answer with its minutes joined to slots of this length, ms; null: the minutes stay. */
export function withSlots(answer: BalanceAnswer, joined: number | null): BalanceAnswer {
  const { day, shapes, versions } = answer;
  if (joined === null || day === null) return answer;
  return {
    ...answer,
    shapes: joinedSlots(shapes, day.start, joined),
    versions: versions.map((version) => ({ ...version, answer: withSlots(version.answer, joined) })),
  };
}

function ofReadings(
  payload: TotalsPayload | RealtimePayload,
  role: HouseMeter['role'],
  reading: RealtimePayload | null,
): BalanceAnswer {
  return {
    readings: readCounters(payload, role),
    offersExport: offersExport(payload, role),
    shapes: {},
    net: [],
    source: payload.source,
    reading,
    day: null,
    read: null,
    versions: [],
  };
}

function ofSeries(
  payload: PeriodSeriesPayload,
  role: HouseMeter['role'],
  { versions, read }: Pick<SeriesNotes, 'versions' | 'read'>,
): BalanceAnswer {
  const isDay = payload.period.unit === 'day';
  return {
    readings: [],
    offersExport: null,
    shapes: isDay ? buildShapes(payload, role) : volumesOf(payload, role),
    net: isDay ? [] : readNetSlots(payload),
    source: payload.source,
    reading: null,
    day: isDay ? payload.period : null,
    read,
    versions: versions.map((version) => ({
      period: payload.period,
      answer: ofSeries(version.payload, role, { versions: [], read }),
      settle: () => version.settle(),
    })),
  };
}
