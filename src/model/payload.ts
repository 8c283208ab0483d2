/**
 * The payloads that nodes send in `msg.payload`, version `cemm/1`. `scripts/build/build-schemas.ts` generates the JSON Schemas of the
 * package from these types, `scripts/docs/build-docs.ts` generates `docs/payload.md`, and tests validate payloads against the schemas.
 */
import type { Step } from '../calendar/slots';
import type { BalancePayload } from './balance-payload';
import type {
  ChannelInfo,
  MeterInfo,
  MissingReason,
  PayloadBase,
  PeriodInfo,
  Role,
  SeriesPoint,
  Values,
} from './payload-parts';

export type { Step };
export type * from './balance-payload';
export type * from './payload-parts';

/** Readings of one meter. */
interface ReadingParts {
  meter: MeterInfo;
  values: Values;
  /** Field → Unix ms, only if it differs from `ts`. */
  times: Record<string, number>;
  /** Field → why it is null. */
  missing: Record<string, MissingReason>;
}

/** Current values of a meter. */
export interface RealtimePayload extends PayloadBase, ReadingParts {
  kind: 'realtime';
}

/** Unit and meaning of a field. */
export interface FieldInfo {
  /** Null if the field has no unit or it is not known. */
  unit: string | null;
  /** Meaning of a value: the average or the amount of its slot, or a reading. */
  semantics: 'average' | 'energy' | 'volume' | 'reading';
  /** Source of `unit`: the monitor, the documentation of the vendor, or an assumption. */
  unitSource: 'monitor' | 'specification' | 'assumed';
  /** Source of `semantics`, as `unitSource`; `data`: the values allow no other meaning. */
  semanticsSource: 'monitor' | 'specification' | 'data' | 'assumed';
}

/** Counts of points and of dropped samples. */
export interface SeriesStats {
  /**
   * Points that the period has up to now: every past slot, and the current one if the monitor sends it.
   * @asType integer
   * @minimum 0
   */
  expected: number;
  /**
   * Points with a value of every channel that has data at this step.
   * @asType integer
   * @minimum 0
   */
  received: number;
  /**
   * expected − received.
   * @asType integer
   * @minimum 0
   */
  gaps: number;
  /**
   * Samples dropped because the channel has another one for the same slot.
   * @asType integer
   * @minimum 0
   */
  duplicates: number;
  /**
   * Samples dropped because their slot is in the future.
   * @asType integer
   * @minimum 0
   */
  futureTrimmed: number;
  /**
   * Samples dropped because they are outside the period.
   * @asType integer
   * @minimum 0
   */
  outside: number;
}

/** The most recent slots of a resolution, from the public API. */
export interface RecentInfo {
  unit: 'recent';
  /** The first and the last day (`2026-10-19/2026-10-25`), or the first and the last moment for other resolutions. */
  label: string;
  /** Time zone of the installation, IANA name. */
  timezone: string;
  /** First moment, Unix ms. */
  start: number;
  /** First moment after the last slot, Unix ms. */
  end: number;
  /** Length of a slot; null if this package does not know the resolution. */
  step: Step | null;
  /** The requested resolution. */
  resolution: string;
  /**
   * The requested number of slots.
   * @asType integer
   * @minimum 1
   */
  count: number;
}

/** A series of a meter. */
export interface SeriesPayload extends PayloadBase {
  kind: 'series';
  meter: MeterInfo;
  /** The channel. Only from the public API, which has one channel per request. */
  channel?: ChannelInfo;
  /** The requested period. */
  period: (PeriodInfo & { step: Step }) | RecentInfo;
  /** Field of the points → unit and meaning. */
  fields: Record<string, FieldInfo>;
  /** Ascending. A missing value is null, never 0. */
  points: SeriesPoint[];
  stats: SeriesStats;
  /** True if the period is over and has no gaps. */
  complete: boolean;
}

/** A series of a day, month or year, from the Open APIs. */
export interface PeriodSeriesPayload extends SeriesPayload {
  period: PeriodInfo & { step: Step };
}

/** Meter readings of a day. */
export interface TotalsPayload extends PayloadBase, ReadingParts {
  kind: 'totals';
  /** The day. `final` is true once it is over. */
  period: PeriodInfo & { final: boolean };
}

