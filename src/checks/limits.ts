/**
 * The rules for texts from users, shared by dialog and runtime. The dialog checks while the user types. The runtime checks
 * again, because messages and variables contain texts that no dialog has checked. Also runs in a browser, so it imports only
 * ipaddr.js, which is bundled into dialogs that check an address.
 */
import ipaddr from 'ipaddr.js';

/** The quantities that a meter can measure. */
export const roles = ['grid', 'production', 'consumption', 'battery', 'gas', 'water'] as const;

/** The formats of the format node. */
export const formats = [
  'values',
  'rows',
  'chart',
  'influx',
  'influx-lines',
  'senml',
  'homeassistant',
  'homeassistant-history',
  'openmetrics',
  'homewizard',
  'prices',
  'price-list',
] as const;

/** Smallest polling interval per kind of connection, in seconds, limited by monitor and service. */
export const intervalFloors = { local: 5, public: 5, demo: 5, remote: 10 } as const;

/** Smallest interval of searches, in seconds: each one reaches all devices of the network. */
export const searchIntervalFloor = 60;

export const mostIntervalSeconds = 86_400;

/** Most periods of a time series, above the number that the size limit of a response allows. */
export const mostEntries = 50_000;

/** Parts of a fleet, counted from 1/N to N/N. */
export const mostParts = 1000;

/** A number, or its text with digits and a point, as in a form or an environment variable; null for anything else. */
export function readNumber(stored: unknown): number | null {
  if (typeof stored === 'number') return Number.isFinite(stored) ? stored : null;
  return typeof stored === 'string' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(stored) ? Number(stored) : null;
}

/** True for 0 (never), and for seconds between the floor and one day. */
export function isInterval(seconds: number, floor: number): boolean {
  return seconds === 0 || (seconds >= floor && seconds <= mostIntervalSeconds);
}

/** 12 lower-case hex digits; null if the text is not a MAC address (with `:`, with `-` or without). */
export function macDigits(text: string): string | null {
  const written = text.trim().toLowerCase();
  const isMac = /^(?:[0-9a-f]{12}|[0-9a-f]{2}([:-])(?:[0-9a-f]{2}\1){4}[0-9a-f]{2})$/.test(written);
  return isMac ? written.replace(/[:-]/g, '') : null;
}

/**
 * The short name of a meter, which becomes part of a URL: letters, digits, hyphens and underscores. Devices have more aliases
 * than any specification lists.
 */
export function isAlias(text: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,31}$/i.test(text);
}

/** The numbers of `part/parts`, such as `2/4`; null for a text of another form. */
export function splitShard(text: string): { readonly part: number; readonly parts: number } | null {
  const [, part, parts] = /^\s*(\d{1,6})\s*\/\s*(\d{1,6})\s*$/.exec(text) ?? [];
  return part === undefined || parts === undefined ? null : { part: Number(part), parts: Number(parts) };
}

export function isShard({ part, parts }: { readonly part: number; readonly parts: number }): boolean {
  return part >= 1 && part <= parts && parts <= mostParts;
}

/** Key of a meter or channel of a CEMM 3.0. Users choose it, so only the separators of keys are excluded. */
export function isKey(text: string): boolean {
  return /^[^\s:,\p{C}]{1,64}$/u.test(text);
}

/** `<meter key>:<channel key>`, or the number of a channel. */
export function isChannelName(text: string): boolean {
  if (/^\d{1,15}$/.test(text)) return true;
  const parts = text.split(':');
  return parts.length === 2 && parts.every(isKey);
}

/** A word that is sent unchanged, such as a resolution. */
export function isWord(text: string): boolean {
  return /^[^\s\p{C}]{1,64}$/u.test(text);
}

export function isEntryCount(count: number): boolean {
  return Number.isInteger(count) && count >= 1 && count <= mostEntries;
}

export interface AddressRules {
  /** For a simulated monitor on this machine. */
  readonly allowLoopback: boolean;
}

const localRanges: ReadonlySet<string> = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'linkLocal']);

/** Addresses where clouds serve secrets to their machines; all lie inside the ranges above. */
const metadataAddresses: ReadonlySet<string> = new Set([
  '169.254.169.254',
  // Amazon: containers, pods, and instances by IPv6
  '169.254.170.2',
  '169.254.170.23',
  'fd00:ec2::23',
  'fd00:ec2::254',
  // Google by IPv6
  'fd20:ce::254',
  // OpenStack by IPv6
  'fe80::a9fe:a9fe',
  // Oracle by IPv6
  'fd00:c1::a9fe:a9fe',
  // Scaleway
  '169.254.42.42',
  'fd00:42::42',
  // Tencent
  '169.254.0.23',
  // Alibaba
  '100.100.100.200',
]);

