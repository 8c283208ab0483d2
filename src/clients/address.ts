/**
 * Which addresses a local connection may reach: those of a home or office network. Checked on the address that is
 * connected to, not on the name, so that a name cannot point elsewhere between check and use (OWASP, SSRF prevention).
 */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { CemmError } from '../errors';

interface AddressRules {
  /** For a monitor simulated on this machine. */
  readonly allowLoopback: boolean;
}

/** `code` of the lookup error when a name leads to addresses that are all refused. */
export const addressRefused = 'ECEMMADDRESS';

const networks: ReadonlySet<string> = new Set(['private', 'carrierGradeNat', 'uniqueLocal', 'linkLocal']);

/** Where clouds tell a machine its own secrets; all of them lie inside the ranges above. */
const metadata: ReadonlySet<string> = new Set([
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

/** True for private, carrier-grade NAT, unique local and link-local addresses, and for loopback where the rules say so. */
export function mayConnect(address: string, rules: AddressRules): boolean {
  if (isIP(address) === 0) return false;
  // An IPv4 address written as IPv6 (::ffff:10.0.0.1) counts as what it is, and the zone of a link-local one is no part of it.
  const parsed = ipaddr.process(address.replace(/%.*$/, ''));
  if (metadata.has(parsed.toString())) return false;
  const range = parsed.range();
  return networks.has(range) || (range === 'loopback' && rules.allowLoopback);
}

/** `code` of the lookup error when a name leads to an address outside the own network. */
export const addressPublic = 'ECEMMPUBLIC';

const own: ReadonlySet<string> = new Set(['private', 'uniqueLocal', 'linkLocal', 'loopback']);

/**
 * True for the addresses that a key may go to unencrypted: private and loopback ones. Those of a provider's own network
 * (carrier-grade NAT) are not among them.
 */
export function isPrivate(address: string): boolean {
  return (
    isIP(address) !== 0 && mayConnect(address, { allowLoopback: true }) && own.has(ipaddr.process(address).range())
  );
}

/** A lookup hook for an agent that speaks plain http: fails with `addressPublic` where one address of the name is not private. */
export function privateLookup(resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      const [first] = error === null ? found : [];
      if (first === undefined) done(error ?? leadsNowhere(), '', 0);
      else if (!found.every(({ address }) => isPrivate(address))) done(leadsOut(), '', 0);
      else if (options.all === true) done(null, found);
      else done(null, first.address, first.family);
    });
  };
}

