/** Lists the addresses at which a monitor could reach a webhook node, from the data of the browser and of Node-RED. */
import {
  isIngress,
  isLoopback,
  isOpenedDirectly,
  type Listener,
  type OpenedAt,
  prefixOf,
  withoutSlash,
} from '../../lib/editor/opened-at';
import { type AppServer, usualAppServer } from '../config';

/**
 * `own`: a port for deliveries only; `direct`: the port of Node-RED; `app`: the server of the Node-RED app of Home Assistant;
 * `proxy`: the server through which the editor was opened.
 */
export type Way = 'own' | 'direct' | 'app' | 'proxy';

export interface Candidate {
  readonly way: Way;
  readonly address: string;
  /** True if a monitor could use another address of this machine instead. */
  readonly hasHosts: boolean;
}

/** Node-RED's data about itself. */
export interface Runtime {
  readonly adminRoot: string;
  /** Network addresses of this machine. */
  readonly addresses: readonly { readonly address: string; readonly name: string }[];
  /** Null if Node-RED has no port of its own. */
  readonly shared: Listener | null;
  /** Null outside of the Node-RED app of Home Assistant. */
  readonly app: AppServer | null;
}

/**
 * `open`: the address of the editor reaches Node-RED; `local`: Node-RED listens on loopback only; `proxied`: the editor was
 * opened through another server.
 */
export type Situation = 'open' | 'local' | 'proxied' | 'app';

export interface Surroundings {
  readonly opened: OpenedAt;
  readonly nodeRoot: string;
  /** Null until Node-RED has answered. */
  readonly runtime: Runtime | null;
}

export interface AddressForm {
  readonly isOwn: boolean;
  /** With a leading slash, and with the query. */
  readonly path: string;
  readonly port: string;
  readonly bind: string;
  readonly isSecure: boolean;
}

export function appOf({ opened, runtime }: Surroundings): AppServer | null {
  return runtime === null && isIngress(opened) ? usualAppServer : (runtime?.app ?? null);
}

export function situationOf(surroundings: Surroundings): Situation {
  const { opened, runtime } = surroundings;
  if (appOf(surroundings) !== null) return 'app';
  if (runtime === null || runtime.shared === null) return 'open';
  const isDirect = isOpenedDirectly(opened, runtime.shared, runtime.adminRoot);
  // The user's own tunnel to this machine is no server for a monitor.
  if (!isDirect && !isLoopback(opened.hostname)) return 'proxied';
  return isLoopback(runtime.shared.bind) ? 'local' : 'open';
}

/**
 * This machine's address for a monitor if the user has chosen none. The browser's host name means this machine only if no other
 * server is between them.
 */
export function guessedHost({ opened, runtime }: Surroundings, situation: Situation): string {
  const isOurs = situation === 'open' && !isLoopback(opened.hostname);
  const known = runtime?.addresses ?? [];
  if (isOurs || known.some(({ address }) => address === opened.hostname)) return opened.hostname;
  return known[0]?.address ?? opened.hostname;
}

/** All ways, the preferred one first. In an `open` situation only the one that the form selects. */
export function candidatesOf(form: AddressForm, surroundings: Surroundings, picked: string | null): Candidate[] {
  const situation = situationOf(surroundings);
  const host = picked ?? guessedHost(surroundings, situation);
  const own = ownCandidate(form, host);
  if (situation === 'open' && form.isOwn) return [own];
  const shared = sharedCandidates(form, surroundings, host, picked !== null);
  return situation === 'open' ? shared : [own, ...shared];
}

function ownCandidate({ bind, isSecure, port, path }: AddressForm, host: string): Candidate {
  const hasHosts = isEvery(bind) || bind.includes('$');
  const origin = `${isSecure ? 'https:' : 'http:'}//${hasHosts ? host : bracketed(bind)}:${port}`;
  return { way: 'own', address: `${origin}${path}`, hasHosts: isEvery(bind) };
}

function sharedCandidates(
  { path }: AddressForm,
  surroundings: Surroundings,
  host: string,
  isPicked: boolean,
): Candidate[] {
  const { opened, nodeRoot, runtime } = surroundings;
  const situation = situationOf(surroundings);
  const rest = `${withoutSlash(nodeRoot)}${path}`;
  if (situation === 'app') {
    const { port, isSecure } = appOf(surroundings) ?? usualAppServer;
    if (port === null) return [];
    return [{ way: 'app', address: `${isSecure ? 'https:' : 'http:'}//${host}:${port}${rest}`, hasHosts: true }];
  }
  const found: Candidate[] = [];
  if (situation === 'proxied' && !isIngress(opened)) {
    const prefix = prefixOf(opened, runtime?.adminRoot ?? '');
    found.push({ way: 'proxy', address: `${opened.origin}${prefix}${rest}`, hasHosts: false });
  }
  const shared = runtime?.shared ?? null;
  const hasHosts = shared !== null && isEvery(shared.bind);
  if (shared === null || situation === 'local') {
    found.push({ way: 'direct', address: `${opened.origin}${rest}`, hasHosts });
  } else if (!isLoopback(shared.bind)) {
    // The user knows the name in the browser.
    const isNamed = situation === 'open' && !isPicked && !isLoopback(opened.hostname);
    const listening = `${shared.isSecure ? 'https:' : 'http:'}//${hasHosts ? host : bracketed(shared.bind)}:${shared.port}`;
    found.push({ way: 'direct', address: `${isNamed ? opened.origin : listening}${rest}`, hasHosts });
  }
  return found;
}

function isEvery(bind: string): boolean {
  return bind === '0.0.0.0' || bind === '::';
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
