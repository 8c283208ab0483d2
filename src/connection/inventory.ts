/**
 * The monitors of a connection and their meters with aliases. A local list of I/Os contains the aliases; the remote one
 * does not, and how its port numbers map to s01, s02 and s03 is not documented (http://developer.cemm.nl/api-en/). Only
 * the smart meter is identified by its type. For the others the I/O behind each alias is requested: the response names
 * the I/O, and 412 means that there is none. An I/O that no response names has no alias.
 */
import { CemmError, hasConsequence } from '../errors';
import { type MonitorId, toMonitorId } from '../protocol/mac';
import type { KnownMonitor } from '../model/identity';
import type { MeterTarget } from './connection';
import type { IoRecord, MonitorRecord } from '../protocol/responses';
import type { MeterInfo } from '../model/payload';
import { describeMeter, describeMonitor, roleOf } from '../model/identity';
import { type MeterTable, type MonitorRows, noTable, roleByNode } from '../model/meter-table';
import { chooseMonitor } from './choices';
import type { Deadline } from './deadline';
import type { KeptLists } from './kept-lists';
import type { RequestCoordinator } from './request-coordinator';

/** The aliases of the remote Open API (http://developer.cemm.nl/api-en/). */
const remoteAliases = ['p1', 'p1-gas', 's01', 's02', 's03'] as const;

/** Types of the smart meter. A monitor has one at most. */
const smartMeters: readonly string[] = ['p1', 'han'];

const typeOfAlias: ReadonlyMap<string, string> = new Map([
  ['p1', 'p1'],
  ['p1-gas', 'gas'],
]);

/** The I/Os behind each requested alias. */
type AskedAliases = Map<string, readonly IoRecord[]>;

interface FoundAliases {
  /** One per record, in the order of the list; null when no alias selects the record. */
  readonly aliases: readonly (string | null)[];
  /** Failure of an alias that may succeed later; null when every alias has a response. */
  readonly unanswered: CemmError | null;
}

/**
 * Finds the aliases of a list.
 * @param asked the responses of earlier runs for the same list; new ones are added
 * @param probe requests the I/Os behind an alias
 * @throws {CemmError} of `probe`, when there is no time to continue
 */
async function findAliases(
  records: readonly IoRecord[],
  asked: AskedAliases,
  probe: (alias: string) => Promise<readonly IoRecord[]>,
): Promise<FoundAliases> {
  const aliases = records.map(({ alias }) => alias);
  for (const type of smartMeters) {
    const [only, ...others] = records.flatMap((record, index) => (record.type === type ? [index] : []));
    if (only !== undefined && others.length === 0 && !aliases.includes(type)) aliases[only] ??= type;
  }
  let unanswered: CemmError | null = null;
  // One after the other, because the second or third response usually identifies all.
  for (const alias of remoteAliases) {
    if (!aliases.includes(null)) break;
    if (aliases.includes(alias)) continue;
    const behind = asked.get(alias) ?? (await probeOrSkip(alias, probe));
    if (behind instanceof CemmError) {
      unanswered ??= behind;
      continue;
    }
    asked.set(alias, behind);
    const ioId = idBehind(alias, behind);
    const found = records.findIndex((record, index) => aliases[index] === null && record.ioId === ioId);
    if (ioId !== null && found >= 0) aliases[found] = alias;
  }
  return { aliases, unanswered };
}

/** The only I/O that the alias selects; null when there is none or several are possible. */
function idBehind(alias: string, behind: readonly IoRecord[]): number | null {
  const [only, ...others] = behind.length > 1 ? behind.filter(({ type }) => type === typeOfAlias.get(alias)) : behind;
  return only === undefined || others.length > 0 ? null : only.ioId;
}

/** Returns the failure of a request that may succeed later. */
async function probeOrSkip(
  alias: string,
  probe: (alias: string) => Promise<readonly IoRecord[]>,
): Promise<readonly IoRecord[] | CemmError> {
  try {
    return await probe(alias);
  } catch (error) {
    if (!(error instanceof CemmError)) throw error;
    if (error.code === 'ALIAS') return [];
    if (error.code === 'CANCELLED' || error.code === 'DEADLINE') throw error;
    return error;
  }
}

/** A list older than this is requested again when it lacks the requested monitor. */
const recheckMs = 10_000;

