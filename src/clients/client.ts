/** What the clients of the two Open APIs can be asked. The coordinator (src/connection) speaks to this and to nothing more concrete. */
import type { IoRecord, MonitorRecord, RealtimeResponse, SeriesResponse, TotalsResponse } from '../protocol/responses';
import type { MonitorId } from '../protocol/mac';
import type { Millis, Seconds } from '../protocol/time';

/** The way to a monitor: service, Local Open API, or the public API of a CEMM 3.0. */
export type Transport = 'remote' | 'local' | 'public';

export type SeriesUnit = 'day' | 'month' | 'year';

export interface SendOptions {
  /** Ends the request at once: every socket and timer of it is released. */
  readonly signal: AbortSignal;
  /** Time for the request with all its repeats, in milliseconds from the call. */
  readonly deadlineMs: number;
  /** `poll` spends one promise life, `user` two (reliability 6.3). */
  readonly patience: 'poll' | 'user';
}

export interface ListOptions extends SendOptions {
  /** Somebody asks for the list itself: where the monitor has none, the search for its meters goes on. */
  readonly goOn?: boolean;
}

/** An answer with what it took to get it (contract.md, `source`). */
export interface ClientResponse<T> {
  readonly value: T;
  readonly fetchedAt: Millis;
  readonly latencyMs: number;
  /** HTTP requests, repeats included. */
  readonly requests: number;
  /** How many of them were answered with a promise. */
  readonly promises: number;
}

export interface MeterRef {
  readonly monitor: MonitorId;
  readonly alias: string;
}

/** How many different requests one monitor (and one key) may have in the air, and the pause between two of them. */
export interface ConcurrencyLimits {
  readonly perMonitor: number;
  readonly perKey: number;
  readonly gapMs: number;
}

/** All methods reject with a CemmError and with nothing else. */
export interface MonitorClient {
  readonly transport: 'remote' | 'local';
  readonly limits: ConcurrencyLimits;
  monitors(options: SendOptions): Promise<ClientResponse<readonly MonitorRecord[]>>;
  /** All activated I/Os. */
  meters(monitor: MonitorId, options: ListOptions): Promise<ClientResponse<readonly IoRecord[]>>;
  /** The I/O behind an alias (remote endpoint 3; locally looked up in the list). */
  meter(ref: MeterRef, options: SendOptions): Promise<ClientResponse<readonly IoRecord[]>>;
  realtime(ref: MeterRef, options: SendOptions): Promise<ClientResponse<RealtimeResponse>>;
  series(ref: MeterRef, unit: SeriesUnit, time: Seconds, options: SendOptions): Promise<ClientResponse<SeriesResponse>>;
  /** Rejects with `UNSUPPORTED` on a local connection: the device has no such endpoint. */
  totals(ref: MeterRef, time: Seconds, options: SendOptions): Promise<ClientResponse<TotalsResponse>>;
  /** Ends everything in flight with `CANCELLED` and closes all sockets. */
  close(): void;
}
