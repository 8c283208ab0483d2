/** A connection to the remote or the Local Open API. */
import type { MonitorClient } from '../clients/client';
import { CemmError } from '../errors';
import { type Clock, systemClock } from '../time/clock';
import type {
  ReadOptions,
  ReadRealtimeOptions,
  MonitorConnection,
  MeterList,
  MeterTarget,
  MonitorList,
  RealtimeListener,
  RealtimeTarget,
} from './connection';
import { notBegun } from '../model/calendar-errors';
import type { KnownMonitor } from '../model/identity';
import type { SeriesPeriod } from '../calendar/periods';
import type { MeterInfo, PeriodSeriesPayload, RealtimePayload, SeriesPayload, TotalsPayload } from '../model/payload';
import { type MeterTable, roleByNode } from '../model/meter-table';
import type { KeptSeriesPayload } from '../model/read-options';
import { type MonitorId, toMonitorId } from '../protocol/mac';
import type { PastDays } from '../store/past-days';
import { RequestCoordinator } from './request-coordinator';
import { Relocation, type RelocationParts } from './relocation';
import { type Deadline, startDeadline } from './deadline';
import { Inventory, type KnownMeters } from './inventory';
import { keptLists } from './kept-lists';
import { KeptAnswers } from './kept-series';
import { MeterReader } from './meter-reader';
import { checkedInterval } from '../time/interval-timer';
import { unsupported } from './requests';
import { RealtimeWatch } from './realtime-watch';
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
  /** Finds a local monitor that has moved; without it the connection keeps its address. */
  readonly relocation?: Pick<RelocationParts, 'identity' | 'find' | 'moveTo'>;
  /** Keeps what is over; default: it is requested each time. */
  readonly past?: PastDays | null;
  /** Name of what the connection leads to: the store has the monitors that were verified there last. Default: it has none. */
  readonly owner?: string;
  /** The meters of the house; default: they are as the monitor describes them. */
  readonly meters?: MeterTable;
}

/** Age up to which a list counts as fresh for a user, so that a double click sends one request. */
const freshListMs = 10_000;

export function createOpenApiConnection(options: OpenApiConnectionOptions): OpenApiConnection {
  return new OpenApiConnection(options);
}

/** It also reads the past of a house, for balances. */
export class OpenApiConnection implements MonitorConnection {
  readonly timezone: string;
  readonly transport: 'remote' | 'local' | 'demo';
  private readonly clock: Clock;
  private readonly random: () => number;
  private readonly shard: Shard | null;
  private readonly following: Relocation | null;
  /** Address of a local monitor. */
  private host: string | undefined;
  private readonly coordinator: RequestCoordinator;
  private readonly inventory: Inventory;
  private readonly reader: MeterReader;
  private readonly kept: KeptAnswers | null;
  private readonly closing = new AbortController();
  private readonly watches = new Set<RealtimeWatch>();

