/** Shared parts of the payload kinds: monitor, meter, source and values. */

/** Version of the payloads. */
export type SchemaVersion = 'cemm/1';

/**
 * Quantity that a meter measures. It decides the meaning of registers: t3 is export at the grid, own use at an inverter, and what a
 * battery discharges. `battery` is never guessed: a user sets it.
 */
export type Role = 'grid' | 'production' | 'consumption' | 'battery' | 'gas' | 'water';

/** Why a field is null. */
export type MissingReason =
  'no_timestamp' | 'not_offered' | 'topic_not_valid' | 'no_recent_value' | 'not_finite' | 'incomplete_sum';

/** The monitor a payload is about. Unknown properties are absent, except `id`. */
export interface MonitorInfo {
  /**
   * MAC address as 12 lower-case hexadecimal digits; null if only the number `cemm` of a delivery is known.
   * @pattern ^[0-9a-f]{12}$
   */
  id: string | null;
  /** Number of the monitor, as in deliveries. */
  cemm?: number;
  /** Name chosen by its user. */
  name?: string;
  /** Address in the local network. */
  host?: string;
  /** Model, as the monitor sends it. */
  type?: string;
  /** Version of the firmware. */
  version?: string;
  /** Version of the core of the firmware. */
  core?: string;
  /** Time zone of a CEMM 3.0, IANA name. Only in kind `monitor`. */
  timezone?: string;
  /** Currency of the tariffs of a CEMM 3.0, ISO 4217 code. Only in kind `monitor`. */
  currency?: string;
  /** Modules of a CEMM 3.0, such as `webhooks`. Only in kind `monitor`. */
  modules?: string[];
  /** Clock of a CEMM 3.0 minus the clock of this machine, in ms, accurate to about a second. Only in kind `monitor`. */
  clockDifferenceMs?: number;
}

/** A channel of a meter of a CEMM 3.0. */
export interface ChannelInfo {
  /** Key of the channel within its meter. */
  key: string;
  /** Number of the channel, unique among all meters of the monitor. */
  id?: number;
  /** Name chosen by its user; may change. */
  label?: string;
  /** Unit, as the monitor sends it. */
  unit?: string;
  /** `AVG`, `COUNTER`, `PULSE`, `CALCULATED`, `TARIFF`, `DERIVED`, or a value that this package does not know. */
  aggregation?: string;
}

/** The meter a payload is about. */
export interface MeterInfo {
  /** Alias of the meter in the Open APIs. */
  alias?: string;
  /** Key of the meter in deliveries and in the public API. */
  key?: string;
  /** Name chosen by its user; may change. */
  label?: string;
  /** Quantity that the meter measures; null if unknown. */
  role: Role | null;
  /** Number of the I/O that the meter is connected to. */
  ioId?: number;
  /** Number of the port of the monitor. */
  port?: number;
  /** Type, as the monitor sends it, such as `p1` or `solar_energy`. */
  type?: string;
  /** Use of the port, as the service sends it. */
  portOption?: string;
  /** Number of the I/O in the service. */
  fullId?: number;
  /** Channels of a meter of a CEMM 3.0. Only in kind `meter`. */
  channels?: ChannelInfo[];
  /** Name in the meters of the connection; of a CEMM 3.0 without one, where the connection has meters, its `label`. May change. */
  name?: string;
}

/** Source of a payload, and the cost of its request. */
export interface SourceInfo {
  /** Connection or interface that the data came from. */
  transport: 'remote' | 'local' | 'public' | 'demo' | 'webhook' | 'broadcast';
  /** End of the response, Unix ms. */
  fetchedAt: number;
  /** From the start of the request to the end of the response, in ms. */
  latencyMs: number;
  /** Number of HTTP requests, retries included. */
  requests: number;
  /** Number of responses with status 202. */
  promises: number;
  /** True if a part was read earlier and kept on this machine; absent otherwise. */
  kept?: boolean;
  /** When the oldest part that was kept was read, Unix ms; absent if none was. */
  keptAt?: number;
}

/** The properties that every payload has. */
export interface PayloadBase {
  schema: SchemaVersion;
  /** The same reading, fetched or delivered twice, has the same id. */
  id: string;
  /** The moment that the payload is about, Unix ms. */
  ts: number;
  /**
   * `ts` as ISO 8601 text in UTC.
   * @format date-time
   */
  time: string;
  monitor: MonitorInfo;
  /** Source of the payload, and the cost of its request. */
  source: SourceInfo;
}

/** Field → value. The name of the field contains the unit (`power_w`, `energy_import_t1_kwh`, `gas_m3`). */
export type Values = Record<string, number | null>;

/** A day, month or year. */
export interface PeriodInfo {
  /** Length of the period. */
  unit: 'day' | 'month' | 'year';
  /** `2026-10-25`, `2026-10` or `2026`. */
  label: string;
  /** Time zone of the installation, IANA name. */
  timezone: string;
  /** First moment of the period, Unix ms. */
  start: number;
  /** First moment after the period, Unix ms. */
  end: number;
}

/** One slot of a series: field → number or null. */
export interface SeriesPoint {
  /** First moment of the slot, Unix ms. */
  ts: number;
  [field: string]: number | null;
}
