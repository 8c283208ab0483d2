/**
 * The interface of a connection for the nodes: requests in, finished payloads out. Sharing, retries, polling and
 * availability are behind it.
 */
import type { SeriesPeriod } from '../calendar/periods';
import type {
  AvailabilityPayload,
  MeterInfo,
  PeriodSeriesPayload,
  RealtimePayload,
  Role,
  SeriesPayload,
  SourceInfo,
  TotalsPayload,
} from '../model/payload';
import type { TimeseriesRequest } from '../clients/client';
import type { ReadOptions } from '../model/read-options';
import type { KnownMonitor } from '../model/identity';
import type { CemmError } from '../errors';

/**
 * The requested meters. Blank monitor: the only one; blank alias: every activated meter. Role `auto`: from its row, or from the alias and the
 * type of the I/O.
 */
export interface RealtimeTarget {
  readonly monitor: string | null;
  readonly alias: string | null;
  readonly role: Role | 'auto';
}

export interface MeterTarget extends RealtimeTarget {
  readonly alias: string;
}

/** The requested channel of a CEMM 3.0 and its periods. Blank monitor: the only one. */
export interface ChannelTarget extends Pick<TimeseriesRequest, 'resolution' | 'count' | 'include'> {
  readonly monitor: string | null;
  /** Meter key; null when `channel` is a number, `<meter>:<channel>`, or a key that only one meter has. */
  readonly meter: string | null;
  /** Channel key or number. */
  readonly channel: string;
  /** `auto`: from the texts of the monitor. */
  readonly role: Role | 'auto';
}

export interface RealtimeListener {
  /** Each listener gets its own object, because flows may change it. */
  onReading(payload: RealtimePayload): void;
  /** Once per outage and once per recovery. */
  onAvailability(payload: AvailabilityPayload): void;
  /**
   * Called once per outage, with the availability message of state `offline`, and once for a failure that retries
   * cannot resolve (AUTH, ALIAS, INPUT, CONFIG, WRONG_MONITOR …).
   */
  onError(error: CemmError): void;
  /** Called once when another shard, such as `3/4`, polls the monitor; nothing follows. */
  onOtherShard?(shard: string): void;
}

export type { ReadOptions };

export interface ReadRealtimeOptions extends ReadOptions {
  /**
   * Called once per meter that does not answer, when all meters are requested and others answer. When none answers,
   * readRealtime rejects instead.
   */
  readonly onMeterError?: (error: CemmError) => void;
}

/** The monitors of a connection, with the cost of the list. */
export interface MonitorList {
  readonly monitors: readonly KnownMonitor[];
  readonly source: SourceInfo;
}

/** The activated meters of a monitor, with the cost of the list. */
export interface MeterList {
  readonly monitor: KnownMonitor;
  /** With roles and names of their rows, without those that are no part of the house. */
  readonly meters: readonly MeterInfo[];
  /** As the monitor describes them. */
  readonly own: readonly MeterInfo[];
  readonly source: SourceInfo;
}

export interface MonitorConnection {
  /** IANA zone of the installation. A public connection without a configured zone uses that of the monitor, once it is known. */
  readonly timezone: string;
  readonly transport: 'remote' | 'local' | 'public' | 'demo';
  /** The requested monitor; INPUT `several_monitors`, with the list, if a blank one is ambiguous. */
  monitor(wanted: string | null, ask: ReadOptions): Promise<KnownMonitor>;
  /** The monitors behind the connection. */
  listMonitors(ask: ReadOptions): Promise<MonitorList>;
  /** The activated meters of the monitor, which is chosen like that of monitor(). */
  listMeters(wanted: string | null, ask: ReadOptions): Promise<MeterList>;
  /** Like listMeters(), as they were listed last, without a request; null if that is not kept. Public connections only. */
  lastListed?(): Promise<Pick<MeterList, 'monitor' | 'own'> | null>;
  /**
   * The other shard that polls the monitor, such as `3/4`; null when it is this one, or without shards. A configured
   * monitor is not requested. Every shard answers requests.
   */
  otherShard(wanted: string | null, ask: ReadOptions): Promise<string | null>;
  readRealtime(target: RealtimeTarget, ask: ReadRealtimeOptions): Promise<RealtimePayload[]>;
  readSeries(target: MeterTarget, period: SeriesPeriod, ask: ReadOptions): Promise<PeriodSeriesPayload>;
  readTotals(target: MeterTarget, period: SeriesPeriod, ask: ReadOptions): Promise<TotalsPayload>;
  /** Public connections only. They answer realtime, series by period and totals with UNSUPPORTED. */
  readTimeseries(target: ChannelTarget, ask: ReadOptions): Promise<SeriesPayload>;
  /**
   * Polls until the returned function is called. Throws CemmError (`CONFIG`, `interval`) for an invalid interval; all
   * other methods reject.
   */
  watchRealtime(target: RealtimeTarget, intervalMs: number, listener: RealtimeListener): () => void;
  /** Cancels everything in flight and closes all sockets; resolves within a second. */
  close(): Promise<void>;
}
