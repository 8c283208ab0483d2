/** A connection to the remote or the Local Open API. */
import type { ClientResponse, MonitorClient } from '../clients/client';
import { CemmError, toCemmError } from '../errors';
import { OpenApiBalances } from './balances';
import { type Clock, systemClock } from '../clock';
import type {
  ReadOptions,
  ReadRealtimeOptions,
  MonitorConnection,
  KnownMonitor,
  MeterList,
  MeterTarget,
  MonitorList,
  RealtimeListener,
  RealtimeTarget,
} from './connection';
import { type Period, requestTime } from '../calendar/periods';
import { channelsOffered, normalizeRealtime, readingsOfNow } from '../model/realtime';
import type {
  MeterInfo,
  MonitorInfo,
  PeriodSeriesPayload,
  RealtimePayload,
  SeriesPayload,
  SourceInfo,
  TotalsPayload,
} from '../model/payload';
import { normalizeSeries } from '../model/series';
import { normalizeTotals } from '../model/totals';
import type { RealtimeResponse, SeriesResponse, TotalsResponse } from '../protocol/responses';
import { toMonitorId } from '../protocol/mac';
import type { Seconds } from '../protocol/time';
import { RequestCoordinator } from './request-coordinator';
import { Relocation, type RelocationParts } from './relocation';
import { type Deadline, startDeadline } from './deadline';
import { Inventory, TariffHistory, withRole } from './inventory';
import { LocalPeriodRequests } from './period-request';
import { checkedInterval } from './poller';
import { unsupported } from './requests';
import { noMeters, RealtimeWatch } from './realtime-watch';
import { otherShard, type Shard } from './shard';

export interface OpenApiConnectionOptions {
  readonly client: MonitorClient;
  /** IANA zone of the installation. */
  readonly timezone: string;
  readonly transport: 'remote' | 'local' | 'demo';
  /** Default timeout of one operation, in ms. */
  readonly deadlineMs: number;
  /** The monitors that this process polls, of several processes that share them; default all. */
  readonly shard?: Shard | null;
  readonly clock?: Clock;
  /** 0 ≤ x < 1. */
  readonly random?: () => number;
  /** Position of a poll in its interval, 0 ≤ x < 1; default: from a hash of the host and the request. */
  readonly place?: (asked: string) => number;
  /** Address of a local monitor, for the payloads. */
  readonly host?: string;
  /** How to find a local monitor that has moved; without it the connection keeps its address. */
  readonly relocation?: Pick<RelocationParts, 'identity' | 'find' | 'moveTo'>;
}

/** Age up to which a list counts as fresh for a user, so that a double click sends one request. */
const freshListMs = 10_000;

export function createOpenApiConnection(options: OpenApiConnectionOptions): MonitorConnection {
  return new OpenApiConnection(options);
}

class OpenApiConnection implements MonitorConnection {
  readonly timezone: string;
  readonly transport: 'remote' | 'local' | 'demo';
  readonly balances: OpenApiBalances;
  private readonly client: MonitorClient;
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly deadlineMs: number;
  private readonly shard: Shard | null;
  private readonly following: Relocation | null;
  /** Address of a local monitor. */
  private host: string | undefined;
  private readonly coordinator: RequestCoordinator;
  private readonly inventory: Inventory;
  private readonly localPeriods = new LocalPeriodRequests();
  private readonly tariffs = new TariffHistory();
  private readonly watches = new Set<RealtimeWatch>();

  constructor(options: OpenApiConnectionOptions) {
    const { client, timezone, transport, deadlineMs, clock = systemClock, random = Math.random, host } = options;
    this.timezone = timezone;
    this.transport = transport;
    this.client = client;
    this.clock = clock;
    this.random = random;
    this.deadlineMs = deadlineMs;
    this.shard = options.shard ?? null;
    this.host = host;
    this.following = options.relocation === undefined ? null : this.follow(options.relocation);
    this.coordinator = new RequestCoordinator({
      client,
      clock,
      random,
      host,
      place: options.place,
      deadlineMs,
      onOutcome: (error) => {
        if (error === null) this.following?.answered();
        else this.following?.failed(error);
      },
    });
    this.inventory = new Inventory(this.coordinator, () => this.host);
    this.balances = new OpenApiBalances({
      connection: this,
      hasTotals: client.transport === 'remote',
      clock,
      list: async (wanted, ask) => {
        const deadline = this.deadline(ask);
        const monitor = await this.inventory.monitor(wanted, deadline);
        return { monitor, ...(await this.inventory.meters(monitor.id, deadline)) };
      },
    });
  }

