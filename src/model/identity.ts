/** Identity of a payload: the role of a meter, the descriptions of monitor and meter, `id` and `topic` (`docs/payload.md`). */
import { presentParts } from '../checks/record';
import { firstMatch, hasPulses, roleOfAlias } from './meter-names';
import type { MeterInfo, MonitorInfo, PayloadKind, Role } from './payload';
import { type MonitorId, toMonitorId } from '../protocol/mac';
import type { IoRecord, MonitorRecord } from '../protocol/responses';

/** A monitor whose MAC address is known. */
export interface KnownMonitor extends MonitorInfo {
  id: MonitorId;
}

const rolesOfTypes: readonly (readonly [RegExp, Role])[] = [
  [/gas/, 'gas'],
  [/water/, 'water'],
  [/solar|production/, 'production'],
  [/usage|consumption/, 'consumption'],
  [/^(p1|han|emucs|dlms)/, 'grid'],
];

/**
 * The role of a meter, from its alias and the type of its I/O; null if neither determines it. An alias that names the meter
 * (`p1`, `p1-gas`, `usage`) decides. The alias of a pulse or Modbus meter (`s01`, `pulse-1`, `mb5`) names only the connection, so
 * the type decides. A pulse or Modbus meter of an unknown type has no role: its registers get the names for import and export.
 */
export function roleOf(alias: string, type: string | null): Role | null {
  return roleOfAlias(alias) ?? (type === null ? null : firstMatch(rolesOfTypes, type));
}

/** Whole words, because a `warmwaterboiler` counts electricity. */
const mediumWords: readonly (readonly [RegExp, 'gas' | 'water'])[] = [
  [/(^|[^\p{L}])(gas|gasmeter|gasteller|gasz(ä|ae)hler|gaz)([^\p{L}]|$)/iu, 'gas'],
  [
    /(^|[^\p{L}])(water|watermeter|waterteller|drinkwater|leidingwater|wasser|wasserz(ä|ae)hler|eau)([^\p{L}]|$)/iu,
    'water',
  ],
];

/** Gas or water, by the key of a delivered meter, which its owner chose; null if the key says neither. */
export function mediumOfKey(key: string): 'gas' | 'water' | null {
  return mediumWords.find(([pattern]) => pattern.test(key))?.[1] ?? null;
}

/** True for a meter at an S0 output, which has no direction. */
export function isPulsed({ alias, key, portOption }: MeterInfo): boolean {
  return hasPulses(alias ?? key ?? '') || portOption === 's0_in';
}

/**
 * `rt` realtime, `sr` series, `tt` totals, `wh` webhook, `mo` monitor, `me` meter, `av` availability,
 * `pr` problem, `bl` balance.
 */
export type IdPrefix = 'rt' | 'sr' | 'tt' | 'wh' | 'mo' | 'me' | 'av' | 'pr' | 'bl';

/**
 * `<prefix>:<monitor>:<part>:…`, the `id` of a payload. The parts must not depend on the request, because the same reading has
 * the same id however often it is fetched.
 */
export function idOf(prefix: IdPrefix, monitor: MonitorInfo, ...parts: readonly (string | number)[]): string {
  return [prefix, monitorName(monitor), ...parts].join(':');
}

/** The first properties of each payload. */
export function payloadHead<Kind extends PayloadKind>(kind: Kind, id: string, ts: number, monitor: MonitorInfo) {
  return { schema: 'cemm/1' as const, kind, id, ts, time: new Date(ts).toISOString(), monitor: { ...monitor } };
}

/** The parts of a payload that identify its installation. */
export interface Origin {
  readonly monitor: MonitorInfo;
  readonly installation?: string | undefined;
}

/**
 * The installation of a payload: the id of the monitor, otherwise the installation in the path of the receiver, otherwise the
 * number `cemm` of a delivery; null if none is known.
 */
export function findOrigin({ monitor, installation }: Origin): string | null {
  if (monitor.id !== null) return monitor.id;
  if (installation !== undefined && installation !== '') return installation;
  return monitor.cemm === undefined ? null : String(monitor.cemm);
}

/** True if a user names this installation: by the MAC address or the number of its monitor, or by its own name. */
export function isOrigin(wanted: string, { monitor, installation }: Origin): boolean {
  const { id, cemm } = monitor;
  const names = [id, installation];
  // The sender of an installation chooses its number.
  if (installation === undefined || installation === '') names.push(cemm === undefined ? null : String(cemm));
  return names.includes(toMonitorId(wanted) ?? wanted);
}

/**
 * `cemm/<origin>/<alias or key>/<kind>`, the `topic` of a payload. A payload about a monitor and a delivery have no third
 * level: `cemm/<origin>/<kind>`.
 */
export function topicOf(payload: Origin & { kind: PayloadKind; meter?: MeterInfo }): string {
  const { kind, meter } = payload;
  if (meter !== undefined && kind !== 'webhook') return meterTopic(payload, meterName(meter), kind);
  return topicFrom(payload, [kind]);
}

/** The topic of one meter in a payload with several meters. */
export function meterTopic(origin: Origin, meter: string, kind: PayloadKind): string {
  return topicFrom(origin, [meter, kind]);
}

function topicFrom(origin: Origin, levels: readonly string[]): string {
  return ['cemm', findOrigin(origin) ?? 'unknown', ...levels].map(topicLevel).join('/');
}

/** The id of the monitor, otherwise its number `cemm`, otherwise `unknown`. */
export function monitorName(monitor: MonitorInfo): string {
  return monitor.id ?? (monitor.cemm === undefined ? 'unknown' : String(monitor.cemm));
}

/** The alias of the meter, otherwise its key, otherwise `unknown`. */
export function meterName(meter: MeterInfo): string {
  return meter.alias ?? meter.key ?? 'unknown';
}

/** `monitor` of a payload, from a response of an Open API. Unknown properties are absent. */
export function describeMonitor(record: MonitorRecord, host?: string): KnownMonitor {
  const { id, name, type, version, core } = record;
  return presentParts({ id, name, host, type, version, core });
}

/** `meter` of a payload, from its alias and, if known, its I/O. */
export function describeMeter(alias: string, io: IoRecord | null): MeterInfo {
  const meter: MeterInfo = { alias, role: roleOf(alias, io?.type ?? null) };
  if (io === null) return meter;
  const { ioId, port, type, portOption, fullId } = io;
  return { ...meter, ...presentParts({ ioId, port, type, portOption, fullId }) };
}

/**
 * The longest level of a topic. A topic of MQTT has 65,535 bytes at most, and the client of Node-RED that is given a longer one
 * sends nothing more on its connection. A name of a delivery may be longer.
 */
const longestLevel = 1000;

/** Replaces the characters that MQTT reserves (`/ + #`) and control characters by `_`. */
function topicLevel(text: string): string {
  return text.slice(0, longestLevel).replace(/[/+#\p{Cc}]/gu, '_') || '_';
}
