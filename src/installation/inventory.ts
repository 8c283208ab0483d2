/** What a connection has: its monitors, and their meters with the alias that each is asked by. */
import type { AskOptions } from '../clients/client';
import { CemmError, type ErrorCode } from '../clients/errors';
import { describeMeter, describeMonitor } from '../model/identity';
import type { MeterInfo } from '../model/payload';
import { roleOf } from '../model/roles';
import type { IoRecord, MonitorRecord } from '../wire/answers';
import type { MonitorId } from '../wire/mac';
import { findAliases, type AskedAliases, type FoundAliases } from './aliases';
import type { Budget } from './budget';
import type { Coordinator } from './coordinator';
import type { KnownMonitor, MeterTarget } from './installation';
import { chooseMonitor } from './monitor-choice';

/** A list that lacks a monitor which somebody names is worth a second look when it is older than this. */
const DOUBT_MS = 10_000;

/** The list of I/Os could not be had, though the monitor may well answer other questions. */
const aboutTheListAlone: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ALIAS',
  'AUTH',
  'BAD_PAYLOAD',
  'PROMISE_EXPIRED',
  'REDIRECT',
  'TOO_LARGE',
  'UNSUPPORTED',
  'UPSTREAM',
]);

export interface KnownMeters {
  readonly meters: readonly MeterInfo[];
  /** Why asking again may find more aliases; null where all are found. */
  readonly unanswered: CemmError | null;
}

export class Inventory {
  private readonly asked = new Map<MonitorId, { readonly list: string; readonly aliases: AskedAliases }>();
  private readonly lastMeters = new Map<MonitorId, readonly MeterInfo[]>();

  constructor(
    private readonly coordinator: Coordinator,
    /** Address of a local monitor, which may change. */
    private readonly host: () => string | undefined,
  ) {}

  async monitors(budget: Budget, maxAgeMs?: number): Promise<KnownMonitor[]> {
    const options = maxAgeMs === undefined ? budget() : { ...budget(), maxAgeMs };
    const { value } = await this.coordinator.ask({ kind: 'monitors' }, options);
    return value.map((record) => this.describe(record));
  }

  describe(record: MonitorRecord): KnownMonitor {
    return { ...describeMonitor(record, this.host()), id: record.id };
  }

  /** @throws CemmError as chooseMonitor, and what the question rejects with */
  async monitor(wanted: string | null, budget: Budget): Promise<KnownMonitor> {
    try {
      return chooseMonitor(await this.monitors(budget), wanted);
    } catch (error) {
      if (!(error instanceof CemmError) || error.code !== 'INPUT') throw error;
      return chooseMonitor(await this.monitors(budget, DOUBT_MS), wanted);
    }
  }

  /** All activated meters; one whose alias is not known has none. */
  async meters(monitor: MonitorId, budget: Budget): Promise<KnownMeters> {
    const { value } = await this.coordinator.ask({ kind: 'meters', monitor }, budget());
    return this.withAliases(monitor, value, budget);
  }

  async withAliases(monitor: MonitorId, records: readonly IoRecord[], budget: Budget): Promise<KnownMeters> {
    const { aliases, unanswered } = await this.aliasesOf(monitor, records, budget);
    const meters = records.map((record, index) => meterOf(record, aliases[index] ?? null));
    this.lastMeters.set(monitor, meters);
    return { meters, unanswered };
  }

  /**
   * The meter behind an alias with what is known of it. It goes without the list of I/Os where that cannot be had and the
   * role does not depend on it: an answer must not change its fields from one time to the next.
   */
  async meter(monitor: MonitorId, target: Pick<MeterTarget, 'alias' | 'role'>, budget: Budget): Promise<MeterInfo> {
    try {
      return pickMeter((await this.meters(monitor, budget)).meters, target);
    } catch (error) {
      if (!(error instanceof CemmError) || !aboutTheListAlone.has(error.code)) throw error;
      const last = this.lastMeters.get(monitor);
      const roleIsKnown = target.role !== 'auto' || roleOf(target.alias, null) !== null;
      if (last === undefined && !roleIsKnown) throw error;
      return pickMeter(last ?? [], target);
    }
  }

  private async aliasesOf(monitor: MonitorId, records: readonly IoRecord[], budget: Budget): Promise<FoundAliases> {
    const list = JSON.stringify(records);
    const known = this.asked.get(monitor);
    const asked = known?.list === list ? known : { list, aliases: new Map<string, readonly IoRecord[]>() };
    this.asked.set(monitor, asked);
    return findAliases(records, asked.aliases, async (alias) => {
      const { value } = await this.coordinator.ask({ kind: 'meter', monitor, alias }, budget());
      return value;
    });
  }
}

/** The meter of that alias, with the role that the user gave it; an alias that no list has is taken at its word. */
export function pickMeter(
  meters: readonly MeterInfo[],
  { alias, role }: Pick<MeterTarget, 'alias' | 'role'>,
): MeterInfo {
  const listed = meters.find((meter) => meter.alias === alias) ?? describeMeter(alias, null);
  return withRole(listed, role);
}

export function withRole(meter: MeterInfo, role: MeterTarget['role']): MeterInfo {
  return { ...meter, role: role === 'auto' ? meter.role : role };
}

function meterOf(record: IoRecord, alias: string | null): MeterInfo {
  const meter = describeMeter(alias ?? '', record);
  if (alias === null) delete meter.alias;
  return meter;
}

/** Options of a poll's own questions, as a budget without an end: each has the usual time. */
export function pollBudget(signal: AbortSignal, deadlineMs: number): Budget {
  const options: AskOptions = { signal, deadlineMs, patience: 'poll' };
  return () => options;
}
