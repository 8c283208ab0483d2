/**
 * Realtime readings for one listener, in three steps that are retried separately: the monitor, its meters, and the readings of
 * each meter. The list of I/Os is read every ten minutes, so that new meters are added and removed ones stop. Until the first one
 * has come, the last known list is used: the lists of a key with hundreds of monitors take minutes.
 */
import type { ClientResponse } from '../clients/client';
import { type CemmError, toCemmError } from '../errors';
import { availabilityPayload } from '../model/monitor-payloads';
import { roleByNode } from '../model/meter-table';
import type { MeterInfo, MonitorInfo, RealtimePayload, SourceInfo } from '../model/payload';
import type { IoRecord, MonitorRecord, RealtimeResponse } from '../protocol/responses';
import { type MonitorId, toMonitorId } from '../protocol/mac';
import { backoffMs } from './circuit-breaker';
import type { Clock } from '../time/clock';
import type { RequestCoordinator } from './request-coordinator';
import { describeMeter, type KnownMonitor } from '../model/identity';
import type { RealtimeListener, RealtimeTarget } from './connection';
import { pollDeadline } from './deadline';
import { GridPower } from './grid-power';
import { chooseMonitor, noMeters } from './choices';
import type { Inventory, KnownMeters } from './inventory';
import { inventoryMaxAgeMs } from './response-cache';
import { type MeterChange, MeterOutages } from './outage';
import type { PollFailure } from './poller';
import { otherShard, type Shard } from './shard';

export interface RealtimeWatchParts {
  readonly coordinator: RequestCoordinator;
  readonly inventory: Inventory;
  readonly clock: Clock;
  readonly random: () => number;
  readonly shard: Shard | null;
  readonly deadlineMs: number;
  /** Address of a local monitor; it may change. */
  readonly host: () => string | undefined;
  readonly transport: SourceInfo['transport'];
  readonly toPayload: (
    answer: ClientResponse<RealtimeResponse>,
    monitor: KnownMonitor,
    meter: MeterInfo,
  ) => RealtimePayload;
}

interface WatchedMeter {
  info: MeterInfo;
  readonly power: GridPower;
  readonly stop: () => void;
}

/** Key of the outage while the meters are not known. */
const settingUp = '';

export class RealtimeWatch {
  private readonly meters = new Map<string, WatchedMeter>();
  private readonly outages: MeterOutages;
  private readonly controller = new AbortController();
  private monitor: KnownMonitor | null = null;
  private stopMonitors: (() => void) | null = null;
  private stopList: (() => void) | null = null;
  private stopSecondLook: (() => void) | null = null;
  private looks = 0;
  private isListed = false;

  constructor(
    private readonly parts: RealtimeWatchParts,
    private readonly target: RealtimeTarget,
    private readonly intervalMs: number,
    private readonly listener: RealtimeListener,
  ) {
    this.outages = new MeterOutages(parts.clock, intervalMs);
    this.outages.add(settingUp);
  }

  begin(): void {
    const named = this.target.monitor === null ? null : toMonitorId(this.target.monitor);
    if (named !== null && this.isOfOtherShard(named)) return;
    this.stopMonitors = this.parts.coordinator.poll({ kind: 'monitors' }, inventoryMaxAgeMs, {
      onResponse: ({ value }) => {
        this.findMonitor(value);
      },
      onFailure: (failure) => {
        this.failed(settingUp, failure);
      },
    });
  }

  stop(): void {
    this.controller.abort();
    this.stopMonitors?.();
    this.stopList?.();
    this.stopSecondLook?.();
    for (const { stop } of this.meters.values()) stop();
    this.meters.clear();
  }

  private get stopped(): boolean {
    return this.controller.signal.aborted;
  }

  private findMonitor(records: readonly MonitorRecord[]): void {
    if (this.stopped || this.monitor !== null) return;
    const { inventory } = this.parts;
    try {
      this.monitor = chooseMonitor(inventory.describe(records), this.target.monitor);
    } catch (error) {
      this.failed(settingUp, untilNextLook(toCemmError(error)));
      return;
    }
    this.stopMonitors?.();
    if (!this.isOfOtherShard(this.monitor.id)) void this.watchList(this.monitor);
  }

