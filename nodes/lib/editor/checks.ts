/**
 * What may stand in a field, as pure functions of its text. They repeat in the dialog what the runtime enforces, so that
 * a mistake is told where it is made. `true`, or the catalogue key of the sentence that says what to write instead.
 */
import { isAlias, isShard, splitShard } from '../../../src/limits';

export interface FieldProblem {
  readonly key: string;
  readonly values?: Record<string, string | number>;
}

export type CheckResult = true | FieldProblem;

export type FieldCheck = (text: string) => CheckResult;

/** Whether `${NAME}` (anywhere) or `$(NAME)` stands for an environment variable: what the text will be is not known here. */
export function holdsVariable(value: unknown): boolean {
  return typeof value === 'string' && (/\$\{[^{}\s]+\}/.test(value) || /^\$\([^()\s]+\)$/.test(value.trim()));
}

export function required(key: string): FieldCheck {
  return (text) => (text.trim() === '' ? { key } : true);
}

/** Blank is fine, anything else has to pass. */
export function optional(check: FieldCheck): FieldCheck {
  return (text) => (text.trim() === '' ? true : check(text));
}

/** The first complaint of several checks. */
export function all(...checks: FieldCheck[]): FieldCheck {
  return (text) => {
    for (const check of checks) {
      const verdict = check(text);
      if (verdict !== true) return verdict;
    }
    return true;
  };
}

/** A plain decimal number inside the range, both ends included. */
export function numberBetween(min: number, max: number): FieldCheck {
  return (text) => {
    const number = plainNumber(text);
    return number !== null && number >= min && number <= max
      ? true
      : { key: 'check.numberBetween', values: { min, max } };
  };
}

const secondsOfDay = 86_400;

/** Seconds up to a day: 0 (only on input) or at least the floor, which guards the monitor and the service. */
export function interval(floor: number): FieldCheck {
  return (text) => {
    const number = plainNumber(text);
    if (number === null || number < 0 || number > secondsOfDay) return { key: 'check.intervalNumber' };
    return number === 0 || number >= floor ? true : { key: 'check.intervalFloor', values: { floor } };
  };
}

/** 12 hex digits, with or without `:` or `-` between the pairs. */
export function mac(text: string): CheckResult {
  return /^(?:[0-9a-f]{12}|[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2})$/i.test(text.trim())
    ? true
    : { key: 'check.mac' };
}

/** The short name of a meter. */
export function alias(text: string): CheckResult {
  return isAlias(text.trim()) ? true : { key: 'check.alias' };
}