/** An IPv4 address of four decimal numbers, or an IPv6 address without brackets. */
export function isIpAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/**
 * The range of an address. An IPv4 address written as IPv6 (::ffff:10.0.0.1) counts as IPv4, and the zone of a link-local
 * address is ignored.
 */
function findAddressRange(address: string): string | null {
  if (!isIpAddress(address)) return null;
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  return metadataAddresses.has(parsed.toString()) ? null : parsed.range();
}

/** True for private, carrier-grade NAT, unique local and link-local addresses, and for loopback if the rules allow it. */
export function mayConnect(address: string, rules: AddressRules): boolean {
  const range = findAddressRange(address);
  return range !== null && (localRanges.has(range) || (range === 'loopback' && rules.allowLoopback));
}

/**
 * True for addresses that may get a key unencrypted: private and loopback ones, but not those of a provider's network
 * (carrier-grade NAT).
 */
export function isPrivate(address: string): boolean {
  const range = findAddressRange(address);
  return range !== null && range !== 'carrierGradeNat' && mayConnect(address, { allowLoopback: true });
}

/** True for valid targets of a search: an IPv4 address of a local network, or the broadcast address of all of them. */
export function isBroadcastAddress(text: string, rules: AddressRules): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) && (text === '255.255.255.255' || mayConnect(text, rules));
}

/** Address of a monitor. `host` is a name, an IPv4 address or an IPv6 address without brackets. */
export interface HostAddress {
  readonly host: string;
  readonly port: number;
}

export type HostFlaw =
  | 'host_blank'
  | 'host_scheme'
  | 'host_credentials'
  | 'host_path'
  | 'host_zone'
  | 'host_port'
  | 'host_number'
  | 'host_name';

/** Reads `host`, `host:port` or `http://host:port`; IPv6 addresses in brackets. The default port is 80. */
export function readHost(text: string): HostAddress | HostFlaw {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text.trim()) ?? [];
  if (scheme !== '' && scheme.toLowerCase() !== 'http://') return 'host_scheme';
  // A browser's address bar ends in a slash; nothing else may follow the host.
  const authority = scheme === '' ? rest : rest.replace(/\/$/, '');
  if (authority === '') return 'host_blank';
  if (authority.includes('@')) return 'host_credentials';
  if (/[/\\?#]/.test(authority)) return 'host_path';
  if (authority.includes('%')) return 'host_zone';
  const parts = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(authority);
  if (parts === null) return 'host_port';
  const [, bracketed, plain = '', port = '80'] = parts;
  if (!/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) return 'host_port';
  const host = bracketed === undefined ? readName(plain) : readIpv6(bracketed);
  return 'flaw' in host ? host.flaw : { ...host, port: Number(port) };
}

type Host = { readonly host: string } | { readonly flaw: HostFlaw };

function readIpv6(text: string): Host {
  return ipaddr.IPv6.isValid(text) ? { host: ipaddr.IPv6.parse(text).toString() } : { flaw: 'host_number' };
}

function readName(text: string): Host {
  const host = text.toLowerCase().replace(/(?<=.)\.$/, '');
  // A last label of digits or 0x… makes the host an IPv4 address for every resolver, even in octal or as a single number.
  if (/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)) {
    return ipaddr.IPv4.isValidFourPartDecimal(host) ? { host } : { flaw: 'host_number' };
  }
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
  const isName = host.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`).test(host);
  return isName ? { host } : { flaw: 'host_name' };
}

export type BaseUrlFlaw =
  'base_blank' | 'base_address' | 'base_scheme' | 'base_credentials' | 'base_query' | 'base_version';

/** Reads the base address of the remote API, wherever it leads. Adds a missing last slash. */
export function readBaseUrl(text: string): { readonly url: string } | BaseUrlFlaw {
  const trimmed = text.trim();
  if (trimmed === '') return 'base_blank';
  // Refused, while a browser silently drops or converts these characters.
  if (/[\s\\\p{Cc}]/u.test(trimmed)) return 'base_address';
  if (!/^https?:/i.test(trimmed)) return /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? 'base_scheme' : 'base_address';
  const parsed = /^https?:\/\/[^/]/i.test(trimmed) ? parseUrl(trimmed) : null;
  if (parsed === null) return 'base_address';
  if (/^[^/]*\/\/[^/?#]*@/.test(trimmed)) return 'base_credentials';
  if (/[?#]/.test(trimmed)) return 'base_query';
  const path = parsed.pathname.replace(/\/?$/, '/');
  return /\/v\d+\/$/.test(path) ? { url: parsed.origin + path } : 'base_version';
}

/** True if this base address would send the key unencrypted out of the local network. Names are not resolved. */
export function leaksKey(url: string): boolean {
  const parsed = parseUrl(url);
  const host = parsed?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return parsed?.protocol === 'http:' && isIpAddress(host) && !isPrivate(host);
}

interface UrlParts {
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  readonly origin: string;
}

function parseUrl(text: string): UrlParts | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
