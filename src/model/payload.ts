/**
 * What leaves a node in `msg.payload` (contract.md section 2), version `cemm/1`. These types are the contract: the JSON
 * Schemas that ship with the package are generated from them (scripts/build-schemas.ts) and the tests validate against those.
 */
import type { Step } from '../calendar/slots';

export type { Step };

/** Version of this contract. */
export type SchemaVersion = 'cemm/1';

/** What a meter measures; decides what its registers mean (t3 is export at the grid, own use at an inverter). */
export type Role = 'grid' | 'production' | 'consumption' | 'gas' | 'water';

/** Why a field is null. */
export type MissingReason =
  'no_timestamp' | 'not_offered' | 'topic_not_valid' | 'no_recent_value' | 'not_finite' | 'incomplete_sum';

/** The monitor a payload is about: always `id`, and what is known besides. */
export interface MonitorInfo {
  /**
   * 12 lower-case hex digits of the MAC; null where only the webhook's number is known.
   * @pattern ^[0-9a-f]{12}$
   */
  id: string | null;
  /** The number that webhooks carry. */
  cemm?: number;
  /** The name that its owner gave it. */
  name?: string;
  /** Its address in the local network. */
  host?: string;
  /** Its model, in its own words. */
  type?: string;
  /** Of its firmware. */
  version?: string;
  /** Version of the software part that speaks to the network. */
  core?: string;
  /** Of a CEMM 3.0, where it is about the monitor itself: the IANA zone that it is set to. */
  timezone?: string;
  /** As `timezone`: ISO code of the currency of its tariffs. */
  currency?: string;
  /** As `timezone`: ids of its modules, such as `webhooks`. */
  modules?: string[];
  /** As `timezone`: its clock minus that of this machine, in ms, to a second or so. */
  clockDifferenceMs?: number;
}

/** A channel of a meter, as a CEMM 3.0 lists it. */
export interface ChannelInfo {
  key: string;
  /** Selects the channel without its meter. */
  id?: number;
  /** The name that its owner gave it; may change. */
  label?: string;
  unit?: string;
  /** `AVG`, `COUNTER`, `PULSE`, `CALCULATED`, `TARIFF`, `DERIVED`, or a word that is not known yet. */
  aggregation?: string;
}

/** The meter a payload is about. */
export interface MeterInfo {
  /** Open API alias. */
  alias?: string;
  /** Meter key of webhooks and of the public API. */
  key?: string;
  /** The name that its owner gave it; may change. */
  label?: string;
  /** What it measures; null where that is not known. */
  role: Role | null;
  /** Number of the input that it is connected to. */
  ioId?: number;
  /** Of the monitor, where it is plugged in. */
  port?: number;
  /** In the monitor's own words, such as `p1` or `solar_energy`. */
  type?: string;
  /** How the port is used, in the monitor's own words. */
  portOption?: string;
  /** Number of the input in the whole of the service. */
  fullId?: number;
  /** In a list of meters, where the monitor tells them. */
  channels?: ChannelInfo[];
}

export interface SourceInfo {
  /** The way it came. */
  transport: 'remote' | 'local' | 'public' | 'demo' | 'webhook' | 'broadcast';
  /** Epoch ms at which the answer was complete. */
  fetchedAt: number;
  /** From the question to the complete answer. */
  latencyMs: number;
  /** HTTP requests it took, repeats included. */
  requests: number;
  /** How many of them were answered with a promise (202). */
  promises: number;
}

export interface PayloadBase {
  schema: SchemaVersion;
  /** Deterministic: the same reading fetched or delivered twice has the same id. */
  id: string;
  /** The moment it is about, epoch ms. */
  ts: number;
  /**
   * The same moment, ISO 8601 UTC.
   * @format date-time
   */
  time: string;
  monitor: MonitorInfo;
  /** Where it comes from and what it took. */
  source: SourceInfo;
}

/** Field name → value; the unit is in the name (`power_w`, `energy_import_t1_kwh`, `gas_m3`). */
export type Values = Record<string, number | null>;

interface ReadingParts {
  meter: MeterInfo;
  values: Values;
  /** Field → epoch ms, only where it differs from `ts`. */
  times: Record<string, number>;
  /** Field → why it is null. */
  missing: Record<string, MissingReason>;
}

export interface RealtimePayload extends PayloadBase, ReadingParts {
  kind: 'realtime';
}

export interface PeriodInfo {
  /** How long it is. */
  unit: 'day' | 'month' | 'year';
  /** `2026-10-25`, `2026-10` or `2026`. */
  label: string;
  /** IANA name of the installation's zone. */
  timezone: string;
  /** Epoch ms, first moment. */
  start: number;
  /** Epoch ms, first moment after. */
  end: number;
}

