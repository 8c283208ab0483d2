/** Implements the objects of `connect()` on a connection: reads dates and fills in defaults. */
import type { Balances } from './balance/balances';
import { billBatteries, billPeriod, billPrices } from './balance/bill/bill-question';
import { choiceOf, type MeterChoice } from './balance/meters/choice';
import { parsePrices } from './balance/prices/prices';
import { CalendarError } from './calendar/zone';
import { parseDate } from './calendar/dates';
import { namedPeriod, type Period, periodContaining, type PeriodUnit } from './calendar/periods';
import { runCallback } from './callback';
import type {
  AllMetersOptions,
  BalanceOptions,
  BillChoice,
  BillOptions,
  Cemm,
  Cemm3,
  DateChoice,
  HouseMeters,
  MeterOptions,
  MonitorOptions,
  PeriodChoice,
  RecentChoice,
  RequestOptions,
  WatchOptions,
} from './cemm';
import { CemmError } from './errors';
import { isAlias } from './limits';
import type { ReadOptions, MonitorConnection } from './connection/connection';
import type {
  BalancePayload,
  BalanceStep,
  MeterInfo,
  MonitorInfo,
  PeriodSeriesPayload,
  RealtimePayload,
  Role,
  SeriesPayload,
  TotalsPayload,
} from './model/payload';
import { millis } from './protocol/time';

const defaultIntervalMs = { remote: 60_000, local: 10_000, demo: 10_000 } as const;

export class CemmConnection implements Cemm {
  /** @param now current time in epoch ms; for tests */
  constructor(
    private readonly connection: MonitorConnection,
    private readonly balances: Balances | null,
    readonly transport: Cemm['transport'],
    readonly close: () => Promise<void>,
    private readonly now: () => number = Date.now,
  ) {}

  get timezone(): string {
    return this.connection.timezone;
  }

  monitors(options: RequestOptions = {}): Promise<MonitorInfo[]> {
    return this.connection.monitors(askOf(options));
  }

  meters(options: MonitorOptions = {}): Promise<MeterInfo[]> {
    return this.connection.meters(options.monitor ?? null, askOf(options));
  }

  realtime(meter: string, options?: MeterOptions): Promise<RealtimePayload>;
  realtime(options?: AllMetersOptions): Promise<RealtimePayload[]>;
  async realtime(
    meter?: string | AllMetersOptions,
    options: MeterOptions = {},
  ): Promise<RealtimePayload | RealtimePayload[]> {
    if (typeof meter !== 'string') return this.realtimeOfAll(meter);
    const [reading] = await this.connection.readRealtime(target(meter, options), askOf(options));
    if (reading === undefined) throw new CemmError('ALIAS', { alias: meter });
    return reading;
  }

  private realtimeOfAll(options: AllMetersOptions = {}): Promise<RealtimePayload[]> {
    const { onMeterError } = options;
    return this.connection.readRealtime(target(null, options), {
      ...askOf(options),
      ...(onMeterError !== undefined && { onMeterError }),
    });
  }

  async series(meter: string, period: PeriodChoice, options: MeterOptions = {}): Promise<PeriodSeriesPayload> {
    return this.connection.readSeries(target(meter, options), this.period(period), askOf(options));
  }

  async totals(
    meter: string,
    { day }: { readonly day: DateChoice },
    options: MeterOptions = {},
  ): Promise<TotalsPayload> {
    return this.connection.readTotals(target(meter, options), this.period({ day }), askOf(options));
  }

  async balance(choice: PeriodChoice, options: BalanceOptions = {}): Promise<BalancePayload> {
    const { monitor = null, meters = {}, step = 'PT1H', prices, peak = false, onMeterError } = options;
    if (this.balances === null) throw new CemmError('UNSUPPORTED', { reason: 'balance' });
    const period = this.period(choice);
    return this.balances.read(
      {
        monitor,
        meters: houseOf(meters),
        period,
        step: stepsOf[period.unit] ?? step,
        prices: prices === undefined ? null : parsePrices(prices, this.timezone),
        wantsPeak: peak,
        counters: null,
      },
      { ...askOf(options), ...(onMeterError !== undefined && { onMeterError }) },
    );
  }