  monitors(ask: ReadOptions): Promise<KnownMonitor[]> {
    return this.inventory.monitors(this.deadline(ask), freshListMs);
  }

  monitor(wanted: string | null, ask: ReadOptions): Promise<KnownMonitor> {
    return this.inventory.monitor(wanted, this.deadline(ask));
  }

  async meters(wanted: string | null, ask: ReadOptions): Promise<MeterInfo[]> {
    const { meters } = await this.listMeters(wanted, ask);
    return [...meters];
  }

  async listMonitors(ask: ReadOptions): Promise<MonitorList> {
    const answer = await this.coordinator.request(
      { kind: 'monitors' },
      { ...this.deadline(ask)(), maxAgeMs: freshListMs },
    );
    return { monitors: answer.value.map((record) => this.inventory.describe(record)), source: this.source(answer) };
  }

  async listMeters(wanted: string | null, ask: ReadOptions): Promise<MeterList> {
    const deadline = this.deadline(ask);
    const monitor = await this.inventory.monitor(wanted, deadline);
    const continueSearch = this.client.transport === 'local' && ask.patience !== 'poll';
    const answer = await this.coordinator.request(
      { kind: 'meters', monitor: monitor.id, continueSearch },
      { ...deadline(), maxAgeMs: freshListMs },
    );
    const { meters } = await this.inventory.withAliases(monitor.id, answer.value, deadline);
    return { monitor, meters: meters.map((meter) => ({ ...meter })), source: this.source(answer) };
  }

  async otherShard(wanted: string | null, ask: ReadOptions): Promise<string | null> {
    const { shard } = this;
    if (shard === null) return null;
    const id = wanted === null ? null : toMonitorId(wanted);
    return otherShard(shard, id ?? (await this.inventory.monitor(wanted, this.deadline(ask))).id);
  }

  async readRealtime(target: RealtimeTarget, ask: ReadRealtimeOptions): Promise<RealtimePayload[]> {
    const deadline = this.deadline(ask);
    const monitor = await this.inventory.monitor(target.monitor, deadline);
    const { alias, role } = target;
    if (alias !== null) {
      const meter = await this.inventory.meter(monitor.id, { alias, role }, deadline);
      return [await this.readOne(monitor, meter, alias, deadline)];
    }
    const { meters, unanswered } = await this.inventory.meters(monitor.id, deadline);
    if (unanswered !== null && !meters.some(hasAlias)) throw unanswered.copy();
    return this.readAll(
      monitor,
      meters.map((meter) => withRole(meter, role)),
      deadline,
      ask.onMeterError,
    );
  }

  async readSeries(target: MeterTarget, period: Period, ask: ReadOptions): Promise<PeriodSeriesPayload> {
    const deadline = this.deadline(ask);
    const { monitor, meter } = await this.find(target, deadline);
    const { alias } = target;
    const { unit } = period;
    const send = (time: Seconds): Promise<ClientResponse<SeriesResponse>> =>
      this.coordinator.request({ kind: 'series', monitor: monitor.id, alias, unit, time }, deadline());
    const answer =
      this.client.transport === 'remote'
        ? await send(requestTime(period))
        : await this.localPeriods.read(monitor.id, period, send);
    const now = this.clock.now();
    this.tariffs.answered(monitor, meter, answer.value.channels.keys());
    const isSingleCounter = this.tariffs.isSingleCounter(monitor, meter);
    const source = this.source(answer);
    return normalizeSeries({ response: answer.value, period, now, monitor, meter, source, isSingleCounter });
  }

  async readTotals(target: MeterTarget, period: Period, ask: ReadOptions): Promise<TotalsPayload> {
    const deadline = this.deadline(ask);
    if (period.unit !== 'day') throw new CemmError('INPUT', { reason: 'not_a_day' });
    if (this.clock.now() < period.start) throw notBegun(period);
    const { monitor, meter } = await this.find(target, deadline);
    const answer = await this.totals(monitor, meter, target.alias, period, deadline);
    const now = this.clock.now();
    const isSingleCounter = this.tariffs.isSingleCounter(monitor, meter);
    const source = this.source(answer);
    return normalizeTotals({ response: answer.value, period, now, monitor, meter, source, isSingleCounter });
  }

  readTimeseries(): Promise<SeriesPayload> {
    return Promise.reject(unsupported('not_public', 'timeseries'));
  }