export interface FieldInfo {
  /** Null where it has none or none is known. */
  unit: string | null;
  /** What one point says about its step. */
  semantics: 'average' | 'energy' | 'volume' | 'reading';
  /** `monitor`: said by the monitor; `specification`: said by its documentation; `assumed`: our reading of it. */
  unitSource: 'monitor' | 'specification' | 'assumed';
  /**
   * Who says that it is an average, an amount or a reading: as `unitSource`; `data`: the numbers themselves, which cannot be
   * anything else.
   */
  semanticsSource: 'monitor' | 'specification' | 'data' | 'assumed';
}

/** Points are counted once however many channels they have, dropped entries once per channel. */
export interface SeriesStats {
  /**
   * Points that the period holds up to now: every closed slot, and the running one where the monitor gives it.
   * @asType integer
   * @minimum 0
   */
  expected: number;
  /**
   * Points with a value from every channel that has data at this step.
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
   * Entries dropped because the channel had one for the same slot already.
   * @asType integer
   * @minimum 0
   */
  duplicates: number;
  /**
   * Entries of slots that are still to come.
   * @asType integer
   * @minimum 0
   */
  futureTrimmed: number;
  /**
   * Entries outside the period, such as the 1441st of a day.
   * @asType integer
   * @minimum 0
   */
  outside: number;
}

/** One slot of a series: `ts` is its first moment, with one number or null per field. */
export interface SeriesPoint {
  /** Epoch ms, first moment of the slot. */
  ts: number;
  [field: string]: number | null;
}

/** The most recent periods of a resolution, as the public API gives them. */
export interface RecentInfo {
  unit: 'recent';
  /** ISO 8601 interval: the first and the last day, both included; moments, where the points are no days. */
  label: string;
  /** IANA name of the installation's zone. */
  timezone: string;
  /** Epoch ms, first moment. */
  start: number;
  /** Epoch ms, first moment after. */
  end: number;
  /** Length of a point; null where the resolution is not one that this package knows. */
  step: Step | null;
  /** As it was asked for. */
  resolution: string;
  /**
   * As it was asked for.
   * @asType integer
   * @minimum 1
   */
  count: number;
}

export interface SeriesPayload extends PayloadBase {
  kind: 'series';
  meter: MeterInfo;
  /** Only of the public API, which is asked channel by channel. */
  channel?: ChannelInfo;
  /** What was asked for. */
  period: (PeriodInfo & { step: Step }) | RecentInfo;
  /** Field of the points → what its numbers are. */
  fields: Record<string, FieldInfo>;
  /** Ascending; gaps are null, never 0. */
  points: SeriesPoint[];
  stats: SeriesStats;
  /** True when the period is over and has no gap. */
  complete: boolean;
}

/** Of a day, month or year: what the Open APIs give. */
export interface PeriodSeriesPayload extends SeriesPayload {
  period: PeriodInfo & { step: Step };
}

export interface TotalsPayload extends PayloadBase, ReadingParts {
  kind: 'totals';
  /** The day; `final` once it is over. */
  period: PeriodInfo & { final: boolean };
}

export interface DeliveryInfo {
  /** `basic-v1`, `timeseries` (Public API result), the word the monitor sent, or `unknown`. */
  format: string;
  /** The ways of proof that held. */
  verified: ('hmac' | 'header' | 'query')[];
  /** Which HMAC key matched; absent where none was asked for. */
  keyUsed?: 'current' | 'previous';
  /** Arrival minus the delivery's own `time`, in ms; null where it has none. */
  ageMs: number | null;
  /** Length of the body. */
  bytes: number;
  /** `window`: a delivery outside `maxAge` is refused and a repeat recognized; `none`: the body carries no time. */
  replayCheck: 'window' | 'none';
  /** Places in the body that are not what the specification describes, 20 at most; what is sound was delivered anyway. */
  flaws?: { path: string; expected: string }[];
}

export interface WebhookReading {
  /** Key of the meter on the monitor. */
  meter: string;
  /** What was measured, in the monitor's own word. */
  channel: string;
  /** The names that the owner of the monitor gave the meter and the channel, where the monitor was asked. */
  meterLabel?: string;
  channelLabel?: string;
  /** Which of its values it is: `realtime`, `reading`, `this/day`, `last/hour` and so on. */
  topic: string;
  /** The channel under the name that this package gives it, with the unit in it. */
  field: string;
  value: number | null;
  /** Null where it has none or none is known. */
  unit: string | null;
  /** Who says so. */
  unitSource: FieldInfo['unitSource'] | null;
  /** Epoch ms at which the monitor last updated the value; null where it gave none. */
  ts: number | null;
  /** Epoch ms, for `this/…` and `last/…`. */
  window?: { start: number; end: number };
  missing?: MissingReason;
}

export interface WebhookPayload extends PayloadBase {
  kind: 'webhook';
  /** Where the path holds parameters: their values in this call, with a slash between them. */
  installation?: string;
  /** How it came and what proves it. */
  delivery: DeliveryInfo;
  /** Every value of the body, one by one; empty for `timeseries`. */
  readings: WebhookReading[];
  /** Meter → field → number, from the topics `realtime` and `reading`. */
  values: Record<string, Record<string, number>>;
  /** For `timeseries` only: ascending, as in a series. A second channel that has no name is `value_2`. */
  points?: SeriesPoint[];
  meter?: MeterInfo;
  /** The whole body, where this package did not understand all of it; what it did is in `readings` or `points` as well. */
  raw?: unknown;
}

