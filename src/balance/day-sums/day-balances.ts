/**
 * The balances of a house behind the public API of a CEMM 3.0, which knows sums of days (https://wiki.cemm.nl/general/publicapi): of days,
 * weeks, months and years, without anything shorter.
 */
import { type DayRange, periodContaining } from '../../calendar/periods';
import { largest } from '../../checks/extremes';
import { CemmError, toCemmError } from '../../errors';
import { noRows } from '../../model/meter-table';
import type { BalancePayload, MonitorInfo, SourceInfo } from '../../model/payload';
import type { MonitorId } from '../../protocol/mac';
import { millis, minuteMs } from '../../time/units';
import type { HouseBalances, BillTarget } from '../balances';
import {
  type BalanceTarget,
  type KnownMeters,
  noMeters,
  type ReadBalanceOptions,
  type ReadOptions,
  withoutListeners,
} from '../house-reader';
import { balanceOfHouse, billOfHouse, type House } from '../messages/houses';
import { roleOfKept } from '../messages/delivered-role';
import { knownRange } from '../messages/known-days';
import type { MessagesState } from '../messages/state';
import { joinSources } from '../payload-parts';
import { finishedProgress } from '../requests/progress';
import type { PeriodBalanceTarget } from '../requests/period-reader';
import type { BalanceListener } from '../requests/now-reader';
import { listDayChannels } from './days-of-channel';
import { DaySeries, type DaySeriesParts, type DaySeriesReader } from './day-series';
import { stateOfDays, type MeterDays } from './state-of-days';

interface DayReader extends DaySeriesReader {
  /** `away`: the failure, where the monitor does not answer and its meters are those that were listed last. */
  knownMeters(monitor: string | null, ask: ReadOptions): Promise<KnownMeters & { readonly away?: CemmError | null }>;
}

interface DayBalancesParts extends DaySeriesParts {
  readonly reader: DayReader;
}

interface DayHouse extends House {
  readonly monitor: MonitorInfo & { readonly id: MonitorId };
  readonly rows: NonNullable<KnownMeters['rows']>;
  readonly source: SourceInfo;
  /** Channels that do not answer. */
  readonly failures: readonly CemmError[];
}

/** Age of the current day up to which it is not read again. */
const freshMs = 5 * minuteMs;
/** Added up messages do not wait for a monitor that is away. */
const laterMs = 15 * minuteMs;
const shortDeadlineMs = 5_000;

export class DayBalances implements HouseBalances {
  /** The sums of past days come from the monitor. */
  readonly hasReadingsOfThePast = true;
  /** The first answer has the past. */
  readonly readBackState = null;
  private readonly series: DaySeries;
  private readonly abort = new AbortController();
  private house: DayHouse | null = null;
  private reading: Promise<DayHouse> | null = null;
  private askedAt = -Infinity;

  constructor(private readonly parts: DayBalancesParts) {
    this.series = new DaySeries(parts);
  }

  /** @throws {CemmError} INPUT `no_meters`; UNSUPPORTED `day_series`; of the requests */
  async read(target: PeriodBalanceTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    const house = await this.houseOf(target, ask);
    const { period, meters } = target;
    const { source, rows } = house;
    const now = source.fetchedAt;
    const balance = balanceOfHouse(house, meters, { ...target, now, rows, source });
    if (period.unit === 'day') balance.missing = { ...balance.missing, points: 'not_by_hour' };
    return ask.onPart === undefined ? balance : { ...balance, progress: finishedProgress(period, now) };
  }

  async bill(target: BillTarget, ask: ReadBalanceOptions): Promise<BalancePayload> {
    const house = await this.houseOf(target, ask);
    const { source, rows } = house;
    const bill = await billOfHouse(house, target.meters, { ...target, now: source.fetchedAt, rows, source });
    return ask.onPart === undefined ? bill : { ...bill, progress: finishedProgress(target.period, source.fetchedAt) };
  }

  /** The days of a bill that are known; null where all of them may be. */
  async knownDays(target: BalanceTarget, period: DayRange, ask: ReadBalanceOptions): Promise<DayRange | null> {
    const { state, rows, source } = await this.houseOf(target, ask);
    return knownRange(state, roleOfKept(state, target.meters, rows), period, source.fetchedAt);
  }

  readNow(): Promise<BalancePayload> {
    return Promise.reject(noMoment());
  }

  /** Reports once that the API has no current values. */
  watch(_target: unknown, listener: Pick<BalanceListener, 'onError'>): () => void {
    return this.parts.clock.after(0, () => {
      listener.onError(noMoment());
    });
  }

