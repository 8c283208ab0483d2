/**
 * The webhook paths of one Node-RED and the nodes that receive there. A path stays while its node is redeployed; requests wait
 * for the new node up to three seconds. Its mount adds it to Node-RED's own port or to a separate one.
 */
import type { NodeAPI } from 'node-red';
import { isRecord } from '../../../src/checks/record';
import { backgroundClock } from '../../../src/time/clock';
import type { DeliveryServer } from '../../../src/webhook/delivery-server';
import { createReceiverState, type ReceiverState } from '../../../src/webhook/receiver-state';
import { RecentMap } from '../../../src/webhook/replay-cache';
import { httpInType, pathsOverlap, pathKey } from '../config';
import { findCertificate, OwnMount, OwnPorts } from './own-ports';
import type { Listen, OwnListen } from '../settings';
import { SharedMount } from './shared-mount';
import { WebhookRoute, type WebhookRouteOwner } from './webhook-route';

export type RouteClaim =
  | { readonly route: WebhookRoute; readonly conflict: null }
  /** Id of the node with the path. */
  | { readonly route: null; readonly conflict: string };

/** Far above the number of webhook nodes in any installation. */
const mostStates = 1000;

export class WebhookRoutes {
  private readonly routes = new Set<WebhookRoute>();
  /** By node id. Kept across redeploys, including those that disable the node or change its path. */
  private readonly states = new RecentMap<ReceiverState>(mostStates);
  private readonly watchers = new Set<() => void>();
  private readonly ports: OwnPorts;

  constructor(private readonly RED: NodeAPI) {
    this.ports = new OwnPorts(
      (tls) => findCertificate(RED, tls),
      () => {
        this.notifyWatchers();
      },
    );
    RED.events.on('runtime-event', (event: unknown) => {
      if (staysStopped(event)) this.ports.closeUnused();
    });
    RED.events.on('flows:started', () => {
      this.sweep();
      this.notifyWatchers();
    });
  }

  /**
   * @throws {CemmError} CONFIG: the port cannot be used in this way
   * @throws {Error} if the routes cannot be added
   */
  claim(listen: Listen, path: string, owner: WebhookRouteOwner): RouteClaim {
    const key = pathKey(path);
    const server = listen.kind === 'own' ? this.openPort(listen, owner) : null;
    const neighbours = [...this.routes].filter((route) => route.mount.server === server);
    const holder = neighbours
      .filter((route) => pathsOverlap(pathKey(route.path), key))
      .map((route) => route.owner?.id)
      .find((id) => id !== undefined && id !== owner.id);
    const conflict = holder ?? (server === null ? this.httpInOn(path) : null);
    if (conflict !== null) {
      if (server !== null) this.ports.removeUser(server, owner.id);
      return { route: null, conflict };
    }
    const route = neighbours.find((there) => pathKey(there.path) === key) ?? this.create(path, server);
    route.mount.put();
    this.routes.add(route);
    route.state = this.states.get(owner.id) ?? createReceiverState(backgroundClock);
    this.states.set(owner.id, route.state);
    route.owner = owner;
    return { route, conflict: null };
  }

  /** @param removed false: requests to the path wait until the deploy is done */
  release(route: WebhookRoute, owner: WebhookRouteOwner, removed: boolean): void {
    if (route.owner !== owner) return;
    route.owner = null;
    if (route.mount.server !== null) this.ports.removeUser(route.mount.server, owner.id);
    if (removed) this.drop(route);
  }

  /** Calls back after every deploy and when the state of a port changes. The returned function ends it. */
  watch(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  /** The id of a core `http in` node on the same path, or null. That node checks nothing, so the webhook node yields. */
  httpInOn(path: string): string | null {
    const key = pathKey(path);
    let found: string | null = null;
    this.RED.nodes.eachNode((node) => {
      const { type, id } = node;
      if (type !== httpInType || Reflect.get(node, 'method') !== 'post') return;
      const url: unknown = Reflect.get(node, 'url');
      if (typeof url === 'string' && pathsOverlap(pathKey(url), key) && isRunning(this.RED, id)) found ??= id;
    });
    return found;
  }

  routeOf(ownerId: string): WebhookRoute | null {
    return [...this.routes].find(({ owner }) => owner?.id === ownerId) ?? null;
  }

  private openPort(listen: OwnListen, owner: WebhookRouteOwner): DeliveryServer {
    return this.ports.use(listen, owner.id, (closed) => {
      for (const route of [...this.routes]) if (route.mount.server === closed) this.drop(route);
    });
  }

  private create(path: string, server: DeliveryServer | null): WebhookRoute {
    return new WebhookRoute(path, (route) =>
      server === null
        ? new SharedMount(this.RED, path, (req, res, url) => {
            route.handle(req, res, url);
          })
        : new OwnMount(server, route),
    );
  }

  private notifyWatchers(): void {
    for (const watcher of [...this.watchers]) watcher();
  }

  private sweep(): void {
    for (const route of [...this.routes]) {
      if (route.owner === null) this.drop(route);
    }
    this.ports.forgetUnused();
  }

  private drop(route: WebhookRoute): void {
    this.routes.delete(route);
    route.mount.remove();
    route.wake();
  }
}

/**
 * True for the event that says that flows are stopped, or do not start, and false for the stop of a deploy: its start follows,
 * after seconds on a slow disk. Source: `start` and `stop` in packages/node_modules/@node-red/runtime/lib/flows/index.js of
 * https://github.com/node-red/node-red.
 */
function staysStopped(event: unknown): boolean {
  if (!isRecord(event) || event['id'] !== 'runtime-state' || !isRecord(event['payload'])) return false;
  const { state, deploy, error } = event['payload'];
  return state === 'safe' || (state === 'stop' && (deploy !== true || error !== undefined));
}

/** False for a disabled node, and on a disabled tab. */
function isRunning(RED: NodeAPI, id: string): boolean {
  const node: unknown = RED.nodes.getNode(id);
  return node !== null && node !== undefined;
}
