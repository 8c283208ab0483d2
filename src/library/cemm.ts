/** The objects that `connect()` returns: their methods, with optional parameters and defaults. */
import type { PeriodUnit, SeriesUnit } from '../calendar/units';
import type { CemmError } from '../errors';
import type {
  AvailabilityPayload,
  BalancePayload,
  BalanceStep,
  MeterInfo,
  MonitorInfo,
  PeriodSeriesPayload,
  RealtimePayload,
  Role,
  SeriesPayload,
  TotalsPayload,
} from '../model/payload';
import type { ContractInput } from '../balance/prices/contract-rows';
import type { PricesInput } from '../balance/prices/prices-input';

/** Options of every request. */
export interface RequestOptions {
  /** Cancels the request at once, with `CANCELLED`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time for one request with its retries, in ms; default: that of the connection. A balance and a range take several requests:
   * `signal` limits them together.
   */
  readonly deadlineMs?: number | undefined;
  /** Waiting time while the remote service prepares data: `poll` one period of 10 s, `user` two. Default `user`. */
  readonly patience?: 'poll' | 'user' | undefined;
}

/** Options of a request to a monitor. */
export interface MonitorOptions extends RequestOptions {
  /** MAC address in any spelling. Required only when the connection has several monitors. */
  readonly monitor?: string | undefined;
}

/** Options of a request about a meter. */
export interface MeterOptions extends MonitorOptions {
  /** Role of the meter. Default `auto`: derived from its alias and its type. */
  readonly role?: Role | 'auto' | undefined;
}

export interface AllMetersOptions extends MeterOptions {
  /** Called once for each meter that does not answer, if others do. */
  readonly onMeterError?: ((error: CemmError) => void) | undefined;
}

/** The meters of a house: aliases; an absent role stands for all its meters. */
export interface HouseMeters {
  readonly grid?: readonly string[] | undefined;
  readonly production?: readonly string[] | undefined;
  /** `-mb5`: a battery whose meter counts the discharge as import. */
  readonly battery?: readonly string[] | undefined;
  readonly gas?: readonly string[] | undefined;
  readonly water?: readonly string[] | undefined;
}

export interface BalanceOptions extends MonitorOptions {
  readonly meters?: HouseMeters | undefined;
  /**
   * Length of the points of a day: an hour (`PT1H`, default), a quarter of an hour, or a minute, for which only what is kept is used and
   * nothing is requested. The points of a month are days, those of a year are months.
   */
  readonly step?: Extract<BalanceStep, 'PT1M' | 'PT15M' | 'PT1H'> | undefined;
  /** Called with what is known so far of a long period: at once, and then at most every two seconds while it grows. */
  readonly onProgress?: ((balance: BalancePayload) => void) | undefined;
  /** In the form of the balance node (docs/balance.md). Default: no costs. */
  readonly prices?: PricesInput | undefined;
  /** For a month: also read the minutes of every day, for the highest quarter of an hour. Default false. */
  readonly peak?: boolean | undefined;
  /** Called once for each meter of the house that does not answer, if others do. */
  readonly onMeterError?: ((error: CemmError) => void) | undefined;
}

/** The days of a bill and its prices. */
export interface BillChoice {
  /** First day; without both days, the twelve months before the current one. */
  readonly from?: string | number | Date | undefined;
  /** Last day (inclusive). At most 400 days. */
  readonly to?: string | number | Date | undefined;
  /** Until the end of 2026, with Dutch netting, and from 2027; null: not known. Instead of it: `contracts`. */
  readonly prices?: readonly [until2026: PricesInput | null, from2027?: PricesInput | null] | undefined;
  /** At most 10; each is counted over the whole period. */
  readonly contracts?: readonly ContractInput[] | undefined;
  /** Usable capacities of batteries, in kWh. */
  readonly batteriesKwh?: readonly number[] | undefined;
}

export interface BillOptions extends Pick<BalanceOptions, 'monitor' | 'meters' | 'onMeterError'>, RequestOptions {
  /** Called after each request, with the number of those that are done and of all that are known so far. */
  readonly onProgress?: ((done: number, all: number) => void) | undefined;
}

export interface WatchOptions extends Pick<MeterOptions, 'monitor' | 'role' | 'signal'> {
  /** Interval in ms. Default 10 000; for a remote connection 60 000. */
  readonly every?: number | undefined;
  /** Called when the monitor, or one of its meters, is lost or comes back. */
  readonly onAvailability?: ((availability: AvailabilityPayload) => void) | undefined;
}

/**
 * A date in the time zone of the house: an ISO 8601 text (`2026-10-25`), a Date, epoch seconds or milliseconds of 2010 to
 * 2100, or the running period (`current`) or the one before it (`previous`).
 */
export type DateChoice = string | number | Date;

/** A whole day, month or year: the one that contains the date. */
export type PeriodChoice =
  | { readonly day: DateChoice }
  | { readonly month: DateChoice }
  /** A number of four digits is the year itself. */
  | { readonly year: DateChoice };

/** A whole ISO week, Monday to Sunday, for `balance`: the one that contains the date, or that of a label (`2026-W48`). */
export interface WeekChoice {
  readonly week: DateChoice;
}

/** This moment, for `balance`. */
export interface NowChoice {
  readonly period: 'now';
}

/** Whole periods, from the one that contains `from` to the one that contains `to`, both included. */
export interface RangeChoice<Unit extends PeriodUnit = SeriesUnit> {
  readonly unit: Unit;
  readonly from: DateChoice;
  readonly to: DateChoice;
}

