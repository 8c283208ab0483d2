/** A connection to a CEMM 3.0: its meters and time series. Everything else is UNSUPPORTED. */
import { CemmError, toCemmError } from '../errors';
import type { PublicMeter, PublicMonitor, SeriesUnit } from '../protocol/responses';
import type {
  ReadOptions,
  ChannelTarget,
  MonitorConnection,
  MeterList,
  MonitorList,
  RealtimeListener,
  RealtimeTarget,
} from './connection';
import type { KnownMonitor } from '../model/identity';
import { isTimezone } from '../calendar/zone';
import type { ClientResponse, IdentifiedMonitor, PublicClient } from '../clients/client';
import { type Clock, systemClock } from '../time/clock';
import type { PeriodSeriesPayload, RealtimePayload, SeriesPayload, SourceInfo, TotalsPayload } from '../model/payload';
import {
  describePublicMeter,
  describePublicMeterInFull,
  describePublicMonitor,
  describePublicMonitorInFull,
} from '../model/public-meters';
import { normalizePublicSeries } from '../model/public-series';
import { type MeterTable, type MonitorRows, noTable, roleByNode } from '../model/meter-table';
import { type MonitorId, toMonitorId } from '../protocol/mac';
import { type Deadline, startDeadline } from './deadline';
import { type ChosenChannel, chooseChannel } from './chosen-channel';
import { keptPublicHouse, type PublicHouses } from './kept-public-house';
import { RequestCoordinator } from './request-coordinator';
import { chooseMonitor } from './choices';
import type { PastDays } from '../store/past-days';
import { checkedInterval } from '../time/interval-timer';
import { unsupported } from './requests';
import { otherShard, type Shard } from './shard';

interface DaysTarget extends Pick<ChannelTarget, 'channel' | 'count'> {
  readonly monitor: MonitorId;
  readonly meter: string;
}

export interface PublicConnectionOptions {
  readonly client: PublicClient;
  /** IANA zone of the installation; null: that of the monitor. */
  readonly timezone: string | null;
  /** Default timeout of one operation, in ms. */
  readonly deadlineMs: number;
  /** The monitors that this process polls, of several processes that share them; default all. */
  readonly shard?: Shard | null;
  readonly clock?: Clock;
  /** 0 ≤ x < 1. */
  readonly random?: () => number;
  /** Address of the monitor, for the payloads. */
  readonly host?: string;
  /** The meters of the house; default: they are as the monitor describes them. */
  readonly meters?: MeterTable;
  /** Keeps the list of meters; default: it is not kept. */
  readonly past?: PastDays;
  /** Names what the connection leads to; its list of meters is kept by it. */
  readonly owner?: string;
}

/** Used until the monitor sends its zone, and when it sends none. */
const defaultTimezone = 'Europe/Amsterdam';
/** Age up to which a list counts as fresh for a user, so that a double click sends one request. */
const freshListMs = 10_000;

/** It also reads the days of its channels, for balances. */
export function createPublicConnection(options: PublicConnectionOptions): PublicConnection {
  return new PublicConnection(options);
}

export class PublicConnection implements MonitorConnection {
  readonly transport = 'public';
  private readonly clock: Clock;
  private readonly coordinator: RequestCoordinator;
  private readonly kept: PublicHouses | null;
  private monitorTimezone: string | null = null;

  constructor(private readonly options: PublicConnectionOptions) {
    const { client, deadlineMs, clock = systemClock, random = Math.random, host, past, owner } = options;
    this.clock = clock;
    this.coordinator = new RequestCoordinator({ client, clock, random, deadlineMs, host });
    this.kept = past === undefined || owner === undefined ? null : keptPublicHouse(past, owner);
  }

  get timezone(): string {
    return this.options.timezone ?? this.monitorTimezone ?? defaultTimezone;
  }

  async monitor(wanted: string | null, ask: ReadOptions): Promise<KnownMonitor> {
    return this.choose((await this.identity(this.deadline(ask))).value, wanted);
  }

  async listMonitors(ask: ReadOptions): Promise<MonitorList> {
    const answer = await this.identity(this.deadline(ask), freshListMs);
    const monitors = answer.value.map((monitor) => describePublicMonitorInFull(monitor, this.options.host));
    return { monitors, source: this.source(answer) };
  }

  async listMeters(wanted: string | null, ask: ReadOptions): Promise<MeterList> {
    const deadline = this.deadline(ask);
    const identity = await this.identity(deadline);
    const monitor = this.choose(identity.value, wanted);
    const answer = await this.catalogue(monitor.id, deadline, freshListMs);
    await this.keepList(identity.value, answer.value);
    const rows = this.meterRows(monitor);
    const own = answer.value.map(describePublicMeterInFull);
    const meters = own.filter(({ key = '' }) => !rows.isLeftOut(key)).map((meter) => rows.describe(meter));
    return { monitor, meters, own, source: this.source(answer) };
  }

  async lastListed(): Promise<Pick<MeterList, 'monitor' | 'own'> | null> {
    const house = await this.kept?.read();
    if (house === null || house === undefined) return null;
    this.keepTimezone(house.monitor);
    const monitor = describePublicMonitor(house.monitor, this.options.host);
    return { monitor, own: house.meters.map(describePublicMeterInFull) };
  }

  /** The meters of the house with their channels, for its balance. While the monitor is away, those that were listed last. */
  async knownMeters(wanted: string | null, ask: ReadOptions) {
    try {
      const deadline = this.deadline(ask);
      const identity = await this.identity(deadline);
      const monitor = this.choose(identity.value, wanted);
      const { value: own } = await this.catalogue(monitor.id, deadline, freshListMs);
      await this.keepList(identity.value, own);
      return this.describeHouse(monitor, own, null);
    } catch (thrown) {
      const away = toCemmError(thrown);
      const house = away.retryable ? await this.kept?.read() : undefined;
      if (house === null || house === undefined) throw away;
      this.keepTimezone(house.monitor);
      return this.describeHouse(this.choose([house.monitor], wanted), house.meters, away);
    }
  }