  constructor(private readonly options: OpenApiConnectionOptions) {
    const { client, timezone, transport, deadlineMs, clock = systemClock, random = Math.random, host } = options;
    this.timezone = timezone;
    this.transport = transport;
    this.clock = clock;
    this.random = random;
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
        if (error === null) this.following?.resetSearch();
        else this.following?.failed(error);
      },
    });
    const { past = null, owner } = options;
    const lists = past === null ? null : keptLists(past, clock, transport, owner);
    this.inventory = new Inventory(this.coordinator, () => this.host, options.meters, lists);
    this.kept = past === null ? null : new KeptAnswers(past, transport, clock);
    this.reader = new MeterReader({
      clock,
      transport,
      kept: this.kept,
      coordinator: this.coordinator,
      host: () => this.host,
      background: () => this.deadline({ signal: this.closing.signal, patience: 'poll', isBulk: true }),
    });
  }

  monitor(wanted: string | null, ask: ReadOptions): Promise<KnownMonitor> {
    return this.inventory.monitor(wanted, this.deadline(ask));
  }

  async listMonitors(ask: ReadOptions): Promise<MonitorList> {
    const { monitors, answer } = await this.inventory.listMonitors(this.deadline(ask), freshListMs);
    return { monitors, source: this.reader.source(answer) };
  }

  async listMeters(wanted: string | null, ask: ReadOptions): Promise<MeterList> {
    const deadline = this.deadline(ask);
    const monitor = await this.inventory.monitor(wanted, deadline);
    const continueSearch = this.transport !== 'remote' && ask.patience !== 'poll';
    const answer = await this.coordinator.request(
      { kind: 'meters', monitor: monitor.id, continueSearch },
      { ...deadline(), maxAgeMs: freshListMs },
    );
    const { meters, own } = await this.inventory.withAliases(monitor.id, answer.value, deadline);
    const copies = (list: readonly MeterInfo[]): MeterInfo[] => list.map((meter) => ({ ...meter }));
    return { monitor, meters: copies(meters), own: copies(own), source: this.reader.source(answer) };
  }

  /** The activated meters, from a list of up to ten minutes ago, and the failure of an alias that is still unknown. */
  async knownMeters(
    wanted: string | null,
    ask: ReadOptions,
  ): Promise<KnownMeters & { readonly monitor: KnownMonitor }> {
    const deadline = this.deadline(ask);
    const monitor = await this.inventory.monitorOfPast(wanted, this.expected(), deadline);
    return { monitor, ...(await this.inventory.metersOfPast(monitor.id, deadline)) };
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
      return [await this.reader.realtime({ monitor, meter, alias }, deadline)];
    }
    const { meters, unanswered } = await this.inventory.meters(monitor.id, deadline);
    if (unanswered !== null && !meters.some(hasAlias)) throw unanswered.copy();
    return this.reader.realtimeOfAll(
      monitor,
      meters.map((meter) => roleByNode(role, meter)),
      deadline,
      ask.onMeterError,
    );
  }

  async readSeries(target: MeterTarget, period: SeriesPeriod, ask: ReadOptions): Promise<PeriodSeriesPayload> {
    const deadline = this.deadline(ask);
    const { monitor, meter } = await this.find(target, deadline, period);
    return this.reader.series({ monitor, meter, alias: target.alias }, period, deadline, ask);
  }

  /** The kept part of a series, without a request; null if nothing is. */
  async keptSeries(target: MeterTarget, period: SeriesPeriod, ask: ReadOptions): Promise<KeptSeriesPayload | null> {
    const deadline = this.deadline(ask);
    const { monitor, meter } = await this.find(target, deadline, period);
    return this.reader.keptSeries({ monitor, meter, alias: target.alias }, period, deadline, ask);
  }

  /** True if a kept series has a value other than 0; null if a request would be sent for it. */
  async hasKeptValues(target: MeterTarget, period: SeriesPeriod, ask: ReadOptions): Promise<boolean | null> {
    const { monitor } = await this.find(target, this.deadline(ask), period);
    return (await this.kept?.hasValues({ monitor: monitor.id, alias: target.alias, period })) ?? null;
  }

  /** True if no request waits or is in flight. */
  get isIdle(): boolean {
    return this.coordinator.isIdle;
  }

  async readTotals(target: MeterTarget, period: SeriesPeriod, ask: ReadOptions): Promise<TotalsPayload> {
    const deadline = this.deadline(ask);
    if (period.unit !== 'day') throw new CemmError('INPUT', { reason: 'not_a_day' });
    if (this.clock.now() < period.start) throw notBegun('date', period);
    const { monitor, meter } = await this.find(target, deadline, period);
    return this.reader.totals({ monitor, meter, alias: target.alias }, period, deadline);
  }

  readTimeseries(): Promise<SeriesPayload> {
    return Promise.reject(unsupported('not_public', 'timeseries'));
  }

  watchRealtime(target: RealtimeTarget, intervalMs: number, listener: RealtimeListener): () => void {
    const { clock, coordinator, inventory, random, shard, transport } = this;
    const { deadlineMs } = this.options;
    const toPayload = this.reader.realtimePayload.bind(this.reader);
    const host = (): string | undefined => this.host;
    const parts = { clock, coordinator, deadlineMs, host, inventory, random, shard, transport, toPayload };
    const watch = new RealtimeWatch(parts, target, checkedInterval(intervalMs), listener);
    this.watches.add(watch);
    watch.begin();
    return () => {
      this.watches.delete(watch);
      watch.stop();
    };
  }

  async close(): Promise<void> {
    this.following?.close();
    this.kept?.close();
    this.closing.abort();
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
    return startDeadline(ask, this.options.deadlineMs, this.clock);
  }

  private async find(
    target: MeterTarget,
    deadline: Deadline,
    period: SeriesPeriod,
  ): Promise<{ monitor: KnownMonitor; meter: MeterInfo }> {
    const { inventory } = this;
    if (this.kept === null || this.clock.now() < period.end) {
      const monitor = await inventory.monitor(target.monitor, deadline);
      return { monitor, meter: await inventory.meter(monitor.id, target, deadline) };
    }
    const monitor = await inventory.monitorOfPast(target.monitor, this.expected(), deadline);
    return { monitor, meter: await inventory.meterOfPast(monitor.id, target, deadline) };
  }

  /** The monitor of an address that was filled in or has answered there. */
  private expected(): MonitorId | null {
    return this.options.relocation?.identity() ?? null;
  }
}

function hasAlias({ alias }: MeterInfo): boolean {
  return alias !== undefined;
}
