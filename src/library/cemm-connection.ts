/** Implements the objects of `connect()` on a connection: reads dates and fills in defaults. */
import type { HouseBalances } from '../balance/balances';
import { billBatteries, billContracts, billPeriod, billPrices } from '../balance/bill/bill-question';
import { choiceOf, type MeterChoice } from '../balance/meters/choice';
import { parsePrices } from '../balance/prices/prices';
import type { Period } from '../calendar/periods';
import { type PeriodUnit, periodUnits, seriesUnits } from '../calendar/units';
import { guarded } from './callback';
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
  NowChoice,
  PeriodChoice,
  RangeChoice,
  RecentChoice,
  RequestOptions,
  WatchOptions,
  WeekChoice,
} from './cemm';
import { CemmError } from '../errors';
import { isAlias } from '../checks/limits';
import type { ReadOptions, ReadRealtimeOptions, MonitorConnection } from '../connection/connection';
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
} from '../model/payload';
import { type DateFrame, readPeriod, readPeriodOrNow, readRange } from './period-choice';
import { millis } from '../time/units';
import {
  checkBalance,
  checkBill,
  checkMeter,
  checkMeterOrAll,
  checkRecent,
  checkRequest,
  checkWatch,
} from './request-options';

const defaultIntervalMs = { remote: 60_000, local: 10_000, demo: 10_000 } as const;

/** The part that both kinds of connections have. */
class MonitorLists {
  constructor(
    protected readonly connection: MonitorConnection,
    readonly close: () => Promise<void>,
  ) {}

  get timezone(): string {
    return this.connection.timezone;
  }

  async monitors(options: RequestOptions = {}): Promise<MonitorInfo[]> {
    checkRequest(options, 'request');
    const { monitors } = await this.connection.listMonitors(askOf(options));
    return monitors.map((monitor) => ({ ...monitor }));
  }

  async meters(options: MonitorOptions = {}): Promise<MeterInfo[]> {
    checkRequest(options, 'ofMonitor');
    const { meters } = await this.connection.listMeters(options.monitor ?? null, askOf(options));
    return [...meters];
  }
}

export class CemmConnection extends MonitorLists implements Cemm {
  /** @param now current time in epoch ms; for tests */
  constructor(
    connection: MonitorConnection,
    private readonly balances: HouseBalances,
    readonly transport: Cemm['transport'],
    close: () => Promise<void>,
    private readonly now: () => number = Date.now,
  ) {
    super(connection, close);
  }

  realtime(meter: string, options?: MeterOptions): Promise<RealtimePayload>;
  realtime(options?: AllMetersOptions): Promise<RealtimePayload[]>;
  async realtime(
    meter?: string | AllMetersOptions,
    options: MeterOptions = {},
  ): Promise<RealtimePayload | RealtimePayload[]> {
    checkMeterOrAll(meter, options);
    if (typeof meter !== 'string') return this.realtimeOfAll(meter);
    const [reading] = await this.connection.readRealtime(target(meter, options), askOf(options));
    if (reading === undefined) throw new CemmError('ALIAS', { alias: meter });
    return reading;
  }

  private realtimeOfAll(options: AllMetersOptions = {}): Promise<RealtimePayload[]> {
    return this.connection.readRealtime(target(null, options), askAll(options));
  }

  async series(meter: string, period: PeriodChoice, options: MeterOptions = {}): Promise<PeriodSeriesPayload> {
    checkMeter(meter, options);
    return this.connection.readSeries(
      target(meter, options),
      readPeriod(period, this.frame, seriesUnits),
      askOf(options),
    );
  }

  async *seriesRange(
    meter: string,
    range: RangeChoice,
    options: MeterOptions = {},
  ): AsyncGenerator<PeriodSeriesPayload, void> {
    checkMeter(meter, options);
    for (const period of readRange(range, this.frame, seriesUnits)) {
      yield await this.connection.readSeries(target(meter, options), period, { ...askOf(options), isBulk: true });
    }
  }

  async totals(meter: string, day: { readonly day: DateChoice }, options: MeterOptions = {}): Promise<TotalsPayload> {
    checkMeter(meter, options);
    return this.connection.readTotals(target(meter, options), readPeriod(day, this.frame, ['day']), askOf(options));
  }

  async balance(choice: PeriodChoice | WeekChoice | NowChoice, options: BalanceOptions = {}): Promise<BalancePayload> {
    checkBalance(options);
    const period = readPeriodOrNow(choice, this.frame);
    return period === 'now' ? this.balanceNow(options) : this.balanceOf(period, askAll(options), options);
  }

