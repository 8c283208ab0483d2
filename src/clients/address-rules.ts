/**
 * Which addresses a local connection may reach: those of a home or office network. Checked on the address that is
 * connected to, not on the name, so that a name cannot point elsewhere between check and use (OWASP, SSRF prevention).
 */
import { lookup as systemLookup } from 'node:dns';
import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressRules {
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
