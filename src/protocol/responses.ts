/**
 * Parsed responses of the Open APIs and of the public API of a CEMM 3.0. The parsers are in `open-api.ts` and
 * `public-api.ts`; every value of these types is validated.
 */
import type { MonitorId } from './mac';
import type { Millis, Seconds } from '../time/units';

/** A unit in which a monitor answers and delivers; it knows no weeks. */
export type SeriesUnit = 'day' | 'month' | 'year';

/** Reason of a measurement without a value. `no_recent_value`: the monitor sent null. */
type Flaw = 'no_timestamp' | 'not_finite' | 'no_recent_value';

/**
 * One measurement, sent as `[time in ms, value]` (http://developer.cemm.nl/api-en/). `[0, 0]` means "no value": time null,
 * value null, flaw `no_timestamp`. Any other value without a valid time is kept, with time null (`switch: [0, 1]`).
 */
export interface Measurement {
  readonly time: Millis | null;
  readonly value: number | null;
  readonly flaw: Flaw | null;
}

/** Channel → measurement. A Map, because a channel name could be `__proto__`. */
export type Measurements = ReadonlyMap<string, Measurement>;

/**
 * An activated I/O of a monitor. The local Open API sends `alias`, the remote one `portOption` and `fullId`; absent values are
 * null. `ioId` and `type` are null only if a local monitor has no list and the alias was found by a request.
 */
export interface IoRecord {
  readonly ioId: number | null;
  readonly port: number | null;
  readonly type: string | null;
  readonly portOption: string | null;
  readonly fullId: number | null;
  readonly alias: string | null;
}

/** A monitor. The remote list has only its id, the root of the local Open API has everything. */
export interface MonitorRecord {
  readonly id: MonitorId;
  readonly name: string | null;
  readonly type: string | null;
  readonly version: string | null;
  readonly core: string | null;
}

/** Response of `realtime`. `totals` are meter readings with their own times; only local monitors send them. */
export interface RealtimeResponse {
  readonly ioId: number | null;
  readonly data: Measurements;
  readonly totals: Measurements | null;
}

/**
 * The samples of one channel as two arrays of equal length, in the order received. `times` are Unix milliseconds. NaN in
 * `values` stands for null or a number that is not finite.
 */
export interface Samples {
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Number of entries left out because they have no valid time (`[0, 0]`). */
  readonly withoutTime: number;
  /** Number of entries left out because they are not a pair. */
  readonly malformed: number;
}

/** Response of `data/day`, `data/month` and `data/year`. */
export interface SeriesResponse {
  readonly ioId: number | null;
  /** `time` of the response: in the remote Open API the start of the period, in the local one the requested time. */
  readonly time: Millis | null;
  /** Channel → samples. */
  readonly channels: ReadonlyMap<string, Samples>;
}

/** Response of `totals` (remote Open API): the last meter readings of a day. */
export interface TotalsResponse {
  readonly ioId: number | null;
  readonly time: Millis | null;
  readonly data: Measurements;
}

/** Response of `/api/v1/public/cemm` (https://wiki.cemm.nl/general/publicapi). Only the MAC address is mandatory. */
export interface PublicMonitor extends MonitorRecord {
  /** Number of the monitor, which its webhooks send as `cemm`. */
  readonly cemm: number | null;
  /** IANA name of its time zone, not validated. */
  readonly timezone: string | null;
  /** Its clock at the time of the response. */
  readonly time: Seconds | null;
  /** ISO 4217 code of the currency of its tariffs. */
  readonly currency: string | null;
  /** Ids of the installed modules, such as `webhooks`. */
  readonly modules: readonly string[];
}

/** A channel of a meter in `/api/v1/public/meters`. */
export interface PublicChannel {
  readonly id: number | null;
  readonly key: string;
  /** Name chosen by the user of the monitor; may change. */
  readonly label: string | null;
  readonly unit: string | null;
  /** `AVG`, `COUNTER`, `PULSE`, `CALCULATED`, `TARIFF`, `DERIVED`, or a value that this package does not know. */
  readonly aggregation: string | null;
}

/** A meter in `/api/v1/public/meters`. */
export interface PublicMeter {
  readonly id: number | null;
  readonly key: string;
  readonly label: string | null;
  /** Such as `electricity`. */
  readonly type: string | null;
  /** Such as `grid-connection`. */
  readonly role: string | null;
  readonly channels: readonly PublicChannel[];
}