export interface KnownMeters {
  /** With roles and names of their rows, without those that are no part of the house. */
  readonly meters: readonly MeterInfo[];
  /** As the monitor describes them. */
  readonly own: readonly MeterInfo[];
  readonly rows: MonitorRows;
  /** Failure of an alias that may succeed later; null when all are found. */
  readonly unanswered: CemmError | null;
}

interface ListedMeters {
  readonly records: readonly IoRecord[];
  readonly monitorCount: number;
  readonly known: KnownMeters;
}

export class Inventory {
  private readonly asked = new Map<MonitorId, { readonly list: string; readonly aliases: AskedAliases }>();
  private readonly lastMeters = new Map<MonitorId, KnownMeters>();
  /** Meters of a list that is in the cache: a year asks for them with each of its days. */
  private readonly listed = new Map<MonitorId, ListedMeters>();
  /** Lists of an earlier program: the store looks for them in its folder. */
  private readonly storedRecords = new Map<MonitorId, readonly IoRecord[]>();
  private lastMonitors: readonly KnownMonitor[] = [];
  private monitorCount = 1;

  constructor(
    private readonly coordinator: RequestCoordinator,
    /** Address of a local monitor; it may change. */
    private readonly host: () => string | undefined,
    private readonly table: MeterTable = noTable,
    private readonly lists: KeptLists | null = null,
  ) {}

  async listMonitors(deadline: Deadline, maxAgeMs?: number) {
    const options = maxAgeMs === undefined ? deadline() : { ...deadline(), maxAgeMs };
    const answer = await this.coordinator.request({ kind: 'monitors' }, options);
    const monitors = this.describe(answer.value);
    this.lastMonitors = monitors;
    await this.lists?.monitors?.keep(answer.value);
    return { monitors, answer };
  }

  /**
   * Like monitor(); while no list is to be had, from the last one. For what is kept of the past: other requests verify the monitor.
   * @param expected a monitor that is known without a list
   */
  async monitorOfPast(wanted: string | null, expected: MonitorId | null, deadline: Deadline): Promise<KnownMonitor> {
    return answerOrKnown(this.monitor(wanted, deadline), async () => {
      const known = await this.knownMonitors(expected, toMonitorId(wanted));
      return known.length === 0 ? null : chooseMonitor(known, wanted);
    });
  }

  /** The monitors of the last list, also that of an earlier program, or the one that has a name. */
  private async knownMonitors(expected: MonitorId | null, wanted: MonitorId | null): Promise<readonly KnownMonitor[]> {
    if (this.lastMonitors.length > 0) return this.lastMonitors;
    const named = expected ?? wanted;
    const kept = this.describe((await this.lists?.monitors?.read()) ?? []);
    const known = named === null ? kept : kept.filter(({ id }) => id === named);
    return known.length === 0 && named !== null ? [{ id: named }] : known;
  }

  /** Like meters(); while no list is to be had, the last one. */
  async metersOfPast(monitor: MonitorId, deadline: Deadline): Promise<KnownMeters> {
    return answerOrKnown(this.meters(monitor, deadline), () => this.lastKnown(monitor));
  }

  /** Like meter(); while no list is to be had, from the last one. */
  async meterOfPast(
    monitor: MonitorId,
    target: Pick<MeterTarget, 'alias' | 'role'>,
    deadline: Deadline,
  ): Promise<MeterInfo> {
    return answerOrKnown(this.meter(monitor, target, deadline), async () =>
      this.pick(monitor, (await this.lastKnown(monitor))?.own ?? [], target),
    );
  }

  /** The monitors of a list. Rows without a monitor count while the list has one. */
  describe(records: readonly MonitorRecord[]): KnownMonitor[] {
    this.monitorCount = records.length;
    return records.map((record) => describeMonitor(record, this.host()));
  }

  rowsOf(monitor: MonitorId): MonitorRows {
    return this.table.rowsOf({ id: monitor }, this.monitorCount <= 1);
  }

  /** The meter of this alias with the role that the target or its row gives; without details when the list lacks it. */
  pick(monitor: MonitorId, own: readonly MeterInfo[], { alias, role }: Pick<MeterTarget, 'alias' | 'role'>): MeterInfo {
    const listed = own.find((meter) => meter.alias === alias) ?? describeMeter(alias, null);
    return roleByNode(role, this.rowsOf(monitor).describe(listed));
  }

