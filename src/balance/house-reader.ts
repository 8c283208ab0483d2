/** The interface of a connection for balances, and the meters of a house that count. */
import type { SeriesPeriod } from '../calendar/periods';
import type { Clock } from '../time/clock';
import { CemmError } from '../errors';
import type { KnownMonitor } from '../model/identity';
import { type MonitorRows, noRows } from '../model/meter-table';
import type {
  AvailabilityPayload,
  BalancePayload,
  MeterInfo,
  PeriodSeriesPayload,
  RealtimePayload,
  SourceInfo,
  TotalsPayload,
} from '../model/payload';
import type { KeptSeriesPayload, ReadOptions, SeriesVersion } from '../model/read-options';
import type { MonitorId } from '../protocol/mac';
import type { BalanceRole } from './meters/amounts';
import {
  type HouseMeter,
  isOfHouse,
  type MeterChoice,
  metersInBalance,
  metersWithoutAlias,
  untypedSources,
} from './meters/choice';

export type { ReadOptions, SeriesVersion };

export interface ReadBalanceOptions extends ReadOptions {
  /** Called after every request, with the number of requests. */
  readonly onProgress?: (done: number, all: number) => void;
  /**
   * Called for a long period with what is known so far: at once, and then at most every two seconds while it grows. The last one is
   * the result.
   */
  readonly onPart?: (balance: BalancePayload) => void;
  /** Called once per meter that does not answer, when others do; when none does, the request rejects. */
  readonly onMeterError?: (error: CemmError) => void;
}

/** For requests beside those of a balance, which are no part of its progress. */
export function withoutListeners({ signal, deadlineMs, patience }: ReadBalanceOptions): ReadOptions {
  return { signal, ...(deadlineMs !== undefined && { deadlineMs }), ...(patience !== undefined && { patience }) };
}

interface ReadTarget {
  readonly monitor: MonitorId;
  readonly alias: string;
  readonly role: BalanceRole;
}

interface ReadingListener {
  onReading(reading: RealtimePayload): void;
  onAvailability(availability: AvailabilityPayload): void;
  onError(error: CemmError): void;
  /** Called once when another shard, such as `3/4`, polls the monitor; nothing follows. */
  onOtherShard(shard: string): void;
}

export interface HouseReader {
  /** IANA zone of the installation. */
  readonly timezone: string;
  readonly transport: SourceInfo['transport'];
  knownMeters(monitor: string | null, ask: ReadOptions): Promise<KnownMeters>;
  readRealtime(target: ReadTarget, ask: ReadOptions): Promise<RealtimePayload[]>;
  readSeries(target: ReadTarget, period: SeriesPeriod, ask: ReadOptions): Promise<PeriodSeriesPayload>;
  readTotals(target: ReadTarget, period: SeriesPeriod, ask: ReadOptions): Promise<TotalsPayload>;
  /** The kept part of a series, without a request; null if nothing is. Absent: nothing is kept. */
  keptSeries?(target: ReadTarget, period: SeriesPeriod, ask: ReadOptions): Promise<KeptSeriesPayload | null>;
  /** True if a kept series has a value other than 0; null if a request would be sent for it. Absent: nothing is kept. */
  hasKeptValues?(target: ReadTarget, period: SeriesPeriod, ask: ReadOptions): Promise<boolean | null>;
  /** True if no request waits or is in flight. Absent: not known. */
  readonly isIdle?: boolean;
  watchRealtime(target: ReadTarget, intervalMs: number, listener: ReadingListener): () => void;
}

/** The activated meters of a monitor; the list may be ten minutes old. */
export interface KnownMeters {
  readonly monitor: KnownMonitor;
  /** With roles and names of their rows, without those that are no part of the house. */
  readonly meters: readonly MeterInfo[];
  /** Default: the meters have none. */
  readonly rows?: MonitorRows;
  /** Failure of a meter whose alias is unknown; null if all aliases are known. */
  readonly unanswered: CemmError | null;
}

export interface BalanceParts {
  readonly reader: HouseReader;
  readonly clock: Clock;
  /** The past is read in the background, once it is asked for. */
  readonly readsBack?: boolean;
}

/** True if readings of past days are available: the service has them, a monitor itself does not. */
export function hasReadingsOfThePast({ transport }: HouseReader): boolean {
  return transport === 'remote';
}

export interface BalanceTarget {
  /** Blank: the only one. */
  readonly monitor: string | null;
  readonly meters: MeterChoice;
}

export interface House {
  readonly monitor: KnownMonitor;
  /** The rows of the connection's meters. */
  readonly rows: MonitorRows;
  readonly meters: readonly HouseMeter[];
  /** Meters that no request reaches. */
  readonly unreachable: readonly HouseMeter[];
  /** Aliases of meters that may be a source, and whose role is unknown. */
  readonly unknownMeters: readonly string[];
  /** True if the house has a battery whose meter is not read, as for a bill. */
  readonly hasUnreadBattery?: boolean;
}

/** @throws {CemmError} INPUT `no_meters` and `battery_s0`, and of the list */
export async function findHouse(
  reader: HouseReader,
  { monitor: wanted, meters: choice }: BalanceTarget,
  ask: ReadOptions,
): Promise<House> {
  const { monitor, meters: listed, rows = noRows, unanswered } = await reader.knownMeters(wanted, ask);
  // A missing meter must not make a house without production.
  if (unanswered !== null) throw unanswered.copy();
  const chosen = metersInBalance(choice, listed, rows);
  if (!chosen.some(isOfHouse)) throw noMeters();
  // Requests for devices come last.
  const meters = [...chosen.filter(isOfHouse), ...chosen.filter((meter) => !isOfHouse(meter))];
  const unreachable = metersWithoutAlias(choice, listed, rows);
  return { monitor, rows, meters, unreachable, unknownMeters: untypedSources(choice, listed, rows) };
}

export function noMeters(): CemmError {
  return new CemmError('INPUT', { reason: 'no_meters' });
}
