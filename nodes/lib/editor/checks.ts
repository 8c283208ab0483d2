/**
 * Checks of fields, as pure functions of their text. They return `true`, or the catalogue key of the sentence with the correct
 * form. The rules are those of the runtime (src/checks/limits.ts).
 */
import { readDate } from '../../../src/time/date-text';
import {
  type BaseUrlFlaw,
  type HostFlaw,
  isAlias,
  isBroadcastAddress,
  isIpAddress,
  isShard,
  leaksKey,
  macDigits,
  mayConnect,
  readBaseUrl,
  readHost,
  readNumber,
  splitShard,
} from '../../../src/checks/limits';
import type { CheckResult, RuleCheck } from '../stored/field-rules';

export type FieldCheck = (text: string) => CheckResult;

/** True if `${NAME}` (anywhere) or `$(NAME)` refers to an environment variable, whose value is unknown here. */
export function holdsVariable(value: unknown): boolean {
  return typeof value === 'string' && (/\$\{[^{}\s]+\}/.test(value) || /^\$\([^()\s]+\)$/.test(value.trim()));
}

/** The number, or the unchanged text if it is not one (`${ENV}`), so nothing typed is lost. */
export function numberOrText(text: string): number | string {
  return readNumber(text) ?? text.trim();
}

/** 12 hex digits, with or without `:` or `-` between the pairs. */
export function mac(text: string): CheckResult {
  return macDigits(text) === null ? { key: 'check.mac' } : true;
}

/** The short name of a meter. */
export function alias(text: string): CheckResult {
  return isAlias(text.trim()) ? true : { key: 'check.alias' };
}

/** Time zones that exist: looking one up takes long, and the connections of a fleet have the same. */
const knownZones = new Set<string>();

/** A name of the IANA time zone database. Fixed offsets are refused, because they have no summer time. */
export function timezone(text: string): CheckResult {
  const name = text.trim();
  if (knownZones.has(name)) return true;
  if (!/^[a-z]/i.test(name)) return { key: 'check.timezone' };
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    knownZones.add(name);
    return true;
  } catch {
    return { key: 'check.timezone' };
  }
}

/** Part and number of parts, `1/4` to `4/4`. */
export function shard(text: string): CheckResult {
  const numbers = splitShard(text);
  if (numbers === null) return { key: 'check.shard' };
  return isShard(numbers) ? true : { key: 'check.shardRange' };
}

/** UTC+14, the time zone where a day begins first. */
const earliestZoneMs = 14 * 3_600_000;

/** ISO 8601: a year, a month, a day or a moment, from 2010 until now. */
export function dateUntil(now: () => number): FieldCheck {
  return (text) => {
    const found = readDate(text);
    if (typeof found !== 'string') {
      return found.localMs > now() + earliestZoneMs ? { key: 'check.dateNotBegun' } : true;
    }
    const written = yearFirst(text);
    return written === null ? { key: 'check.date' } : { key: 'check.dateOrder', values: { written } };
  };
}

export const date: FieldCheck = dateUntil(() => Date.now());

/** Converts `20-11-2026` to `2026-11-20`; null if the order of day and month is unclear. */
function yearFirst(text: string): string | null {
  const [, one = '', sign, other = '', year = ''] = /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})$/.exec(text.trim()) ?? [];
  // With slashes, the American order has the month first.
  const [day, month] = sign === '/' && Number(other) > 12 ? [other, one] : [one, other];
  if (sign === '/' && Number(day) <= 12) return null;
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return typeof readDate(written) === 'string' ? null : written;
}

/** False if one of them is not a date. A shorter end, such as the month of the start, is all of its time. */
function endsBeforeStart(from: string, to: string): boolean {
  const last = to.trim();
  const [start, end] = [readDate(from.trim().slice(0, last.length)), readDate(last)];
  return typeof start !== 'string' && typeof end !== 'string' && end.localMs < start.localMs;
}

/** The last period of a range must not be before the first one. Values known only in the running flow pass. */
export const end: RuleCheck = endChecked(date);

function endChecked(checkDate: FieldCheck): RuleCheck {
  return (to, node) => {
    const [fromType, toType] = [node.textOf('fromType'), node.textOf('toType')];
    if (fromType === 'current' && toType === 'previous') return { key: 'check.endBeforeStart' };
    if (toType === 'current' || toType === 'previous') return true;
    const result = checkDate(to);
    const isLate = fromType === 'str' && endsBeforeStart(node.textOf('from'), to);
    return result === true && isLate ? { key: 'check.endBeforeStart' } : result;
  };
}

/** For a node, which starts before the dates of its messages: a date that has not begun yet may have begun by then. */
const anyDate = dateUntil(() => Infinity);

export const dateChecks = { date: anyDate, end: endChecked(anyDate) } as const;

const baseUrlProblems: Readonly<Record<BaseUrlFlaw, string>> = {
  base_blank: 'check.baseUrl',
  base_address: 'check.baseUrl',
  base_scheme: 'check.baseUrl',
  base_credentials: 'check.baseUrlSecrets',
  base_query: 'check.baseUrlSecrets',
  base_version: 'check.baseUrlVersion',
};

/** Address of the service: https, or http in the local network, with the version at the end (`…/v1/`). */
export function baseUrl(text: string): CheckResult {
  const base = readBaseUrl(text);
  if (typeof base === 'string') return { key: baseUrlProblems[base] };
  return leaksKey(base.url) ? { key: 'check.baseUrlPlain' } : true;
}

const hostProblems: Readonly<Record<HostFlaw, string>> = {
  host_blank: 'check.hostMissing',
  host_scheme: 'check.hostScheme',
  host_credentials: 'check.hostPassword',
  host_path: 'check.hostPath',
  host_zone: 'check.host',
  host_port: 'check.hostPort',
  host_number: 'check.host',
  host_name: 'check.host',
};

/** Only the runtime knows if a monitor on this machine is allowed. */
const rules = { allowLoopback: true } as const;

/** `host`, `host:port` or `http://host:port` of a monitor in the local network. Names are not resolved here. */
export function host(text: string): CheckResult {
  if (text.includes(':') && isIpAddress(text.trim())) return { key: 'check.hostBrackets' };
  const address = readHost(text);
  if (typeof address === 'string') return { key: hostProblems[address] };
  return isIpAddress(address.host) && !mayConnect(address.host, rules) ? { key: 'check.hostNotLocal' } : true;
}

export function broadcast(text: string): CheckResult {
  return isBroadcastAddress(text.trim(), rules) ? true : { key: 'check.broadcast' };
}