/** A name of the IANA time zone database. Fixed offsets are refused: they know no summer time. */
export function timezone(text: string): CheckResult {
  const name = text.trim();
  if (!/^[a-z]/i.test(name)) return { key: 'check.timezone' };
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
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

function plainNumber(text: string): number | null {
  return /^-?\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}

// Checks of the two addresses of a connection. They accept what src/clients/address.ts accepts (a test compares them).

/** The service: https, or http in the own network; nothing secret in it, and the version at the end (`…/v1/`). */
export function baseUrl(text: string): CheckResult {
  const address = text.trim();
  if (/[\s\\\p{Cc}]/u.test(address) || !/^https?:\/\/[^/]/i.test(address)) return { key: 'check.baseUrl' };
  const url = urlOf(address);
  if (url === null) return { key: 'check.baseUrl' };
  if (/^[^/]*\/\/[^/?#]*@/.test(address) || /[?#]/.test(address)) return { key: 'check.baseUrlSecrets' };
  if (!/\/v\d+\/?$/.test(url.pathname)) return { key: 'check.baseUrlVersion' };
  return url.protocol === 'http:' && isElsewhere(url.hostname) ? { key: 'check.baseUrlPlain' } : true;
}

/** Only what is certain: where a name leads to, the runtime finds out. */
function isElsewhere(hostname: string): boolean {
  if (/^\d+(?:\.\d+){3}$/.test(hostname)) {
    return !/^(?:10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(hostname);
  }
  return hostname.startsWith('[') && !/^\[(?:::1\]|::ffff:|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/.test(hostname);
}

/** `host`, `host:port` or `http://host:port` of a monitor in the own network. */
export function host(text: string): CheckResult {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text.trim()) ?? [];
  if (scheme !== '' && scheme.toLowerCase() !== 'http://') return { key: 'check.hostScheme' };
  // A browser's address bar ends in a slash.
  const bare = scheme === '' ? rest : rest.replace(/\/$/, '');
  if (bare === '') return { key: 'check.hostMissing' };
  if (bare.includes('@')) return { key: 'check.hostPassword' };
  if (/[/\\?#]/.test(bare)) return { key: 'check.hostPath' };
  const parts = /^(?:(\[[^\]]*\])|([^:[\]]*))(?::(.*))?$/s.exec(bare);
  if (parts === null || !isPort(parts[3] ?? '80')) return { key: 'check.hostPort' };
  const [, bracketed, plain = ''] = parts;
  const valid = bracketed === undefined ? isName(plain) : urlOf(`http://${bracketed}/`) !== null;
  return valid ? true : { key: 'check.host' };
}

/** An IPv4 address of four decimal numbers, or an IPv6 address without brackets. */
export function isIpAddress(text: string): boolean {
  if (!text.includes(':')) return /^\d+(?:\.\d+){3}$/.test(text) && isName(text);
  // The zone of a link-local address (fe80::1%eth0) is not known to URLs.
  return urlOf(`http://[${text.replace(/%[A-Za-z0-9]+$/, '')}]/`) !== null;
}

function isPort(text: string): boolean {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535;
}

function isName(text: string): boolean {
  const name = text.toLowerCase().replace(/(?<=.)\.$/, '');
  // A last label of digits makes an IPv4 address of it everywhere, in octal or as one number if need be.
  if (/(^|\.)(\d+|0x[0-9a-f]*)$/.test(name))
    return /^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/.test(name) && isIpv4(name);
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
  return name.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(name);
}

function isIpv4(text: string): boolean {
  return text.split('.').every((part) => Number(part) <= 255);
}

function urlOf(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

// Checks of dates that are written in a node. They accept what src/calendar/dates.ts accepts (a test compares them).

const iso =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?)?)?$/i;

const years = { first: 2010, last: 2099 } as const;

/** ISO 8601: a year, a month, a day or a moment of the years 2010 to 2099. */
export function date(text: string): CheckResult {
  return wallTime(text) === null ? { key: 'check.date' } : true;
}

/** Whether the end of a range lies before its start; false where one of them is not a date. */
export function endsBeforeStart(from: string, to: string): boolean {
  const start = wallTime(from);
  const end = wallTime(to);
  return start !== null && end !== null && end < start;
}

/** The clock time that is written, as if it were UTC: the connection's zone is not needed to put two of them in order. */
function wallTime(text: string): number | null {
  const parts = iso.exec(text.trim());
  if (parts === null) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part: string | undefined) => (part === undefined ? undefined : Number(part)));
  const time = Date.UTC(year, month - 1, day, hour, minute, second);
  const back = new Date(time);
  // 30 February runs over into March: what does not come back as it went in does not exist.
  const exists =
    back.getUTCFullYear() === year &&
    back.getUTCMonth() === month - 1 &&
    back.getUTCDate() === day &&
    back.getUTCHours() === hour &&
    back.getUTCMinutes() === minute &&
    back.getUTCSeconds() === second;
  return exists && hasKnownOffset(parts[7]) && year >= years.first && year <= years.last ? time : null;
}

function hasKnownOffset(offset: string | undefined): boolean {
  if (offset === undefined || offset.toUpperCase() === 'Z') return true;
  return Number(offset.slice(1, 3)) <= 14 && Number(offset.slice(3).replace(':', '')) <= 59;
}