export interface MonitorPayload extends PayloadBase {
  kind: 'monitor';
  /** Since the last look. */
  change: 'new' | 'seen' | 'host_changed' | 'gone';
  /** Its own root answered with the same MAC. */
  verified: boolean;
}

export interface MeterPayload extends PayloadBase {
  kind: 'meter';
  meter: MeterInfo;
}

export interface AvailabilityPayload extends PayloadBase {
  kind: 'availability';
  meter?: MeterInfo;
  /** Whether it can be read now. */
  state: 'online' | 'offline';
  /** Epoch ms since when. */
  since: number;
  /** An error code, such as `NETWORK`; null when online. */
  reason: string | null;
  /** How many questions in a row went unanswered. */
  failures: number;
  /** Until the next try; null when online or when polling has stopped. */
  nextRetryMs: number | null;
}

export interface ProblemPayload extends PayloadBase {
  kind: 'problem';
  /** The word that the caller got, such as `bad_signature`, or `missed` for a delivery that did not come. */
  reason: string;
  /** Where the path holds parameters and the caller is a known installation: their values, with a slash between them. */
  installation?: string;
  /** How many of them. */
  count: number;
  /** Address the call came from; null for `missed`. */
  remote: string | null;
  /** For `missed`: the slot without a delivery, epoch ms. */
  slot?: { start: number; end: number };
}

/** What the points of a balance are: quarters or hours of a day, days of a month, months of a year. */
export type BalanceStep = 'PT15M' | 'PT1H' | 'P1D' | 'P1M';

/**
 * Which way a number was found. `registers`: difference of two counters, with minutes where a border has no reading;
 * `minutes`: sum of minutes; `delivered`: amounts that a monitor pushed. Of several ways in one number the least exact one.
 */
export type BalanceMethod = 'registers' | 'delivered' | 'minutes';

/**
 * `not_readable`: a meter does not answer; `not_measured`: nothing is known of that time; `not_simultaneous`: the readings are
 * of different moments; `inconsistent`: less than nothing, as with a battery or a meter in the wrong role; `zero_divisor`: a
 * ratio to 0; `differs`: the number is there, but the monitor's own month or year says something else.
 */
export type BalanceMissing =
  'not_readable' | 'not_measured' | 'not_simultaneous' | 'inconsistent' | 'zero_divisor' | 'differs';

/** Aliases or keys of the meters that were counted, by role. */
export interface BalanceMeters {
  grid: string[];
  production: string[];
  gas: string[];
  water: string[];
}

/** The readings at the borders of a period; null where none stands for it. */
export interface BalanceCounter {
  /** Epoch ms and value. */
  start: [number, number] | null;
  /** Epoch ms and value. */
  end: [number, number] | null;
}

export interface BalancePeak {
  /** W, mean import of the quarter; null while it is running. */
  power_w: number | null;
  /** Epoch ms, first moment of the quarter. */
  start: number;
  /** Epoch ms, first moment after. */
  end: number;
  /** Of the running quarter: W, where the present power goes on; null where it was not followed from its beginning. */
  expected_w?: number | null;
}

/** Each part is null where no price or no number is known; in the currency of the prices. */
export interface BalanceCost {
  currency: string;
  import: number | null;
  export: number | null;
  gas: number | null;
  water: number | null;
  /** What is paid by the day. */
  fixed: number | null;
  /** import + gas + water + fixed − export, of those that have a price. */
  total: number | null;
  /** The total where export is set off against import, tariff by tariff. */
  netted: number | null;
  /** 0 to 1: how much of it was measured and has a price; of several media the least. */
  coverage: number;
}

/** The house as a whole. */
export interface BalancePayload extends PayloadBase {
  kind: 'balance';
  /** What was asked for; absent for the present moment. */
  period?: PeriodInfo & { step: BalanceStep };
  meters: BalanceMeters;
  values: Values;
  /** Ascending, up to the running one; absent for the present moment. */
  points?: SeriesPoint[];
  /** Field → how it was found. */
  method: Record<string, BalanceMethod>;
  /** Field → share of the past part of the period that was measured, 0 to 1. */
  coverage: Record<string, number>;
  /** The quarter of an hour with the highest mean import; null where no quarter was wholly measured. */
  peak: BalancePeak | null;
  /** Field → the readings at the borders. */
  counters: Record<string, BalanceCounter>;
  /** First moments of the points of which a share is not measured in its own time, epoch ms. */
  estimated: number[];
  /** Absent where no prices were given. */
  cost?: BalanceCost;
  /** Field → why it is null. */
  missing: Record<string, BalanceMissing>;
  /** Nothing is missing in the part of the period that is past. */
  complete: boolean;
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