/** A connection that `connect()` opened by API key, by host, or to a simulated monitor. */
export interface Cemm {
  readonly transport: 'remote' | 'local' | 'demo';
  /** IANA time zone of the house. */
  readonly timezone: string;
  /**
   * The monitors of the connection: one for a host, otherwise those of the key.
   * @throws {CemmError}
   */
  monitors(options?: RequestOptions): Promise<MonitorInfo[]>;
  /**
   * The activated meters of a monitor with their aliases and roles.
   * @throws {CemmError} INPUT `several_monitors`: name one
   */
  meters(options?: MonitorOptions): Promise<MeterInfo[]>;
  /**
   * The current values of one meter: power in W, meter readings in kWh and m³. A value that the monitor does not have is
   * null, with the reason in `missing`.
   * @param meter alias, such as `p1`
   * @throws {CemmError} ALIAS: there is no such meter
   */
  realtime(meter: string, options?: MeterOptions): Promise<RealtimePayload>;
  /**
   * The current values of every activated meter.
   * @throws {CemmError} only if no meter answers
   */
  realtime(options?: AllMetersOptions): Promise<RealtimePayload[]>;
  /**
   * A day by the minute, a month by the day, or a year by the month. A slot without a value is null; a day has 23, 24 or 25
   * hours. `fields` contains the unit and the meaning of each field.
   * @throws {CemmError} INPUT: an invalid period (`not_a_date`, `no_such_date`, `out_of_range`, `no_period`)
   */
  series(meter: string, period: PeriodChoice, options?: MeterOptions): Promise<PeriodSeriesPayload>;
  /**
   * The series of a range, oldest first. Each is requested when the loop asks for it: `for await (const day of …)`.
   * @throws {CemmError} as `series`, and INPUT: `wrong_order`, `too_many_periods`
   */
  seriesRange(meter: string, range: RangeChoice, options?: MeterOptions): AsyncGenerator<PeriodSeriesPayload, void>;
  /**
   * The meter readings at the end of a day, or at present for the current day; in kWh and m³.
   * @throws {CemmError} UNSUPPORTED `current_day_only`: a monitor itself keeps no readings of earlier days
   */
  totals(meter: string, day: { readonly day: DateChoice }, options?: MeterOptions): Promise<TotalsPayload>;
  /**
   * The whole house in a day, week, month or year: import, production, export, use and costs, with points by hour or quarter, day,
   * or month. `docs/balance.md` describes the calculation. `{ period: 'now' }`: the powers of this moment, for which every meter is
   * read once; `step`, `prices` and `peak` have no effect.
   * @throws {CemmError} INPUT: as `series`, and `no_meters`, `meters`, `prices`
   */
  balance(period: PeriodChoice | WeekChoice | NowChoice, options?: BalanceOptions): Promise<BalancePayload>;
  /**
   * The balances of a range, oldest first, each calculated when the loop asks for it.
   * @throws {CemmError} as `balance`, and INPUT: `wrong_order`, `too_many_periods`
   */
  balanceRange(range: RangeChoice<PeriodUnit>, options?: BalanceOptions): AsyncGenerator<BalancePayload, void>;
  /**
   * The bills of up to 400 days, with netting and without, what 1 kWh a day moved into the sun is worth, and what batteries would
   * have saved. It reads each day, which may take an hour; with `keepIn` each day is read once. `docs/balance.md` describes the
   * calculation.
   * @throws {CemmError} INPUT: as `balance`, and `not_begun`, `wrong_order`, `too_many_periods`, `batteries`
   */
  bill(choice: BillChoice, options?: BillOptions): Promise<BalancePayload>;
  /**
   * Reads a meter (null: every activated meter) at once and then at an interval, until the returned function is called, the
   * signal fires or the connection is closed. Transient failures are retried; `onProblem` is called once per outage, not once
   * per interval. An error that a callback throws is an uncaught exception, as with Node's event listeners.
   * @throws {CemmError} CONFIG `interval`
   */
  watch(
    meter: string | null,
    options: WatchOptions,
    onReading: (reading: RealtimePayload) => void,
    onProblem: (error: CemmError) => void,
  ): () => void;
  /** Cancels everything in flight with `CANCELLED` and closes all sockets within a second. */
  close(): Promise<void>;
}

/** Selects the values of a channel of a CEMM 3.0. */
export interface RecentChoice {
  /** `day` is the documented resolution; others are sent unchanged. Default `day`. */
  readonly resolution?: string | undefined;
  /** Number of the most recent periods. */
  readonly count: number;
  /** Sent to the monitor unchanged. Default: nothing. */
  readonly include?: string | undefined;
  /** Key of the meter, when several meters have a channel with this key. */
  readonly meter?: string | undefined;
}

/** A connection to a CEMM 3.0 (`generation: 3`): its meters and their time series. Current values come by webhook. */
export interface Cemm3 {
  readonly transport: 'public';
  /** IANA time zone of the house; if not given, the monitor's own, known after the first response. */
  readonly timezone: string;
  /**
   * The monitor at the host, in a list of one.
   * @throws {CemmError}
   */
  monitors(options?: RequestOptions): Promise<MonitorInfo[]>;
  /**
   * All meters with their channels and units.
   * @throws {CemmError}
   */
  meters(options?: MonitorOptions): Promise<MeterInfo[]>;
  /**
   * The most recent periods of one channel, null for those without a value.
   * @param channel its number, its key, or `<meter>:<channel>`
   * @throws {CemmError} ALIAS `no_channel`; INPUT: `channel`, `resolution`, `count` or `include` cannot be used
   */
  series(channel: string, choice: RecentChoice, options?: MeterOptions): Promise<SeriesPayload>;
  /** Cancels everything in flight with `CANCELLED` and closes all sockets within a second. */
  close(): Promise<void>;
}
