/** What a client can be asked, what it responds, and under which limits. The coordinator of a connection knows no more. */
import type {
  IoRecord,
  MonitorRecord,
  PublicMeter,
  PublicMonitor,
  RealtimeResponse,
  Samples,
  SeriesResponse,
  TotalsResponse,
} from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';
import type { Millis, Seconds } from '../protocol/time';

/** The way to a monitor: service, Local Open API, or the public API of a CEMM 3.0. */
export type Transport = 'remote' | 'local' | 'public';

export type SeriesUnit = 'day' | 'month' | 'year';

export interface MeterRef {
  readonly monitor: MonitorId;
  readonly alias: string;
}

export interface TimeseriesRequest {
  /** `<meter key>:<channel key>`, or the number of a channel. */
  readonly channel: string;
  /** `day` is the one that was seen; another is passed on as it is. */
  readonly resolution: string;
  /** How many of the most recent periods. */
  readonly count: number;
  /** `cemm` is the one that was seen; another is passed on as it is. Blank: the parameter is left out. */
  readonly include: string;
}

/** A monitor with the time it told, compared with that of this machine. */
export interface IdentifiedMonitor extends PublicMonitor {
  /** Monitor minus this machine, in ms, to a second or so (the monitor tells whole seconds); null where it told no time. */
  readonly clockDifferenceMs: number | null;
}

/** Requests of the two Open APIs: the parameters of each kind, and the value of its response. */
export interface OpenApiRequests {
  /** The monitors of an API key, or the one at the address. */
  monitors: { parameters: object; value: readonly MonitorRecord[] };
  /** All activated I/Os. */
  meters: {
    /** `continueSearch`: where the monitor has no list of I/Os, the search for its meters goes on. */
    parameters: { readonly monitor: MonitorId; readonly continueSearch?: boolean };
    value: readonly IoRecord[];
  };
  /** The I/O behind an alias (a remote endpoint; locally looked up in the list). */
  meter: { parameters: MeterRef; value: readonly IoRecord[] };
  realtime: { parameters: MeterRef; value: RealtimeResponse };
  series: { parameters: MeterRef & { readonly unit: SeriesUnit; readonly time: Seconds }; value: SeriesResponse };
  /** `UNSUPPORTED` on a local connection: the device has no such endpoint. */
  totals: { parameters: MeterRef & { readonly time: Seconds }; value: TotalsResponse };
}

/** Requests of the public API of a CEMM 3.0. */
export interface PublicApiRequests {
  /** The one monitor that answers at the address, asked anew. */
  identity: { parameters: object; value: readonly IdentifiedMonitor[] };
  /** All meters with their channels. */
  catalogue: { parameters: { readonly monitor: MonitorId }; value: readonly PublicMeter[] };
  /** The most recent periods of one channel. */
  timeseries: { parameters: { readonly monitor: MonitorId } & TimeseriesRequest; value: Samples };
}

export interface MonitorRequests extends OpenApiRequests, PublicApiRequests {}

export type RequestKind = keyof MonitorRequests;
export type OpenApiKind = keyof OpenApiRequests;
export type PublicApiKind = keyof PublicApiRequests;

/** A request of this kind, such as `{ kind: 'realtime', monitor, alias: 'p1' }`. */
export type RequestOf<K extends RequestKind> = { readonly kind: K } & Readonly<MonitorRequests[K]['parameters']>;

/** The value that answers a request of this kind. */
export type ValueOf<K extends RequestKind> = MonitorRequests[K]['value'];

export type MonitorRequest = { [K in RequestKind]: RequestOf<K> }[RequestKind];

export interface SendOptions {
  /** Ends the request at once: every socket and timer of it is released. */
  readonly signal: AbortSignal;
  /** Time for the request with all its repeats, in ms from the call. */
  readonly deadlineMs: number;
  /** How long the remote service may take to prepare data: `poll` waits for one promise, `user` for two. */
  readonly patience: 'poll' | 'user';
}

/** A value with what it took to get it: `source` of a payload (docs/payload.md). */
export interface ClientResponse<T> {
  readonly value: T;
  readonly fetchedAt: Millis;
  readonly latencyMs: number;
  /** HTTP requests, repeats included. */
  readonly requests: number;
  /** How many of them were answered with a promise. */
  readonly promises: number;
}

/** How many different requests of one monitor (and one key) may be in flight, and the pause between two of them in ms. */
export interface ConcurrencyLimits {
  readonly perMonitor: number;
  readonly perKey: number;
  readonly gapMs: number;
}

/** A client of one kind of API; which one decides what it can be asked. */
interface Client<Kind extends RequestKind> {
  readonly limits: ConcurrencyLimits;
  /** Rejects with a CemmError and with nothing else. */
  request<K extends Kind>(request: RequestOf<K>, options: SendOptions): Promise<ClientResponse<ValueOf<K>>>;
  /** Ends everything in flight with `CANCELLED` and closes all sockets. */
  close(): void;
}

/** Of the remote or the Local Open API. */
export interface MonitorClient extends Client<OpenApiKind> {
  readonly transport: 'remote' | 'local';
}

/** Of the public API of a CEMM 3.0. */
export interface PublicClient extends Client<PublicApiKind> {
  readonly transport: 'public';
  /** The configured or first-seen monitor; null while neither is known. */
  readonly identity: MonitorId | null;
}
