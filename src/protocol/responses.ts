/**
 * What the two Open APIs answer, after parsing (spec.md A and B; additions of the device itself: `totals`, local I/O list).
 * Parsers live beside this file; everything here is already checked and may be trusted.
 */
import type { MonitorId } from './mac';
import type { Millis, Seconds } from './time';

/** Why a measurement carries no value; `no_recent_value`: null on the wire. */
export type Flaw = 'no_timestamp' | 'not_finite' | 'no_recent_value';

/**
 * One MeasurementArray. `[0, 0]` on the wire is "no value": time null, value null, flaw `no_timestamp`. Any other value
 * whose time is no moment is a value, with time null (`switch: [0, 1]`).
 */
export interface Measurement {
  readonly time: Millis | null;
  readonly value: number | null;
  readonly flaw: Flaw | null;
}

/** Channel name → measurement. A Map, because channel names come from outside. */
export type Measurements = ReadonlyMap<string, Measurement>;

/**
 * An activated I/O. The local list has `alias` and lacks `portOption` and `fullId`; the remote one the reverse. `ioId` and
 * `type` are null only where a local monitor has no list and the alias was found by asking for it.
 */
export interface IoRecord {
  readonly ioId: number | null;
  readonly port: number | null;
  readonly type: string | null;
  readonly portOption: string | null;
  readonly fullId: number | null;
  readonly alias: string | null;
}

/** What is known of a monitor: the remote list gives the id alone, the local root all of it. */
export interface MonitorRecord {
  readonly id: MonitorId;
  readonly name: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly core: string | null;
}

/** Realtime: `data`, and on a local monitor often `totals` beside it (meter readings with their own times). */
export interface RealtimeResponse {
  readonly ioId: number | null;
  readonly data: Measurements;
  readonly totals: Measurements | null;
}

/**
 * The samples of one channel, in columns, in the order received. A null on the wire (or a number that is not finite) is
 * NaN in `values`. Entries without a time (`[0, 0]`) and entries that are no pair are left out and counted.
 */
export interface Samples {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly withoutTime: number;
  readonly malformed: number;
}

/** A day, month or year: channel name → samples. */
export interface SeriesResponse {
  readonly ioId: number | null;
  readonly time: Millis | null;
  readonly channels: ReadonlyMap<string, Samples>;
}

/** Meter readings of a day (remote endpoint 8). */
export interface TotalsResponse {
  readonly ioId: number | null;
  readonly time: Millis | null;
  readonly data: Measurements;
}

// What the public API of a CEMM 3.0 answers, after parsing (vendor-facts 3; spec.md C, Public API Request).

/** What a monitor says of itself. Only the MAC is needed: without it nobody knows which monitor answers. */
export interface PublicMonitor extends MonitorRecord {
  /** The number that its deliveries carry. */
  readonly cemm: number | null;
  /** Its time zone, as it spells it. */
  readonly timezone: string | null;
  /** What time it believed it was when it answered. */
  readonly time: Seconds | null;
  /** ISO code of the currency that its tariffs are in. */
  readonly currency: string | null;
  /** Ids of the installed modules, such as `webhooks`. */
  readonly modules: readonly string[];
}

export interface PublicChannel {
  readonly id: number | null;
  readonly key: string;
  /** The name that its user gave it; may change. */
  readonly label: string | null;
  readonly unit: string | null;
  /** `AVG`, `COUNTER`, `PULSE`, `CALCULATED`, `TARIFF`, `DERIVED`, or a word that is not known yet. */
  readonly aggregation: string | null;
}

export interface PublicMeter {
  readonly id: number | null;
  readonly key: string;
  readonly label: string | null;
  /** `electricity`, … */
  readonly type: string | null;
  /** `grid-connection`, … */
  readonly role: string | null;
  readonly channels: readonly PublicChannel[];
}
