/**
 * One connection as the nodes see it: requests in the words of the contract, answers as finished payloads. Everything
 * about sharing, retrying, polling and availability happens behind this interface (createInstallation).
 */
import type { SendOptions } from '../clients/client';
import type { Period } from '../calendar/periods';
import type {
  AvailabilityPayload,
  MeterInfo,
  MonitorInfo,
  PeriodSeriesPayload,
  RealtimePayload,
  Role,
  SeriesPayload,
  SourceInfo,
  TotalsPayload,
} from '../model/payload';
import type { MonitorId } from '../protocol/mac';
import type { CemmError } from '../errors';

/** Which meter a node wants. Blank monitor: the only one there is. Role `auto`: from alias and I/O type. */
export interface MeterTarget {
  readonly monitor: string | null;
  readonly alias: string;
  readonly role: Role | 'auto';
}

/** Like MeterTarget; blank alias: every activated meter. */
export interface RealtimeTarget {
  readonly monitor: string | null;
  readonly alias: string | null;
  readonly role: Role | 'auto';
}

/** A channel of a CEMM 3.0, and how much of it is wanted. Blank monitor: the only one there is. */
export interface ChannelTarget {
  readonly monitor: string | null;
  /** Meter key; null where `channel` is a number, `<meter>:<channel>`, or the channel of only one meter. */
  readonly meter: string | null;
  /** Channel key or number. */
  readonly channel: string;
  /** `auto`: from the monitor's own words. */
  readonly role: Role | 'auto';
  readonly resolution: string;
  readonly count: number;
  /** Blank: nothing is said. */
  readonly include: string;
}

export interface KnownMonitor extends MonitorInfo {
  id: MonitorId;
}

export interface RealtimeListener {
  /** A fresh object per listener: flows may change it. */
  onReading(payload: RealtimePayload): void;
  /** Once per outage and once per recovery. */
  onAvailability(payload: AvailabilityPayload): void;
  /**
   * Once per outage, with the availability message of state `offline`; and once for what no retry can mend
   * (AUTH, ALIAS, INPUT, CONFIG, WRONG_MONITOR …).
   */
  onError(error: CemmError): void;
  /** Once: the monitor is polled by another shard, such as `3/4`, so nothing will be heard of it here. */
  onOtherShard?(shard: string): void;
}

/** Without a deadline: the connection's own. Without patience: `user`. */
export type ReadOptions = Pick<SendOptions, 'signal'> & Partial<Pick<SendOptions, 'deadlineMs' | 'patience'>>;

export interface ReadRealtimeOptions extends ReadOptions {
  /**
   * Only where all meters are asked for and some of them answer: once per meter that does not, before the readings of the
   * others are returned. Where none answers, readRealtime rejects instead.
   */
  readonly onMeterError?: (error: CemmError) => void;
}

/** The monitors of a connection, with what it took to learn of them. */
export interface MonitorList {
  readonly monitors: readonly KnownMonitor[];
  readonly source: SourceInfo;
}

/** The activated meters of a monitor, with what it took to learn of them. */
export interface MeterList {
  readonly monitor: KnownMonitor;
  readonly meters: readonly MeterInfo[];
  readonly source: SourceInfo;
}

export interface MonitorConnection {
  /** IANA zone of the installation. Of a public connection without a zone of its own it is the monitor's, once that is known. */
  readonly timezone: string;
  readonly transport: 'remote' | 'local' | 'public' | 'demo';
  /** The monitors behind the connection. */
  monitors(ask: ReadOptions): Promise<KnownMonitor[]>;
  /** The one that is wanted; INPUT `several_monitors` (which lists them) where blank is not enough. */
  monitor(wanted: string | null, ask: ReadOptions): Promise<KnownMonitor>;
  /** As monitors(), with its source. */
  listMonitors(ask: ReadOptions): Promise<MonitorList>;
  /** As monitor() and meters(), with the source of the list. */
  listMeters(wanted: string | null, ask: ReadOptions): Promise<MeterList>;
  /** Activated meters with alias and role. */
  meters(wanted: string | null, ask: ReadOptions): Promise<MeterInfo[]>;
  /**
   * The shard whose timers poll the monitor, such as `3/4`, where that is another one; null where it is this one, or where
   * there are none. A monitor that is named is not asked for; requests are answered for all of them.
   */
  otherShard(wanted: string | null, ask: ReadOptions): Promise<string | null>;
  readRealtime(target: RealtimeTarget, ask: ReadRealtimeOptions): Promise<RealtimePayload[]>;
  readSeries(target: MeterTarget, period: Period, ask: ReadOptions): Promise<PeriodSeriesPayload>;
  readTotals(target: MeterTarget, period: Period, ask: ReadOptions): Promise<TotalsPayload>;
  /** Only of a public connection, which in turn knows nothing of realtime, series by period, and totals: UNSUPPORTED. */
  readTimeseries(target: ChannelTarget, ask: ReadOptions): Promise<SeriesPayload>;
  /**
   * Polls until the returned function is called. All others reject with CemmError; this one throws it, where the interval
   * is no time (`CONFIG`, `interval`).
   */
  watchRealtime(target: RealtimeTarget, intervalMs: number, listener: RealtimeListener): () => void;
  /** Ends everything in flight and closes all sockets; settles within a second. */
  close(): Promise<void>;
}