  async bill(choice: BillChoice, options: BillOptions = {}): Promise<BalancePayload> {
    const { monitor = null, meters = {}, onMeterError, onProgress } = options;
    if (this.balances === null) throw new CemmError('UNSUPPORTED', { reason: 'balance' });
    const { batteriesKwh: batteries, ...asked } = choice;
    const names = { from: 'from', to: 'to', prices: 'prices', batteries: 'batteriesKwh' };
    const frame = { timezone: this.timezone, now: millis(this.now()), names };
    return this.balances.bill(
      {
        monitor,
        meters: houseOf(meters),
        period: billPeriod(asked, frame),
        prices: billPrices(asked, frame),
        batteriesKwh: billBatteries({ batteries }, frame),
        counters: null,
      },
      {
        ...askOf(options),
        ...(onMeterError !== undefined && { onMeterError }),
        ...(onProgress !== undefined && { onProgress }),
      },
    );
  }

  watch(
    meter: string | null,
    options: WatchOptions,
    onReading: (reading: RealtimePayload) => void,
    onProblem: (error: CemmError) => void,
  ): () => void {
    const { every = defaultIntervalMs[this.transport], signal, onAvailability } = options;
    if (signal?.aborted) return () => undefined;
    const end = this.connection.watchRealtime(target(meter, options), every, {
      onReading: (reading) => {
        runCallback(() => {
          onReading(reading);
        });
      },
      onAvailability: (availability) => {
        runCallback(() => onAvailability?.(availability));
      },
      onError: (error) => {
        runCallback(() => {
          onProblem(error);
        });
      },
    });
    const stop = (): void => {
      signal?.removeEventListener('abort', stop);
      end();
    };
    signal?.addEventListener('abort', stop);
    return stop;
  }

  private period(choice: PeriodChoice): Period {
    const [unit, date] = unitAndDate(choice);
    try {
      const now = millis(this.now());
      if (date === 'current' || date === 'previous') return namedPeriod(date, unit, this.timezone, now);
      return periodContaining(unit, this.timezone, parseDate(date, this.timezone));
    } catch (error) {
      if (!(error instanceof CalendarError)) throw error;
      throw new CemmError('INPUT', { reason: error.reason, params: { field: unit } });
    }
  }
}

export class Cemm3Connection implements Cemm3 {
  readonly transport = 'public';

  constructor(
    private readonly connection: MonitorConnection,
    readonly close: () => Promise<void>,
  ) {}

  get timezone(): string {
    return this.connection.timezone;
  }

  monitors(options: RequestOptions = {}): Promise<MonitorInfo[]> {
    return this.connection.monitors(askOf(options));
  }

  meters(options: MonitorOptions = {}): Promise<MeterInfo[]> {
    return this.connection.meters(options.monitor ?? null, askOf(options));
  }

  series(channel: string, choice: RecentChoice, options: MeterOptions = {}): Promise<SeriesPayload> {
    const { resolution = 'day', count, include = '', meter = null } = choice;
    const { monitor, role } = target(null, options);
    return this.connection.readTimeseries(
      { monitor, role, meter, channel, resolution, count, include },
      askOf(options),
    );
  }
}

function askOf({ signal = new AbortController().signal, deadlineMs, patience }: RequestOptions): ReadOptions {
  return { signal, ...(deadlineMs !== undefined && { deadlineMs }), ...(patience !== undefined && { patience }) };
}

function target<Alias extends string | null>(
  alias: Alias,
  { monitor, role = 'auto' }: Pick<MeterOptions, 'monitor' | 'role'>,
): { readonly monitor: string | null; readonly alias: Alias; readonly role: Role | 'auto' } {
  return { monitor: monitor ?? null, alias, role };
}

/** Null: the caller chooses. */
const stepsOf: Readonly<Record<PeriodUnit, BalanceStep | null>> = { day: null, month: 'P1D', year: 'P1M' };

/** @throws {CemmError} INPUT `meters` and `battery_s0` */
function houseOf(meters: HouseMeters): MeterChoice {
  const { grid, production, battery, gas, water } = meters;
  return choiceOf({ grid, production, battery, gas, water }, isAlias);
}

function unitAndDate(choice: PeriodChoice): [PeriodUnit, DateChoice] {
  if ('day' in choice) return ['day', choice.day];
  if ('month' in choice) return ['month', choice.month];
  if ('year' in choice) return ['year', isYear(choice.year) ? String(choice.year) : choice.year];
  throw new CemmError('INPUT', { reason: 'no_period' });
}

/** True for a number of four digits; epoch seconds have ten. */
function isYear(value: DateChoice): boolean {
  return typeof value === 'number' && value < 10_000;
}
