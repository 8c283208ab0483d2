/** The separate ports of webhook nodes: which nodes share one, which settings have to be equal, and each port's certificate. */
import { createSecureContext } from 'node:tls';
import type { NodeAPI } from 'node-red';
import ipaddr from 'ipaddr.js';
import type { CemmError } from '../../../src/errors';
import {
  type Certificate,
  connectionsPerAddress,
  type DeliveryRoute,
  DeliveryServer,
} from '../../../src/webhook/delivery-server';
import { type OwnListen, webhookError } from '../settings';
import { createPathMatcher } from '../../../src/webhook/path-pattern';
import type { WebhookRoute, Mount } from './webhook-route';

/** @throws {CemmError} CONFIG `webhook_tls_missing`, `webhook_tls_unusable` */
export function findCertificate(RED: Pick<NodeAPI, 'nodes'>, id: string): Certificate {
  const node: unknown = RED.nodes.getNode(id);
  if (!isTlsConfig(node)) throw webhookError('tls_missing');
  const options: object = {};
  node.addTLSOptions(options);
  const certificate = {
    key: contentOf(options, 'key'),
    cert: contentOf(options, 'cert'),
    ca: contentOf(options, 'ca'),
    passphrase: contentOf(options, 'passphrase')?.toString(),
  };
  try {
    if (certificate.key === undefined || certificate.cert === undefined) throw new Error('no certificate');
    createSecureContext(certificate);
  } catch {
    throw webhookError('tls_unusable');
  }
  return certificate;
}

interface TlsConfigNode {
  addTLSOptions(options: object): void;
}

function isTlsConfig(node: unknown): node is TlsConfigNode {
  return typeof node === 'object' && node !== null && typeof Reflect.get(node, 'addTLSOptions') === 'function';
}

function contentOf(options: object, name: string): string | Buffer | undefined {
  const content: unknown = Reflect.get(options, name);
  return typeof content === 'string' || Buffer.isBuffer(content) ? content : undefined;
}

/** An open port, and the tls-config node of its certificate. */
interface OwnPort {
  readonly server: DeliveryServer;
  readonly tls: string;
  /** Node ids. */
  readonly users: Set<string>;
}

/** @throws {CemmError} CONFIG: the tls-config node of this id has no usable certificate */
type FindCertificate = (tls: string) => Certificate;

/** All separate ports of one Node-RED. */
export class OwnPorts {
  private readonly ports = new Map<string, OwnPort>();

  /** @param changed called after a port was opened, and when its failure changes */
  constructor(
    private readonly findCertificate: FindCertificate,
    private readonly changed: () => void,
  ) {}

  /**
   * Opens the port if it is not open. A port without users, as during a deploy, is closed for another use.
   * @param closed called with the server of a port that was closed for this one
   * @throws {CemmError} CONFIG
   */
  use({ port, bind, tls }: OwnListen, user: string, closed: (server: DeliveryServer) => void): DeliveryServer {
    const key = buildPortKey(port, bind);
    for (const [otherKey, other] of this.ports) {
      if (otherKey === key || other.server.address.port !== port || !addressesOverlap(other.server.address.bind, bind))
        continue;
      const holder = otherUser(other, user);
      if (holder !== undefined) throw conflict('bind_overlaps', port, holder);
      this.ports.delete(otherKey);
      other.server.close();
      closed(other.server);
    }
    const there = this.ports.get(key);
    const holder = there === undefined ? undefined : otherUser(there, user);
    if (there !== undefined && holder !== undefined) {
      if (there.tls !== tls) throw conflict('tls_differs', port, holder);
      there.users.add(user);
      return there.server;
    }
    const certificate = tls === '' ? null : this.findCertificate(tls);
    const server = there?.server ?? new DeliveryServer({ port, bind }, this.changed, mostPerAddress(process.env));
    server.open(certificate);
    this.ports.set(key, { server, tls, users: new Set([user]) });
    return server;
  }

  /** The port stays open until `closeUnused`. */
  removeUser(server: DeliveryServer, user: string): void {
    for (const port of this.ports.values()) {
      if (port.server === server) port.users.delete(user);
    }
  }

  /** Closes ports without users. `use` opens such a port again, with its routes. */
  closeUnused(): void {
    for (const { server, users } of this.ports.values()) if (users.size === 0) server.close();
  }

  forgetUnused(): void {
    this.closeUnused();
    for (const [key, { users }] of this.ports) if (users.size === 0) this.ports.delete(key);
  }
}

/** CEMM_RECEIVER_CONNECTIONS raises the limit for a load balancer: all its connections come from one address. */
export function mostPerAddress({ CEMM_RECEIVER_CONNECTIONS: text = '' }: NodeJS.ProcessEnv): number {
  return /^[1-9]\d{0,4}$/.test(text.trim()) ? Number(text) : connectionsPerAddress;
}

/** The error of a port that is not open; null if it is open. */
export function listenError({ failure, address }: DeliveryServer): CemmError | null {
  if (failure === null) return null;
  return webhookError(failure, { port: String(address.port), bind: address.bind });
}

function otherUser({ users }: OwnPort, user: string): string | undefined {
  return [...users].find((id) => id !== user);
}

function conflict(reason: string, port: number, id: string): CemmError {
  return webhookError(reason, { port: String(port), id });
}

const zonePattern = /%.*$/;

function buildPortKey(port: number, bind: string): string {
  return `${port} ${normalizeBind(bind)}`;
}

/** The zone is kept: a link-local address may exist in several networks. */
function normalizeBind(bind: string): string {
  return `${parseBind(bind).toString()}${zonePattern.exec(bind)?.[0] ?? ''}`;
}

/** The zone is left out: ipaddr.js parses no zone with other characters than letters and digits, such as `br-lan`. */
function parseBind(bind: string): ipaddr.IPv4 | ipaddr.IPv6 {
  return ipaddr.process(bind.replace(zonePattern, ''));
}

/** `::` includes the IPv4 addresses. */
function addressesOverlap(one: string, other: string): boolean {
  const [a, b] = [parseBind(one), parseBind(other)];
  if (isEvery(a)) return a.kind() === 'ipv6' || b.kind() === 'ipv4' || isEvery(b);
  if (isEvery(b)) return addressesOverlap(other, one);
  return normalizeBind(one) === normalizeBind(other);
}

function isEvery(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unspecified';
}

/** A webhook path on a separate port. */
export class OwnMount implements Mount {
  readonly root = '';
  readonly isShadowed = false;
  private readonly route: DeliveryRoute;

  constructor(
    readonly server: DeliveryServer,
    route: Pick<WebhookRoute, 'path' | 'isReady' | 'handle'>,
  ) {
    this.route = {
      matches: createPathMatcher(route.path),
      get isReady() {
        return route.isReady;
      },
      handle: (req, res) => {
        route.handle(req, res, req.url ?? '');
      },
    };
  }

  put(): void {
    this.server.add(this.route);
  }

  remove(): void {
    this.server.remove(this.route);
  }
}