/** How names become addresses; `node:dns` by default. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A lookup hook for an agent that hands out allowed addresses only, and fails with `addressRefused` where none is left. */
export function guardedLookup(rules: AddressRules, resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      const allowed = error === null ? found.filter(({ address }) => mayConnect(address, rules)) : [];
      const [first] = allowed;
      if (error !== null || first === undefined) done(error ?? refusal(), '', 0);
      else if (options.all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}

function leadsNowhere(): NodeJS.ErrnoException {
  return Object.assign(new Error('the name leads to no address'), { code: 'ENOTFOUND' });
}

function leadsOut(): NodeJS.ErrnoException {
  return Object.assign(new Error('the name leads out of the own network'), { code: addressPublic });
}

function refusal(): NodeJS.ErrnoException {
  return Object.assign(new Error('the name leads to no address of a local network'), { code: addressRefused });
}

// What users type as an address, taken apart strictly: what is not plainly a host or a base address is refused.

/** Where a monitor listens. `host` is a name, an IPv4 address or an IPv6 address without brackets. */
interface HostAddress {
  readonly host: string;
  readonly port: number;
}

/** Why an address is refused: the `reason` of the CONFIG error. */
type AddressFlaw =
  | 'host_blank'
  | 'host_scheme'
  | 'host_credentials'
  | 'host_path'
  | 'host_zone'
  | 'host_port'
  | 'host_number'
  | 'host_name'
  | 'base_blank'
  | 'base_address'
  | 'base_scheme'
  | 'base_credentials'
  | 'base_query'
  | 'base_version';

const advice: Readonly<Record<AddressFlaw, string>> = {
  host_blank: 'No host is set. Enter the address of the monitor, such as 192.168.1.20.',
  host_scheme:
    'The monitor speaks plain http only. Enter its address alone, such as 192.168.1.20 or 192.168.1.20:8080.',
  host_credentials:
    'A host with a user name or password is not accepted. Enter the address alone, such as 192.168.1.20.',
  host_path: 'A host with a path or query is not accepted. Enter the address alone, such as 192.168.1.20.',
  host_zone: 'An address with a % (percent-encoding or an IPv6 zone) is not accepted. Enter it without.',
  host_port: 'The port is not valid. Use a number from 1 to 65535 after a colon, and brackets around an IPv6 address.',
  host_number: 'The IP address is not valid. Write four decimal numbers from 0 to 255, such as 192.168.1.20.',
  host_name: 'The host name is not valid. Use letters, digits, hyphens and dots, such as cemm.local.',
  base_blank: 'No base address is set. Enter one such as https://open-api.cemm.nl/v1/.',
  base_address: 'The base address is not a web address. Enter one such as https://open-api.cemm.nl/v1/.',
  base_scheme:
    'The base address must start with https://. Plain http:// is for a service in your own network: elsewhere the API key would travel unencrypted.',
  base_credentials: 'A base address with a user name or password is not accepted. Enter the API key in its own field.',
  base_query: 'A base address with a query or fragment is not accepted. Enter the API key in its own field.',
  base_version: 'The base address must end in the version of the API, such as https://open-api.cemm.nl/v1/.',
};

/**
 * Reads `host`, `host:port` or `http://host:port`; IPv6 addresses in brackets. The port is 80 where none is given.
 * @throws {CemmError} CONFIG with an AddressFlaw as reason
 */
export function parseLocalHost(text: string): HostAddress {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(text.trim()) ?? [];
  if (scheme !== '' && scheme.toLowerCase() !== 'http://') refuse('host_scheme');
  // A browser's address bar ends in a slash; nothing else may follow the host.
  const authority = scheme === '' ? rest : rest.replace(/\/$/, '');
  if (authority === '') refuse('host_blank');
  if (authority.includes('@')) refuse('host_credentials');
  if (/[/\\?#]/.test(authority)) refuse('host_path');
  if (authority.includes('%')) refuse('host_zone');
  const [, bracketed, plain = '', portText] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(authority) ?? refuse('host_port');
  const port = toPort(portText);
  return { host: bracketed === undefined ? toHost(plain) : toIpv6(bracketed), port };
}

/** `http://host:port`, with the brackets that an IPv6 address needs there. */
export function hostOrigin({ host, port }: HostAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Reads the base address of the remote API: https, or http where it is an address of the own network or a name (what a name
 * leads to is checked when it is connected to), ending in a version segment such as `v1`. The last slash is added where it
 * is missing.
 * @throws {CemmError} CONFIG with an AddressFlaw as reason
 */
export function parseBaseUrl(text: string): string {
  const base = readBaseUrl(text);
  if (speaksPlainly(base) && isIP(hostnameOf(base)) !== 0 && !isPrivate(hostnameOf(base))) refuse('base_scheme');
  return base;
}

/** Whether the key of this base address travels unencrypted. */
export function speaksPlainly(base: string): boolean {
  return base.startsWith('http:');
}

/** Without the brackets of an IPv6 address. */
export function hostnameOf(base: string): string {
  return new URL(base).hostname.replace(/^\[|\]$/g, '');
}

/**
 * As parseBaseUrl, wherever it leads to.
 * @throws {CemmError} CONFIG with an AddressFlaw as reason
 */
export function readBaseUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') refuse('base_blank');
  // Unlike a browser, which silently drops or turns them.
  if (/[\s\\\p{Cc}]/u.test(trimmed)) refuse('base_address');
  if (!/^https?:/i.test(trimmed)) refuse(/^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? 'base_scheme' : 'base_address');
  if (!/^https?:\/\/[^/]/i.test(trimmed) || !URL.canParse(trimmed)) refuse('base_address');
  const url = new URL(trimmed);
  if (/^[^/]*\/\/[^/?#]*@/.test(trimmed)) refuse('base_credentials');
  if (/[?#]/.test(trimmed)) refuse('base_query');
  const path = url.pathname.replace(/\/?$/, '/');
  if (!/\/v\d+\/$/.test(path)) refuse('base_version');
  return url.origin + path;
}

function toPort(text: string | undefined): number {
  if (text === undefined) return 80;
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > 65_535) refuse('host_port');
  return Number(text);
}

function toIpv6(text: string): string {
  if (!ipaddr.IPv6.isValid(text)) refuse('host_number');
  return ipaddr.IPv6.parse(text).toString();
}

function toHost(text: string): string {
  const host = text.toLowerCase().replace(/(?<=.)\.$/, '');
  // A last label of digits or 0x… makes an IPv4 address of it everywhere, in octal or as one number if need be.
  if (/(^|\.)(\d+|0x[0-9a-f]*)$/.test(host)) {
    if (!ipaddr.IPv4.isValidFourPartDecimal(host)) refuse('host_number');
    return host;
  }
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
  if (host.length > 253 || !new RegExp(`^${label}(?:\\.${label})*$`).test(host)) refuse('host_name');
  return host;
}

function refuse(reason: AddressFlaw): never {
  throw new CemmError('CONFIG', advice[reason], { reason });
}