/** Authentication and checks of a delivery. */
export interface DeliveryInfo {
  /** `basic-v1`, `timeseries` (result of the public API), another format that the monitor sent, or `unknown`. */
  format: string;
  /** Methods of authentication that succeeded. */
  verified: ('hmac' | 'header' | 'query')[];
  /** The HMAC key that matched; absent if no signature is required. */
  keyUsed?: 'current' | 'previous';
  /** Time of arrival minus `time` of the delivery, in ms; null if it has none. */
  ageMs: number | null;
  /** Length of the body in bytes. */
  bytes: number;
  /** `window`: deliveries older than `maxAge` and repeated deliveries are rejected. `none`: the body has no time to check. */
  replayCheck: 'window' | 'none';
  /** Invalid parts of the body, 20 at most. The valid parts are in the payload. */
  flaws?: { path: string; expected: string }[];
}

/** One value of a delivery. */
export interface WebhookReading {
  /** Key of the meter. */
  meter: string;
  /** Key of the channel. */
  channel: string;
  /** Name of the meter, if the monitor's lists are known. */
  meterLabel?: string;
  /** Name of the channel, if the monitor's lists are known. */
  channelLabel?: string;
  /** Topic of the webhook: `realtime`, `reading`, `this/day`, `last/hour` and others. */
  topic: string;
  /** Field of the channel, with the unit in its name. */
  field: string;
  value: number | null;
  /** Null if the field has no unit or it is not known. */
  unit: string | null;
  /** Source of `unit`. */
  unitSource: FieldInfo['unitSource'] | null;
  /** Time at which the monitor last updated the value, Unix ms; null if it sent none. */
  ts: number | null;
  /** Start and end of the time that the value is about, Unix ms; for `this/…` and `last/…`. */
  window?: { start: number; end: number };
  missing?: MissingReason;
}

/** A delivered meter in the meters of the connection. */
export interface DeliveredMeter {
  /** Name of the meter; may change. */
  name?: string;
  /** Quantity that the meter measures. */
  role?: Role;
}

/** A delivery of a monitor. */
export interface WebhookPayload extends PayloadBase {
  kind: 'webhook';
  /** Values of the parameters in the path, separated by slashes. Absent if the path has none. */
  installation?: string;
  /** Authentication and checks of the delivery. */
  delivery: DeliveryInfo;
  /** Every value of the body; empty for `timeseries`. */
  readings: WebhookReading[];
  /** Meter → field → number, from the topics `realtime` and `reading`. */
  values: Record<string, Record<string, number>>;
  /** Meter → its name and role in the meters of the connection. Absent if no delivered meter has one there. */
  meters?: Record<string, DeliveredMeter>;
  /** For `timeseries` only: ascending, as in a series. A second channel without a name is `value_2`. */
  points?: SeriesPoint[];
  meter?: MeterInfo;
  /** The whole body, if a part of it is unknown. The known parts are in `readings` or `points`. */
  raw?: unknown;
}

/** A monitor that was found, or is no longer found. */
export interface MonitorPayload extends PayloadBase {
  kind: 'monitor';
  /** Difference to the previous search. */
  change: 'new' | 'seen' | 'host_changed' | 'gone';
  /** The monitor at the address has confirmed its MAC address. */
  verified: boolean;
}

/** A meter of a monitor. */
export interface MeterPayload extends PayloadBase {
  kind: 'meter';
  meter: MeterInfo;
}

/** A monitor or meter went offline or came back online, or the grid meter has no new power. */
export interface AvailabilityPayload extends PayloadBase {
  kind: 'availability';
  meter?: MeterInfo;
  /** `offline`: the last requests failed. `stale`: the monitor answers, but the grid meter has no new power. */
  state: 'online' | 'offline' | 'stale';
  /** Start of the state, Unix ms; of `stale` the time of the last power. */
  since: number;
  /** Error code, such as `NETWORK`; `stale` if that is the state; null if online. */
  reason: string | null;
  /** Number of failed requests in a row. */
  failures: number;
  /** Time until the next request in ms; null if not offline or if polling has stopped. */
  nextRetryMs: number | null;
}

/** Rejected requests to a receiver, or a missed delivery. */
export interface ProblemPayload extends PayloadBase {
  kind: 'problem';
  /** Error code of the response, such as `bad_signature`; `missed` for a delivery that did not arrive. */
  reason: string;
  /** Values of the parameters in the path, separated by slashes, if the sender is a known installation. */
  installation?: string;
  /** Number of rejected requests or missed deliveries. */
  count: number;
  /** Address of the sender; null for `missed`. */
  remote: string | null;
  /** The slot without a delivery, Unix ms; for `missed`. */
  slot?: { start: number; end: number };
}

export type Payload =
  | RealtimePayload
  | SeriesPayload
  | TotalsPayload
  | WebhookPayload
  | MonitorPayload
  | MeterPayload
  | AvailabilityPayload
  | ProblemPayload
  | BalancePayload;

export type PayloadKind = Payload['kind'];