  private isOfOtherShard(monitor: MonitorId): boolean {
    const other = otherShard(this.parts.shard, monitor);
    if (other !== null) this.listener.onOtherShard?.(other);
    return other !== null;
  }

  private async watchList(monitor: KnownMonitor): Promise<void> {
    const known = await this.parts.inventory.lastKnown(monitor.id);
    if (this.stopped) return;
    const kept = known === null ? [] : this.chooseMeters(monitor, known).filter(({ ioId }) => ioId !== undefined);
    this.follow(monitor, kept);
    this.stopList = this.parts.coordinator.poll({ kind: 'meters', monitor: monitor.id }, inventoryMaxAgeMs, {
      onResponse: ({ value }) => {
        this.looks = 0;
        void this.findMeters(monitor, value);
      },
      onFailure: (failure) => {
        this.listFailed(monitor, failure);
      },
    });
  }

  /** The list failed. A configured meter is polled without it. */
  private listFailed(monitor: KnownMonitor, failure: PollFailure): void {
    if (this.meters.size > 0) return;
    const { alias, role } = this.target;
    if (alias === null) this.failed(settingUp, failure);
    else this.follow(monitor, [this.parts.inventory.pick(monitor.id, [], { alias, role })]);
  }

  private async findMeters(monitor: KnownMonitor, records: readonly IoRecord[]): Promise<void> {
    const { deadlineMs, inventory } = this.parts;
    try {
      const found = await inventory.withAliases(monitor.id, records, pollDeadline(this.controller.signal, deadlineMs));
      if (this.stopped) return;
      this.isListed = true;
      this.follow(monitor, this.chooseMeters(monitor, found));
      if (found.unanswered !== null) this.lookAgainAfter(found.unanswered, monitor, records);
      else if (this.meters.size === 0) this.failed(settingUp, untilNextLook(noMeters()));
    } catch (error) {
      if (this.stopped) return;
      const failure = toCemmError(error);
      const nextRetryMs = failure.retryable ? this.lookAgain(monitor, records) : inventoryMaxAgeMs;
      this.listFailed(monitor, { error: failure, failures: this.looks, nextRetryMs });
    }
  }

  private chooseMeters(monitor: KnownMonitor, { meters, own }: KnownMeters): MeterInfo[] {
    const { alias, role } = this.target;
    if (alias === null) return meters.map((meter) => roleByNode(role, meter));
    return [this.parts.inventory.pick(monitor.id, own, { alias, role })];
  }

  private lookAgainAfter(error: CemmError, monitor: KnownMonitor, records: readonly IoRecord[]): void {
    const nextRetryMs = this.lookAgain(monitor, records);
    if (this.meters.size === 0) this.failed(settingUp, { error, failures: this.looks, nextRetryMs });
  }

  /** The list was read; only the search for aliases has to be repeated. */
  private lookAgain(monitor: KnownMonitor, records: readonly IoRecord[]): number {
    this.looks += 1;
    const delayMs = backoffMs(this.looks, this.parts.random);
    this.stopSecondLook?.();
    this.stopSecondLook = this.parts.clock.after(delayMs, () => {
      void this.findMeters(monitor, records);
    });
    return delayMs;
  }

  /** Polls exactly these meters. */
  private follow(monitor: KnownMonitor, wanted: readonly MeterInfo[]): void {
    const aliases = new Set<string>();
    for (const info of wanted) {
      if (info.alias === undefined) continue;
      aliases.add(info.alias);
      const known = this.meters.get(info.alias);
      if (known === undefined) this.watchMeter(monitor, info, info.alias);
      else known.info = info;
    }
    for (const [alias, { stop }] of this.meters) {
      if (aliases.has(alias)) continue;
      stop();
      this.meters.delete(alias);
      this.outages.remove(alias);
    }
  }

