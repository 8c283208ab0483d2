/** The monitor that is meant, among those that the connection has. */
import { CemmError, type ErrorCode } from '../errors';
import { type MonitorId, toMacText, toMonitorId } from '../protocol/mac';
import type { KnownMonitor, MeterTarget } from './connection';
import type { IoRecord, MonitorRecord } from '../protocol/responses';
import type { MeterInfo, MonitorInfo } from '../model/payload';
import { hasTwoTariffs } from '../model/fields';
import type { SendOptions } from '../clients/client';
import { describeMeter, describeMonitor, roleOf } from '../model/identity';
import type { Deadline } from './open-api-connection';
import type { RequestCoordinator } from './request-coordinator';

/**
 * @param wanted a MAC in any spelling; blank: the only one there is
 * @throws {CemmError} `INPUT` with reason `no_monitors`, `several_monitors`, `not_a_mac` or `unknown_monitor`; `monitors`
 *   in its params lists what there is to choose from
 */
export function chooseMonitor(monitors: readonly KnownMonitor[], wanted: string | null): KnownMonitor {
  const [first, second] = monitors;
  if (first === undefined) {
    throw new CemmError('INPUT', 'No monitor is linked to this connection.', { reason: 'no_monitors' });
  }
  const params = { monitors: monitors.map(({ id }) => toMacText(id)).join(', '), count: monitors.length };
  if (wanted === null || wanted.trim() === '') {
    if (second === undefined) return first;
    throw new CemmError('INPUT', `The connection has several monitors, choose one of: ${params.monitors}.`, {
      reason: 'several_monitors',
      params,
    });
  }
  const id = toMonitorId(wanted);
  if (id === null) {
    throw new CemmError('INPUT', `A monitor is chosen by its MAC address, one of: ${params.monitors}.`, {
      reason: 'not_a_mac',
      params,
    });
  }
  const chosen = monitors.find((monitor) => monitor.id === id);
  if (chosen !== undefined) return chosen;
  throw new CemmError('INPUT', `The connection has no monitor ${toMacText(id)}, but: ${params.monitors}.`, {
    reason: 'unknown_monitor',
    params: { ...params, monitor: toMacText(id) },
  });
}

// Which alias selects which I/O. A local list says so; the remote one does not (spec.md, I/O record), and how its port
// numbers map to the connections behind s01, s02 and s03 is not documented. Only the smart meter is told by its type: of
// the others, gas meters too, a monitor may have several, so endpoint 3 is asked per alias. Its answer names the I/O, and
// 412 means "not there". An I/O that no answer names has no alias, and no alias the facts of an I/O that it may not be.

/** The aliases that every remote endpoint takes (spec.md, Aliases of the remote API). */
const remoteAliases = ['p1', 'p1-gas', 's01', 's02', 's03'] as const;

/** The smart meter, of which a monitor has one, on a connection of its own. */
const smartMeters: readonly string[] = ['p1', 'han'];

const typeOfAlias: ReadonlyMap<string, string> = new Map([
  ['p1', 'p1'],
  ['p1-gas', 'gas'],
]);

/** The I/Os behind each alias that was asked for. */
type AskedAliases = Map<string, readonly IoRecord[]>;

interface FoundAliases {
  /** One per record, in the order of the list; null where none selects it. */
  readonly aliases: readonly (string | null)[];
  /** Why an alias could not be asked for the moment, so that asking again may find more; null where all were. */
  readonly unanswered: CemmError | null;
}

/**
 * @param asked what was learned before from the same list; answers are added to it
 * @param probe the I/Os behind an alias (endpoint 3)
 * @throws {CemmError} what `probe` rejects with, where there is no time to go on
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
  // One after the other: mostly the second or third answer leaves nothing more to ask.
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

/** The one I/O that the alias selects; null where there is none or the answer leaves it open. */
function idBehind(alias: string, behind: readonly IoRecord[]): number | null {
  const [only, ...others] = behind.length > 1 ? behind.filter(({ type }) => type === typeOfAlias.get(alias)) : behind;
  return only === undefined || others.length > 0 ? null : only.ioId;
}

/** The failure, where the request cannot be answered for now. */
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