  /** @throws {CemmError} of chooseMonitor and of the request */
  async monitor(wanted: string | null, deadline: Deadline): Promise<KnownMonitor> {
    try {
      return chooseMonitor((await this.listMonitors(deadline)).monitors, wanted);
    } catch (error) {
      if (!(error instanceof CemmError) || error.code !== 'INPUT') throw error;
      return chooseMonitor((await this.listMonitors(deadline, recheckMs)).monitors, wanted);
    }
  }

  /** All activated meters; those without a known alias have none. */
  async meters(monitor: MonitorId, deadline: Deadline): Promise<KnownMeters> {
    const { value } = await this.coordinator.request({ kind: 'meters', monitor }, deadline());
    return this.withAliases(monitor, value, deadline);
  }

  async withAliases(monitor: MonitorId, records: readonly IoRecord[], deadline: Deadline): Promise<KnownMeters> {
    const listed = this.listed.get(monitor);
    if (listed?.records === records && listed.monitorCount === this.monitorCount) return listed.known;
    const { aliases, unanswered } = await this.aliasesOf(monitor, records, deadline);
    const named = records.map((record, index) => ({ ...record, alias: aliases[index] ?? null }));
    if (unanswered === null) await this.lists?.meters.keep(monitor, named);
    const known = this.metersIn(monitor, named, unanswered);
    this.lastMeters.set(monitor, known);
    if (unanswered === null) this.listed.set(monitor, { records, monitorCount: this.monitorCount, known });
    return known;
  }

  private metersIn(monitor: MonitorId, records: readonly IoRecord[], unanswered: CemmError | null): KnownMeters {
    const own = records.map((record) => describeListedMeter(record, record.alias));
    const rows = this.rowsOf(monitor);
    const meters = own.filter(({ alias = '' }) => !rows.isLeftOut(alias)).map((meter) => rows.describe(meter));
    return { meters, own, rows, unanswered };
  }

  /** The last list, also that of an earlier program; null for none. */
  async lastKnown(monitor: MonitorId): Promise<KnownMeters | null> {
    const last = this.lastMeters.get(monitor);
    if (last !== undefined) return last;
    const records = this.storedRecords.get(monitor) ?? (await this.lists?.meters.read(monitor)) ?? null;
    if (records === null) return null;
    this.storedRecords.set(monitor, records);
    return this.metersIn(monitor, records, null);
  }

  /**
   * The meter behind an alias. Works without the list of I/Os when that fails and the role does not depend on it: the
   * fields of a response must not change from one time to the next.
   */
  async meter(monitor: MonitorId, target: Pick<MeterTarget, 'alias' | 'role'>, deadline: Deadline): Promise<MeterInfo> {
    try {
      return this.pick(monitor, (await this.meters(monitor, deadline)).own, target);
    } catch (error) {
      if (!(error instanceof CemmError) || !hasConsequence(error.code, 'spares_other_requests')) throw error;
      const last = this.lastMeters.get(monitor);
      const row = this.rowsOf(monitor).of(target.alias);
      const roleIsKnown = target.role !== 'auto' || (row?.role ?? roleOf(target.alias, null)) !== null;
      if (last === undefined && !roleIsKnown) throw error;
      return this.pick(monitor, last?.own ?? [], target);
    }
  }

  private async aliasesOf(monitor: MonitorId, records: readonly IoRecord[], deadline: Deadline): Promise<FoundAliases> {
    const list = JSON.stringify(records);
    const known = this.asked.get(monitor);
    const asked = known?.list === list ? known : { list, aliases: new Map<string, readonly IoRecord[]>() };
    this.asked.set(monitor, asked);
    return findAliases(records, asked.aliases, async (alias) => {
      const { value } = await this.coordinator.request({ kind: 'meter', monitor, alias }, deadline());
      return value;
    });
  }
}

/** Result of a request; where it fails and may succeed later, what is known. `readKnown` gives null where nothing is. */
async function answerOrKnown<Value>(answer: Promise<Value>, readKnown: () => Promise<Value | null>): Promise<Value> {
  try {
    return await answer;
  } catch (error) {
    const known = error instanceof CemmError && error.retryable ? await readKnown() : null;
    if (known === null) throw error;
    return known;
  }
}

function describeListedMeter(record: IoRecord, alias: string | null): MeterInfo {
  const meter = describeMeter(alias ?? '', record);
  if (alias === null) delete meter.alias;
  return meter;
}