  watchRealtime(target: RealtimeTarget, intervalMs: number, listener: RealtimeListener): () => void {
    const { clock, coordinator, deadlineMs, inventory, random, shard, transport } = this;
    const toPayload = this.realtimePayload.bind(this);
    const host = (): string | undefined => this.host;
    const parts = { clock, coordinator, deadlineMs, host, inventory, random, shard, transport, toPayload };
    const watch = new RealtimeWatch(parts, target, checkedInterval(intervalMs), listener);
    this.watches.add(watch);
    watch.start();
    return () => {
      this.watches.delete(watch);
      watch.stop();
    };
  }

  async close(): Promise<void> {
    this.following?.close();
    this.balances.close();
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
    await this.coordinator.close();
  }

  private follow({ moveTo, ...parts }: Pick<RelocationParts, 'identity' | 'find' | 'moveTo'>): Relocation {
    return new Relocation({
      ...parts,
      clock: this.clock,
      random: this.random,
      moveTo: (host) => {
        if (host !== this.host) moveTo(host);
        this.host = host;
        this.coordinator.retryAll();
      },
    });
  }

  private deadline(ask: ReadOptions): Deadline {
    return startDeadline(ask, this.deadlineMs, this.clock);
  }

  private async find(target: MeterTarget, deadline: Deadline): Promise<{ monitor: KnownMonitor; meter: MeterInfo }> {
    const monitor = await this.inventory.monitor(target.monitor, deadline);
    return { monitor, meter: await this.inventory.meter(monitor.id, target, deadline) };
  }

  private async readOne(
    monitor: KnownMonitor,
    meter: MeterInfo,
    alias: string,
    deadline: Deadline,
  ): Promise<RealtimePayload> {
    const answer = await this.coordinator.request({ kind: 'realtime', monitor: monitor.id, alias }, deadline());
    return this.realtimePayload(answer, monitor, meter);
  }

  /** Reads all meters; rejects only when none can be read. */
  private async readAll(
    monitor: KnownMonitor,
    meters: readonly MeterInfo[],
    deadline: Deadline,
    onMeterError: ReadRealtimeOptions['onMeterError'],
  ): Promise<RealtimePayload[]> {
    const readings = meters.flatMap((meter) =>
      meter.alias === undefined ? [] : [this.readOne(monitor, meter, meter.alias, deadline)],
    );
    if (readings.length === 0) throw noMeters();
    const settled = await Promise.allSettled(readings);
    const good = settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const [first, ...others] = settled.flatMap((result) =>
      result.status === 'rejected' ? [toCemmError(result.reason)] : [],
    );
    if (first === undefined) return good;
    if (good.length === 0) throw first;
    for (const error of [first, ...others]) onMeterError?.(error);
    return good;
  }

  /** A device has no endpoint for totals: the current readings are those of the running day, and older ones are not available. */
  private async totals(
    monitor: KnownMonitor,
    meter: MeterInfo,
    alias: string,
    period: Period,
    deadline: Deadline,
  ): Promise<ClientResponse<TotalsResponse>> {
    if (this.client.transport === 'remote') {
      const time = requestTime(period);
      const answer = await this.coordinator.request({ kind: 'totals', monitor: monitor.id, alias, time }, deadline());
      this.tariffs.answered(monitor, meter, answer.value.data.keys());
      return answer;
    }
    if (this.clock.now() >= period.end) {
      throw new CemmError('UNSUPPORTED', { endpoint: 'totals', alias, reason: 'current_day_only' });
    }
    const answer = await this.coordinator.request({ kind: 'realtime', monitor: monitor.id, alias }, deadline());
    this.tariffs.answered(monitor, meter, channelsOffered(answer.value));
    return { ...answer, value: readingsOfNow(answer.value) };
  }

  private realtimePayload(
    answer: ClientResponse<RealtimeResponse>,
    monitor: MonitorInfo,
    meter: MeterInfo,
  ): RealtimePayload {
    // The watch keeps the monitor; its address may have changed.
    const here = this.host === undefined ? monitor : { ...monitor, host: this.host };
    this.tariffs.answered(monitor, meter, channelsOffered(answer.value));
    const isSingleCounter = this.tariffs.isSingleCounter(monitor, meter);
    const source = this.source(answer);
    return normalizeRealtime({ response: answer.value, monitor: here, meter, source, isSingleCounter });
  }

  private source({ fetchedAt, latencyMs, requests, promises }: ClientResponse<unknown>): SourceInfo {
    return { transport: this.transport, fetchedAt, latencyMs, requests, promises };
  }
}

function notBegun({ label }: Period): CemmError {
  return new CemmError('INPUT', { reason: 'not_begun', params: { field: 'date', date: label } });
}

function hasAlias({ alias }: MeterInfo): boolean {
  return alias !== undefined;
}
