/**
 * What a meter measures, from the alias and the I/O type. Neither list is closed (vendor-facts.md 1.2: `emucs-gas`, type
 * `water`), so both are matched by what they contain.
 */
import type { MeterInfo, MonitorInfo, PayloadKind, Role } from './payload';
import type { IoRecord, MonitorRecord } from '../protocol/responses';

const BY_ALIAS: readonly (readonly [RegExp, Role])[] = [
  [/(^|-)gas(-|$)/, 'gas'],
  [/(^|-)water(-|$)/, 'water'],
  [/^(p1|han|emucs|dlms)(-|$)/, 'grid'],
  [/^usage$/, 'consumption'],
];

const BY_TYPE: readonly (readonly [RegExp, Role])[] = [
  [/gas/, 'gas'],
  [/water/, 'water'],
  [/solar|production/, 'production'],
  [/usage|consumption/, 'consumption'],
  [/^(p1|han|emucs|dlms)/, 'grid'],
];

/**
 * The role of a meter; null where neither tells. The alias decides first, where it names the meter itself (`p1`,
 * `p1-gas`, `usage`); for pulse and Modbus meters (`s01`, `pulse-1`, `mb5`) it names only the connection, and the type
 * decides. A pulse or Modbus meter of unknown type has no role rather than a guessed one: its power is passed on
 * unsigned by any meaning, and its registers keep the names of the specification (use and feed-in).
 */
export function roleOf(alias: string, type: string | null): Role | null {
  return firstMatch(BY_ALIAS, alias) ?? (type === null ? null : firstMatch(BY_TYPE, type));
}

function firstMatch(table: readonly (readonly [RegExp, Role])[], text: string): Role | null {
  const lower = text.trim().toLowerCase();
  return table.find(([pattern]) => pattern.test(lower))?.[1] ?? null;
}

// Who and what a payload is about: monitor, meter, id and topic (contract.md section 2).

/** `rt` realtime, `sr` series, `tt` totals, `wh` webhook, `mo` monitor, `me` meter, `av` availability, `pr` problem, `bl` balance. */
export type IdPrefix = 'rt' | 'sr' | 'tt' | 'wh' | 'mo' | 'me' | 'av' | 'pr' | 'bl';

/**
 * `<prefix>:<monitor>:<part>:…`. It holds nothing of the request (no time of fetching, no count), so the same reading
 * fetched twice has the same id.
 */
export function idOf(prefix: IdPrefix, monitor: MonitorInfo, ...parts: readonly (string | number)[]): string {
  return [prefix, monitorName(monitor), ...parts].join(':');
}

/** What says where a payload comes from. */
export interface Origin {
  readonly monitor: MonitorInfo;
  readonly installation?: string | undefined;
}

/**
 * Which house it is: the monitor's id, else the installation that the path of a receiver named, else the number that
 * webhooks carry. Null where none of them is known.
 */
export function originOf({ monitor, installation }: Origin): string | null {
  if (monitor.id !== null) return monitor.id;
  if (installation !== undefined && installation !== '') return installation;
  return monitor.cemm === undefined ? null : String(monitor.cemm);
}

/**
 * `cemm/<origin>/<alias or key>/<kind>`; without the third level where the payload is about the monitor as a whole. A
 * delivery always is, however many meters it holds.
 */
export function topicOf(payload: Origin & { kind: PayloadKind; meter?: MeterInfo }): string {
  const { kind, meter } = payload;
  if (meter !== undefined && kind !== 'webhook') return meterTopic(payload, meterName(meter), kind);
  return topicFrom(payload, [kind]);
}

/** The topic of a message about one meter of a payload. */
export function meterTopic(origin: Origin, meter: string, kind: PayloadKind): string {
  return topicFrom(origin, [meter, kind]);
}

function topicFrom(origin: Origin, levels: readonly string[]): string {
  return ['cemm', originOf(origin) ?? 'unknown', ...levels].map(topicLevel).join('/');
}

/** The monitor's id, else the number that webhooks carry. */
export function monitorName(monitor: MonitorInfo): string {
  return monitor.id ?? (monitor.cemm === undefined ? 'unknown' : String(monitor.cemm));
}

/** The meter's alias, else the key that webhooks carry. */
export function meterName(meter: MeterInfo): string {
  return meter.alias ?? meter.key ?? 'unknown';
}

/** A monitor as its root or the remote list describes it; what is not known is left out. */
export function describeMonitor(record: MonitorRecord, host?: string): MonitorInfo {
  return {
    id: record.id,
    ...(record.name !== null && { name: record.name }),
    ...(host !== undefined && { host }),
    ...(record.type !== null && { type: record.type }),
    ...(record.version !== null && { version: record.version }),
    ...(record.core !== null && { core: record.core }),
  };
}

/** A meter by its alias and, where it is known, its I/O record. Role `auto`: from both. */
export function describeMeter(alias: string, io: IoRecord | null, role: Role | 'auto' = 'auto'): MeterInfo {
  const meter: MeterInfo = { alias, role: role === 'auto' ? roleOf(alias, io?.type ?? null) : role };
  if (io === null) return meter;
  return {
    ...meter,
    ...(io.ioId !== null && { ioId: io.ioId }),
    ...(io.port !== null && { port: io.port }),
    ...(io.type !== null && { type: io.type }),
    ...(io.portOption !== null && { portOption: io.portOption }),
    ...(io.fullId !== null && { fullId: io.fullId }),
  };
}

/** What MQTT reserves (`/ + #`) and control characters become `_`: names come from outside. */
function topicLevel(text: string): string {
  return text.replace(/[/+#\p{Cc}]/gu, '_') || '_';
}
