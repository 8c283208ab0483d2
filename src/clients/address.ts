/**
 * Which addresses a local connection may reach: those of a home or office network. Checked on the address that is
 * connected to, not on the name, so that a name cannot point elsewhere between check and use (OWASP, SSRF prevention).
 */
import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { CemmError } from '../errors';
import {
  type AddressRules,
  type BaseUrlFlaw,
  type HostAddress,
  type HostFlaw,
  isPrivate,
  leaksKey,
  mayConnect,
  readBaseUrl,
  readHost,
} from '../limits';

/** `code` of the lookup error when a name leads to addresses that are all refused. */
export const addressRefused = 'ECEMMADDRESS';

/** `code` of the lookup error when a name leads to an address outside the own network. */
export const addressPublic = 'ECEMMPUBLIC';

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

/** Why an address is refused: the `reason` of the CONFIG error. */
type AddressFlaw = HostFlaw | BaseUrlFlaw;

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
  const address = readHost(text);
  return typeof address === 'string' ? refuse(address) : address;
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
  const base = parseAnyBaseUrl(text);
  if (leaksKey(base)) refuse('base_scheme');
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
export function parseAnyBaseUrl(text: string): string {
  const base = readBaseUrl(text);
  return typeof base === 'string' ? refuse(base) : base.url;
}

function refuse(reason: AddressFlaw): never {
  throw new CemmError('CONFIG', advice[reason], { reason });
}
