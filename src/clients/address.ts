/**
 * Addresses that users type, and the addresses that a connection may reach. The rules are checked on the address that
 * the socket connects to, not on the name, so that a name cannot change between check and use (OWASP, SSRF prevention).
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
} from '../checks/limits';

/** `code` of the lookup error when every address of a name is refused. */
export const addressRefused = 'ECEMMADDRESS';

/** `code` of the lookup error when a name has an address outside the local network. */
export const addressPublic = 'ECEMMPUBLIC';

/** Lookup function for an agent that uses plain HTTP. Fails with `addressPublic` when one address of the name is not private. */
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

/** Resolves a name to addresses; `node:dns` by default. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Lookup function for an agent. Returns the allowed addresses only; fails with `addressRefused` when there is none. */
export function guardedLookup(rules: AddressRules, resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      const allowed = error === null ? found.filter(({ address }) => mayConnect(address, rules)) : [];
      const [first] = allowed;
      if (error !== null || first === undefined) done(error ?? createAddressError(), '', 0);
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

function createAddressError(): NodeJS.ErrnoException {
  return Object.assign(new Error('the name leads to no address of a local network'), { code: addressRefused });
}

/** The `reason` of the CONFIG error for a refused address. */
type AddressFlaw = HostFlaw | BaseUrlFlaw;

/**
 * Reads `host`, `host:port` or `http://host:port`; IPv6 addresses in brackets. The default port is 80.
 * @throws {CemmError} CONFIG with an AddressFlaw as reason
 */
export function parseLocalHost(text: string): HostAddress {
  const address = readHost(text);
  return typeof address === 'string' ? refuseAddress(address) : address;
}

/** `http://host:port`, with brackets around an IPv6 address. */
export function hostOrigin({ host, port }: HostAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Reads the base address of the remote API. It is https, or http when it is an address of the local network or a name
 * (the addresses of a name are checked when it connects), and ends in a version segment such as `v1`. Adds a missing
 * last slash.
 * @throws {CemmError} CONFIG with an AddressFlaw as reason
 */
export function parseBaseUrl(text: string): string {
  const base = parseAnyBaseUrl(text);
  if (leaksKey(base)) refuseAddress('base_scheme');
  return base;
}

/** True if the key is sent unencrypted to this base address. */
export function speaksPlainly(base: string): boolean {
  return base.startsWith('http:');
}

/** Host name of a base address, without the brackets of an IPv6 address. */
export function hostnameOf(base: string): string {
  return new URL(base).hostname.replace(/^\[|\]$/g, '');
}

/**
 * Like parseBaseUrl, but accepts plain http for every host.
 * @throws {CemmError} CONFIG with an AddressFlaw as reason
 */
export function parseAnyBaseUrl(text: string): string {
  const base = readBaseUrl(text);
  return typeof base === 'string' ? refuseAddress(base) : base.url;
}

function refuseAddress(reason: AddressFlaw): never {
  throw new CemmError('CONFIG', { reason });
}