  readBack(): void {
    return undefined;
  }

  keepCounters(): Promise<void> {
    return Promise.resolve();
  }

  /** The known days of a house, for its added up messages; null for another house. Waits only for the first answer, and never fails. */
  async daysOf({ id, cemm }: Pick<MonitorInfo, 'id' | 'cemm'>): Promise<MessagesState | null> {
    const { clock } = this.parts;
    if (this.reading === null && clock.monotonic() >= this.askedAt + laterMs) {
      this.refresh({ signal: this.abort.signal, deadlineMs: shortDeadlineMs, patience: 'poll' }).catch(() => undefined);
    }
    if (this.house === null) await this.reading?.catch(() => undefined);
    const { monitor, state } = this.house ?? {};
    const isSame = monitor !== undefined && (id === null ? cemm === monitor.cemm : id === monitor.id);
    return isSame && state !== undefined ? state : null;
  }

  close(): void {
    this.abort.abort();
  }

  private async houseOf({ monitor, meters }: BalanceTarget, ask: ReadBalanceOptions): Promise<DayHouse> {
    const house = await this.readCurrent(ask);
    if (ask.signal.aborted) throw new CemmError('CANCELLED', { reason: 'stopped' });
    // The connection has one monitor, and says so.
    if (monitor !== null) await this.parts.reader.knownMeters(monitor, ask);
    const roleOf = roleOfKept(house.state, meters, house.rows);
    if (!Object.keys(house.state.meters).some((name) => roleOf(name) !== null)) throw noMeters();
    const [failure] = house.failures;
    if (failure !== undefined) ask.onMeterError?.(failure.copy());
    return house;
  }

  /** The house as it was read last, if it is fresh or the monitor does not answer. */
  private async readCurrent(ask: ReadBalanceOptions): Promise<DayHouse> {
    const { clock, reader } = this.parts;
    const { house } = this;
    if (house !== null) {
      const age = clock.now() - house.source.fetchedAt;
      const isToday =
        periodContaining('day', reader.timezone, millis(house.source.fetchedAt)).start === this.series.today();
      if (age >= 0 && age < freshMs && isToday) return house;
    }
    try {
      return await this.refresh({ ...withoutListeners(ask), signal: this.abort.signal });
    } catch (thrown) {
      const error = toCemmError(thrown);
      if (house === null || !error.retryable) throw error;
      return { ...house, source: { ...house.source, kept: true, keptAt: house.source.fetchedAt } };
    }
  }

  private refresh(ask: ReadOptions): Promise<DayHouse> {
    this.askedAt = this.parts.clock.monotonic();
    this.reading ??= this.readHouse(ask).finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  private async readHouse(ask: ReadOptions): Promise<DayHouse> {
    const { reader, clock } = this.parts;
    const { monitor, meters, rows = noRows, away = null } = await reader.knownMeters(null, ask);
    const own: SourceInfo = { transport: 'public', fetchedAt: 0, latencyMs: 0, requests: 0, promises: 0 };
    const [sources, failures]: [SourceInfo[], CemmError[]] = [[own], []];
    const all: MeterDays[] = [];
    for (const meter of meters) {
      const channels: MeterDays['channels'][number][] = [];
      for (const channel of listDayChannels(meter)) {
        try {
          if (away === null) sources.push(await this.series.read(monitor.id, channel, ask));
        } catch (thrown) {
          const error = toCemmError(thrown);
          if (error.code === 'CANCELLED') throw error;
          failures.push(error);
        }
        channels.push({ field: channel.field, days: await this.series.readKnown(monitor.id, channel) });
      }
      all.push({ meter, channels });
    }
    const [failure] = failures;
    if (failure !== undefined && sources.length === 1) throw failure;
    const keptAt = away === null ? null : largest(all.flatMap(({ channels }) => channels.flatMap(listReadTimes)));
    // Nothing of it is kept.
    if (away !== null && keptAt === -Infinity) throw away;
    const now = keptAt ?? clock.now();
    const state = stateOfDays(all, { rows, today: this.series.today(), readAt: now });
    const source = {
      ...joinSources(sources, now),
      fetchedAt: now,
      ...(keptAt !== null && { kept: true, keptAt }),
    };
    if (away !== null) failures.push(away);
    this.house = { name: monitor.id, monitor, installation: undefined, state, rows, source, failures };
    return this.house;
  }
}

function listReadTimes({ days }: MeterDays['channels'][number]): number[] {
  return days.map(({ readAt }) => readAt);
}

function noMoment(): CemmError {
  return new CemmError('UNSUPPORTED', { reason: 'balance' });
}