// Which meters of a connection have ever offered a second tariff: the others have a single counter (model/sums.ts).

export class TariffHistory {
  private readonly withTwo = new Set<string>();

  /** To be told of every answer, with all channels that are in it. */
  answered(monitor: MonitorInfo, meter: MeterInfo, channels: Iterable<string>): void {
    if (hasTwoTariffs(meter.alias, channels)) this.withTwo.add(keyOf(monitor, meter));
  }

  isSingleCounter(monitor: MonitorInfo, meter: MeterInfo): boolean {
    return !this.withTwo.has(keyOf(monitor, meter));
  }
}

function keyOf({ id }: MonitorInfo, { alias }: MeterInfo): string {
  return `${id ?? ''} ${alias ?? ''}`;
}

// What a connection has: its monitors, and their meters with the alias that each is asked by.

/** A list that lacks a monitor which somebody names is worth a second look when it is older than this. */
const recheckMs = 10_000;

/** The list of I/Os could not be had, though the monitor may well answer other requests. */
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

interface KnownMeters {
  readonly meters: readonly MeterInfo[];
  /** Why asking again may find more aliases; null where all are found. */
  readonly unanswered: CemmError | null;
}

export class Inventory {
  private readonly asked = new Map<MonitorId, { readonly list: string; readonly aliases: AskedAliases }>();
  private readonly lastMeters = new Map<MonitorId, readonly MeterInfo[]>();

  constructor(
    private readonly coordinator: RequestCoordinator,
    /** Address of a local monitor, which may change. */
    private readonly host: () => string | undefined,
  ) {}

  async monitors(deadline: Deadline, maxAgeMs?: number): Promise<KnownMonitor[]> {
    const options = maxAgeMs === undefined ? deadline() : { ...deadline(), maxAgeMs };
    const { value } = await this.coordinator.request({ kind: 'monitors' }, options);
    return value.map((record) => this.describe(record));
  }

  describe(record: MonitorRecord): KnownMonitor {
    return { ...describeMonitor(record, this.host()), id: record.id };
  }

  /** @throws {CemmError} as chooseMonitor, and what the request rejects with */
  async monitor(wanted: string | null, deadline: Deadline): Promise<KnownMonitor> {
    try {
      return chooseMonitor(await this.monitors(deadline), wanted);
    } catch (error) {
      if (!(error instanceof CemmError) || error.code !== 'INPUT') throw error;
      return chooseMonitor(await this.monitors(deadline, recheckMs), wanted);
    }
  }

  /** All activated meters; one whose alias is not known has none. */
  async meters(monitor: MonitorId, deadline: Deadline): Promise<KnownMeters> {
    const { value } = await this.coordinator.request({ kind: 'meters', monitor }, deadline());
    return this.withAliases(monitor, value, deadline);
  }

  async withAliases(monitor: MonitorId, records: readonly IoRecord[], deadline: Deadline): Promise<KnownMeters> {
    const { aliases, unanswered } = await this.aliasesOf(monitor, records, deadline);
    const meters = records.map((record, index) => meterOf(record, aliases[index] ?? null));
    this.lastMeters.set(monitor, meters);
    return { meters, unanswered };
  }

  /**
   * The meter behind an alias with what is known of it. It goes without the list of I/Os where that cannot be had and the
   * role does not depend on it: an answer must not change its fields from one time to the next.
   */
  async meter(monitor: MonitorId, target: Pick<MeterTarget, 'alias' | 'role'>, deadline: Deadline): Promise<MeterInfo> {
    try {
      return pickMeter((await this.meters(monitor, deadline)).meters, target);
    } catch (error) {
      if (!(error instanceof CemmError) || !aboutTheListAlone.has(error.code)) throw error;
      const last = this.lastMeters.get(monitor);
      const roleIsKnown = target.role !== 'auto' || roleOf(target.alias, null) !== null;
      if (last === undefined && !roleIsKnown) throw error;
      return pickMeter(last ?? [], target);
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

/** Options of a poll's own requests, as a deadline without an end: each has the usual time. */
export function pollDeadline(signal: AbortSignal, deadlineMs: number): Deadline {
  const options: SendOptions = { signal, deadlineMs, patience: 'poll' };
  return () => options;
}