  private async keepList([monitor]: readonly PublicMonitor[], meters: readonly PublicMeter[]): Promise<void> {
    if (monitor !== undefined) await this.kept?.keep({ monitor, meters });
  }

  /** That of an answer is newer. */
  private keepTimezone({ timezone }: PublicMonitor): void {
    if (isTimezone(timezone)) this.monitorTimezone ??= timezone;
  }

  /** @param away the failure, if the monitor does not answer */
  private describeHouse(monitor: KnownMonitor, own: readonly PublicMeter[], away: CemmError | null) {
    const rows = this.meterRows(monitor);
    const meters = own
      .filter(({ key }) => !rows.isLeftOut(key))
      .map((meter) => rows.describe(describePublicMeterInFull(meter)));
    return { monitor, meters, rows, unanswered: null, away };
  }

  /** The most recent days of a channel as the monitor sends them. */
  async readDays(target: DaysTarget, ask: ReadOptions) {
    const deadline = this.deadline(ask);
    const { monitor, count } = target;
    const { name } = await this.channel(monitor, target, deadline);
    const answer = await this.coordinator.request(
      { kind: 'timeseries', monitor, channel: name, resolution: 'day', count, include: '' },
      deadline(),
    );
    return { samples: answer.value, source: this.source(answer) };
  }

  async readTimeseries(target: ChannelTarget, ask: ReadOptions): Promise<SeriesPayload> {
    const deadline = this.deadline(ask);
    const monitor = this.choose((await this.identity(deadline)).value, target.monitor);
    const { meter, channel, name } = await this.channel(monitor.id, target, deadline);
    const { resolution, count, include, role } = target;
    const answer = await this.coordinator.request(
      { kind: 'timeseries', monitor: monitor.id, channel: name, resolution, count, include },
      deadline(),
    );
    return normalizePublicSeries({
      samples: answer.value,
      channel,
      resolution,
      count,
      timezone: this.timezone,
      now: this.clock.now(),
      monitor,
      meter: roleByNode(role, this.meterRows(monitor).describe(describePublicMeter(meter))),
      source: this.source(answer),
    });
  }

  async otherShard(wanted: string | null, ask: ReadOptions): Promise<string | null> {
    const { shard = null } = this.options;
    if (shard === null) return null;
    const id = wanted === null ? null : toMonitorId(wanted);
    return otherShard(shard, id ?? (await this.monitor(wanted, ask)).id);
  }

  readRealtime(): Promise<RealtimePayload[]> {
    return Promise.reject(unsupported('only_series', 'realtime'));
  }

  readSeries(_target: unknown, { unit }: { readonly unit: SeriesUnit }): Promise<PeriodSeriesPayload> {
    return Promise.reject(unsupported('only_series', unit));
  }

  readTotals(): Promise<TotalsPayload> {
    return Promise.reject(unsupported('only_series', 'totals'));
  }

  /** Reports once that the API has no realtime values. */
  watchRealtime(_target: RealtimeTarget, intervalMs: number, listener: RealtimeListener): () => void {
    checkedInterval(intervalMs);
    const cancel = this.clock.after(0, () => {
      listener.onError(unsupported('only_series', 'realtime'));
    });
    return cancel;
  }

  close(): Promise<void> {
    return this.coordinator.close();
  }

  private deadline(ask: ReadOptions): Deadline {
    return startDeadline(ask, this.options.deadlineMs, this.clock);
  }

  private async identity(deadline: Deadline, maxAgeMs?: number): Promise<ClientResponse<readonly IdentifiedMonitor[]>> {
    const answer = await this.coordinator.request({ kind: 'identity' }, aged(deadline, maxAgeMs));
    const zone = answer.value[0]?.timezone;
    if (isTimezone(zone)) this.monitorTimezone = zone;
    return answer;
  }

  /** A CEMM 3.0 is the only monitor of its connection. */
  private meterRows({ id, cemm }: KnownMonitor): MonitorRows {
    return (this.options.meters ?? noTable).rowsOf({ id, ...(cemm !== undefined && { cemm }) }, true);
  }

  private catalogue(monitor: MonitorId, deadline: Deadline, maxAgeMs?: number) {
    return this.coordinator.request({ kind: 'catalogue', monitor }, aged(deadline, maxAgeMs));
  }

  private choose(monitors: readonly PublicMonitor[], wanted: string | null): KnownMonitor {
    const known = monitors.map((monitor) => describePublicMonitor(monitor, this.options.host));
    return chooseMonitor(known, wanted);
  }

  /** Finds a channel. Requests the list again when the cached one lacks the channel. */
  private async channel(
    monitor: MonitorId,
    target: Pick<ChannelTarget, 'meter' | 'channel'>,
    deadline: Deadline,
  ): Promise<ChosenChannel> {
    try {
      return chooseChannel((await this.catalogue(monitor, deadline)).value, target);
    } catch (error) {
      if (!(error instanceof CemmError) || error.reason !== 'no_channel') throw error;
      return chooseChannel((await this.catalogue(monitor, deadline, freshListMs)).value, target);
    }
  }

  private source({ fetchedAt, latencyMs, requests, promises }: ClientResponse<unknown>): SourceInfo {
    return { transport: 'public', fetchedAt, latencyMs, requests, promises };
  }
}

function aged(deadline: Deadline, maxAgeMs: number | undefined) {
  return maxAgeMs === undefined ? deadline() : { ...deadline(), maxAgeMs };
}
