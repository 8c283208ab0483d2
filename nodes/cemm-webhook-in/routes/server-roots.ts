/** The root paths of this Node-RED's editor and of its flows' addresses. */
import { networkInterfaces } from 'node:os';
import type { NodeAPI } from 'node-red';
import type { DeliveryServer } from '../../../src/webhook/delivery-server';

export interface ServerRoots {
  /** False: switched off. */
  readonly node: string | false;
  readonly admin: string | false;
}

export function serverRoots({ settings }: Pick<NodeAPI, 'settings'>): ServerRoots {
  return { node: rootOf(settings, 'httpNodeRoot'), admin: rootOf(settings, 'httpAdminRoot') };
}

/** True if Node-RED asks for a user name and a password at addresses of flows. A monitor has neither. */
export function hasNodeAuth({ settings }: Pick<NodeAPI, 'settings'>): boolean {
  return Boolean(Reflect.get(settings, 'httpNodeAuth'));
}

/** Destination of a test delivery. */
export interface TestServer {
  readonly isSecure: boolean;
  readonly host: string;
  readonly port: number;
}

/** Null if Node-RED has no port of its own. */
export function serverOfNodeRed(RED: Pick<NodeAPI, 'server'>): TestServer | null {
  const own = ownPort(RED);
  return own === null ? null : { isSecure: own.isSecure, host: reachable(own.bind), port: own.port };
}

export interface NetworkInfo {
  /** httpAdminRoot. */
  readonly admin: string;
  /** IPv4 addresses of this machine, with the names of their interfaces. */
  readonly addresses: readonly { readonly address: string; readonly name: string }[];
  /** Node-RED's own port; null if it has none. */
  readonly shared: { readonly isSecure: boolean; readonly port: number; readonly bind: string } | null;
}

/** Networks inside this machine only, without monitors. `hassio` is the network of the Home Assistant apps. */
const insideOnly = /^(?:docker|br-|veth|virbr|cni|flannel|hassio)/;

export function networkInfo(RED: Pick<NodeAPI, 'server' | 'settings'>): NetworkInfo {
  return {
    admin: serverRoots(RED).admin || '/',
    addresses: addressesIn(networkInterfaces()),
    shared: ownPort(RED),
  };
}

function ownPort({ server }: Pick<NodeAPI, 'server'>): NetworkInfo['shared'] {
  const own = server.address();
  if (own === null || typeof own === 'string') return null;
  return { isSecure: 'setSecureContext' in server, port: own.port, bind: own.address };
}

/** The addresses that a monitor in the network could send to. */
export function addressesIn(interfaces: ReturnType<typeof networkInterfaces>): NetworkInfo['addresses'] {
  return Object.entries(interfaces).flatMap(([name, entries = []]) =>
    entries
      .filter(({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'))
      .filter(() => !insideOnly.test(name))
      .map(({ address }) => ({ address, name })),
  );
}

/** Null if the port is not open. */
export function serverOfOwn({ isOpen, isSecure, address }: DeliveryServer): TestServer | null {
  return isOpen ? { isSecure, host: reachable(address.bind), port: address.port } : null;
}

/** The same server at the chosen address of this machine, if it listens on all addresses. */
export function atHost(server: TestServer | null, chosen: string, bind: string): TestServer | null {
  const isOurs = addressesIn(networkInterfaces()).some(({ address }) => address === chosen);
  const isEvery = bind === '0.0.0.0' || bind === '::';
  return server !== null && isEvery && isOurs ? { ...server, host: chosen } : server;
}

/** Listening on every address includes loopback. */
function reachable(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? 'localhost' : address;
}

function rootOf(settings: object, name: string): string | false {
  const root: unknown = Reflect.get(settings, name);
  if (root === false) return false;
  return typeof root === 'string' ? root : '/';
}
