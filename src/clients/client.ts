/** The interface of a client: its requests, its responses and its limits. */
import type {
  IoRecord,
  MonitorRecord,
  PublicMeter,
  PublicMonitor,
  RealtimeResponse,
  Samples,
  SeriesResponse,
  SeriesUnit,
  TotalsResponse,
} from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';
import type { Millis, Seconds } from '../time/units';

export interface MeterRef {
  readonly monitor: MonitorId;
  readonly alias: string;
}

export interface TimeseriesRequest {
  /** `<meter key>:<channel key>`, or the number of a channel. */
  readonly channel: string;
  /** `day` is the only known value; others are sent unchanged. */
  readonly resolution: string;
  /** Number of the most recent periods. */
  readonly count: number;
  /** `cemm` is the only known value; others are sent unchanged. Blank: the parameter is left out. */
  readonly include: string;
}

/** A monitor with the difference between its clock and that of this machine. */
export interface IdentifiedMonitor extends PublicMonitor {
  /** Monitor minus this machine in ms, exact to about a second (the monitor sends whole seconds); null when it sends no time. */
  readonly clockDifferenceMs: number | null;
}

/** Requests of the two Open APIs: the parameters of each kind, and the value of its response. */
interface OpenApiRequests {
  /** The monitors of an API key, or the one at the local address. */
  monitors: { parameters: object; value: readonly MonitorRecord[] };
  /** All activated I/Os. */
  meters: {
    /** `continueSearch`: continue the alias search of a monitor that has no list of I/Os. */
    parameters: { readonly monitor: MonitorId; readonly continueSearch?: boolean };
    value: readonly IoRecord[];
  };
  /** The I/Os behind an alias: a remote endpoint; locally they are looked up in the list. */
  meter: { parameters: MeterRef; value: readonly IoRecord[] };
  realtime: { parameters: MeterRef; value: RealtimeResponse };
  series: { parameters: MeterRef & { readonly unit: SeriesUnit; readonly time: Seconds }; value: SeriesResponse };
  /** `UNSUPPORTED` on a local connection: the device has no such endpoint. */
  totals: { parameters: MeterRef & { readonly time: Seconds }; value: TotalsResponse };
}

/** Requests of the public API of a CEMM 3.0. */
interface PublicApiRequests {
  /** The monitor at the address, without a cache. */
  identity: { parameters: object; value: readonly IdentifiedMonitor[] };
  /** All meters with their channels. */
  catalogue: { parameters: { readonly monitor: MonitorId }; value: readonly PublicMeter[] };
  /** The most recent periods of one channel. */
  timeseries: { parameters: { readonly monitor: MonitorId } & TimeseriesRequest; value: Samples };
}

interface MonitorRequests extends OpenApiRequests, PublicApiRequests {}

export type RequestKind = keyof MonitorRequests;
export type OpenApiKind = keyof OpenApiRequests;
export type PublicApiKind = keyof PublicApiRequests;

/** A request of one kind, such as `{ kind: 'realtime', monitor, alias: 'p1' }`. */
export type RequestOf<K extends RequestKind> = { readonly kind: K } & Readonly<MonitorRequests[K]['parameters']>;

/** The value of the response to a request of this kind. */
export type ValueOf<K extends RequestKind> = MonitorRequests[K]['value'];

export type MonitorRequest = { [K in RequestKind]: RequestOf<K> }[RequestKind];

export interface SendOptions {
  /** Cancels the request at once and releases its sockets and timers. */
  readonly signal: AbortSignal;
  /** Time for the request with all its retries, in ms from the call. */
  readonly deadlineMs: number;
  /** Time that the operation took before this request, ms: an error of its deadline says the whole time. Default: 0. */
  readonly elapsedMs?: number;
  /** Called when the time of the request begins, and again when it begins anew, because it has waited in the queue. */
  readonly onStart?: () => void;
  /** Waiting time while the remote service prepares data: `poll` for one promise, `user` for two. */
  readonly patience: 'poll' | 'user';
  /** One of the many requests of a long operation, such as a year: current readings and the running day go first. */
  readonly isBulk?: boolean;
}

/** A value with its cost: `source` of a payload (docs/payload.md). */
export interface ClientResponse<T> {
  readonly value: T;
  readonly fetchedAt: Millis;
  readonly latencyMs: number;
  /** HTTP requests, retries included. */
  readonly requests: number;
  /** Number of promises (202) among the responses. */
  readonly promises: number;
}

/** Requests of one monitor and of one key that may be in flight, and the pause between two requests in ms. */
export interface ConcurrencyLimits {
  readonly perMonitor: number;
  readonly perKey: number;
  readonly gapMs: number;
}

/** A client of one kind of API. The kind determines its requests. */
interface Client<Kind extends RequestKind> {
  readonly limits: ConcurrencyLimits;
  /** Rejects with CemmError only. */
  request<K extends Kind>(request: RequestOf<K>, options: SendOptions): Promise<ClientResponse<ValueOf<K>>>;
  /** Cancels everything in flight with `CANCELLED` and closes all sockets. */
  close(): void;
}

/** Client of the remote or the Local Open API. */
export interface MonitorClient extends Client<OpenApiKind> {
  readonly transport: 'remote' | 'local';
}

/** Client of the public API of a CEMM 3.0. */
export interface PublicClient extends Client<PublicApiKind> {
  readonly transport: 'public';
  /** The configured or first-seen monitor; null until one is known. */
  readonly identity: MonitorId | null;
}