  private watchMeter(monitor: KnownMonitor, info: MeterInfo, alias: string): void {
    this.outages.add(alias);
    this.outages.remove(settingUp);
    const stop = this.parts.coordinator.poll({ kind: 'realtime', monitor: monitor.id, alias }, this.intervalMs, {
      onResponse: (answer) => {
        this.applyReading(monitor, alias, answer);
      },
      onFailure: (failure) => {
        this.failed(alias, failure);
      },
    });
    this.meters.set(alias, { info, power: new GridPower(this.parts.clock, this.intervalMs), stop });
  }

  private applyReading(monitor: KnownMonitor, alias: string, answer: ClientResponse<RealtimeResponse>): void {
    const meter = this.meters.get(alias);
    if (this.stopped || meter === undefined) return;
    // The last known list is older than this meter.
    if (!this.isListed && meter.info.ioId !== undefined && meter.info.ioId !== answer.value.ioId) return;
    const reading = this.readingFrom(answer, monitor, alias, meter);
    if (reading === null) return;
    this.tell(this.outages.recordResponse(alias));
    const availability = meter.power.read(reading);
    if (availability !== null) this.tell({ alias, availability: { ...availability, failures: 0 } });
    this.listener.onReading(reading);
  }

  /** Null when this package cannot process the response: that is reported, and the meter is not polled any more. */
  private readingFrom(
    answer: ClientResponse<RealtimeResponse>,
    monitor: KnownMonitor,
    alias: string,
    meter: WatchedMeter,
  ): RealtimePayload | null {
    try {
      return this.parts.toPayload(answer, monitor, meter.info);
    } catch (thrown) {
      meter.stop();
      this.failed(alias, { error: toCemmError(thrown), failures: 1, nextRetryMs: null });
      return null;
    }
  }

  private failed(alias: string, failure: PollFailure): void {
    if (!this.stopped) this.tell(this.outages.failed(alias, failure));
  }

  private tell(change: MeterChange | null): void {
    if (change === null) return;
    const { availability } = change;
    const meter = this.meterOf(change);
    if (availability.state === 'offline') for (const { power } of this.meters.values()) power.forget();
    this.listener.onAvailability(
      availabilityPayload({
        monitor: this.monitor ?? this.unknownMonitor(),
        ...(meter !== undefined && { meter }),
        source: this.ownSource(availability.state === 'offline' ? availability.error : null),
        state: availability.state,
        since: availability.since,
        reason: availability.state === 'offline' ? availability.error.code : null,
        failures: availability.failures,
        nextRetryMs: availability.state === 'offline' ? availability.nextRetryMs : null,
      }),
    );
    if (availability.state === 'offline') this.listener.onError(availability.error);
  }

  /** A meter that the target names is also named in the message. */
  private meterOf({ alias }: MeterChange): MeterInfo | undefined {
    const named = alias ?? this.target.alias;
    if (named === null || named === settingUp) return undefined;
    return this.meters.get(named)?.info ?? this.describeAlias(named);
  }

  private describeAlias(alias: string): MeterInfo {
    const { role } = this.target;
    if (this.monitor !== null) return this.parts.inventory.pick(this.monitor.id, [], { alias, role });
    return roleByNode(role, describeMeter(alias, null));
  }

  private unknownMonitor(): MonitorInfo {
    const host = this.parts.host();
    const { monitor } = this.target;
    return { id: monitor === null ? null : toMonitorId(monitor), ...(host !== undefined && { host }) };
  }

  private ownSource(error: CemmError | null): SourceInfo {
    return {
      transport: this.parts.transport,
      fetchedAt: this.parts.clock.now(),
      latencyMs: error?.elapsedMs ?? 0,
      requests: error?.requests ?? 0,
      promises: 0,
    };
  }
}

/** The list cannot be used; the next one may differ. */
function untilNextLook(error: CemmError): PollFailure {
  return { error, failures: 1, nextRetryMs: inventoryMaxAgeMs };
}