  async *balanceRange(
    range: RangeChoice<PeriodUnit>,
    options: BalanceOptions = {},
  ): AsyncGenerator<BalancePayload, void> {
    checkBalance(options);
    const ask = { ...askAll(options), isBulk: true };
    for (const period of readRange(range, this.frame, periodUnits)) yield await this.balanceOf(period, ask, options);
  }

  private balanceNow(options: BalanceOptions): Promise<BalancePayload> {
    const { monitor = null, meters = {} } = options;
    return this.balances.readNow(
      { monitor, meters: chooseHouseMeters(meters), intervalMs: defaultIntervalMs[this.transport] },
      askAll(options),
    );
  }

  private balanceOf(period: Period, ask: ReadRealtimeOptions, options: BalanceOptions): Promise<BalancePayload> {
    const { monitor = null, meters = {}, step = 'PT1H', prices, peak = false, onProgress } = options;
    return this.balances.read(
      {
        monitor,
        meters: chooseHouseMeters(meters),
        period,
        step: stepsOf[period.unit] ?? step,
        prices: prices === undefined ? null : parsePrices(prices, this.timezone),
        wantsPeak: peak,
        counters: null,
      },
      { ...ask, ...(onProgress !== undefined && { onPart: onProgress }) },
    );
  }

  async bill(choice: BillChoice, options: BillOptions = {}): Promise<BalancePayload> {
    checkBill(choice, options);
    const { monitor = null, meters = {}, onProgress } = options;
    const { batteriesKwh: batteries, ...asked } = choice;
    const names = { from: 'from', to: 'to', prices: 'prices', contracts: 'contracts', batteries: 'batteriesKwh' };
    const frame = { timezone: this.timezone, now: millis(this.now()), names };
    const contracts = await billContracts(asked, frame);
    return this.balances.bill(
      {
        monitor,
        meters: chooseHouseMeters(meters),
        period: billPeriod(asked, frame),
        hasDates: asked.from !== undefined || asked.to !== undefined,
        ...(contracts === null ? { prices: billPrices(asked, frame) } : { contracts }),
        batteriesKwh: billBatteries({ batteries }, frame),
        counters: null,
      },
      { ...askAll(options), ...(onProgress !== undefined && { onProgress }) },
    );
  }

  watch(
    meter: string | null,
    options: WatchOptions,
    onReading: (reading: RealtimePayload) => void,
    onProblem: (error: CemmError) => void,
  ): () => void {
    checkWatch(meter, options, onReading, onProblem);
    const { every = defaultIntervalMs[this.transport], signal, onAvailability } = options;
    if (signal?.aborted) return () => undefined;
    const end = this.connection.watchRealtime(target(meter, options), every, {
      onReading: guarded(onReading),
      onAvailability: guarded(onAvailability),
      onError: guarded(onProblem),
    });
    const stop = (): void => {
      signal?.removeEventListener('abort', stop);
      end();
    };
    signal?.addEventListener('abort', stop);
    return stop;
  }

  private get frame(): DateFrame {
    return { timezone: this.timezone, now: millis(this.now()) };
  }
}

export class Cemm3Connection extends MonitorLists implements Cemm3 {
  readonly transport = 'public';

  async series(channel: string, choice: RecentChoice, options: MeterOptions = {}): Promise<SeriesPayload> {
    checkRecent(channel, choice, options);
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

function askAll({
  onMeterError,
  ...options
}: RequestOptions & Pick<AllMetersOptions, 'onMeterError'>): ReadRealtimeOptions {
  return { ...askOf(options), ...(onMeterError !== undefined && { onMeterError }) };
}

function target<Alias extends string | null>(
  alias: Alias,
  { monitor, role = 'auto' }: Pick<MeterOptions, 'monitor' | 'role'>,
): { readonly monitor: string | null; readonly alias: Alias; readonly role: Role | 'auto' } {
  return { monitor: monitor ?? null, alias, role };
}

/** Null: the caller chooses. */
const stepsOf: Readonly<Record<PeriodUnit, BalanceStep | null>> = {
  day: null,
  week: 'P1D',
  month: 'P1D',
  year: 'P1M',
};

/** @throws {CemmError} INPUT `meters` and `battery_s0` */
function chooseHouseMeters(meters: HouseMeters): MeterChoice {
  return choiceOf((role) => meters[role], isAlias);
}
