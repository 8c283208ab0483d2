/** All webhook paths of one Node-RED: who has which, and a look after every deploy whether they are still in place. */
import type { NodeAPI } from 'node-red';
import { systemClock } from '../../src/webhook/clock';
import type { DeliveryServer } from '../../src/webhook/delivery-server';
import { createReceiverState } from '../../src/webhook/receiver-state';
import { Hook, type HookOwner } from './hook';
import { OwnMount } from './own-mount';
import { OwnPorts } from './own-ports';
import type { Listen, OwnListen } from './settings';
import { SharedMount } from './shared-mount';
import { findCertificate } from './tls-config';

export type Claim =
  | { readonly hook: Hook; readonly conflict: null }
  /** Id of the node that has the path. */
  | { readonly hook: null; readonly conflict: string };

/** After flows were stopped, how long to wait for the start of new ones. */
const stoppedMs = 500;

export class Hooks {
  private readonly hooks = new Set<Hook>();
  private readonly watchers = new Set<() => void>();
  private readonly ports: OwnPorts;

  constructor(private readonly RED: NodeAPI) {
    this.ports = new OwnPorts(
      (tls) => findCertificate(RED, tls),
      () => {
        this.tellWatchers();
      },
    );
    let stopTimer = (): void => undefined;
    RED.events.on('flows:stopped', () => {
      stopTimer();
      stopTimer = systemClock.after(stoppedMs, () => {
        this.ports.closeUnused();
      });
    });
    RED.events.on('flows:starting', () => {
      stopTimer();
    });
    RED.events.on('flows:started', () => {
      this.sweep();
      this.tellWatchers();
    });
  }

  /** @throws CemmError CONFIG where the port cannot be used so @throws Error where the routes cannot be put in */
  claim(listen: Listen, path: string, owner: HookOwner): Claim {
    const key = keyOf(path);
    const server = listen.kind === 'own' ? this.openPort(listen, owner) : null;
    const neighbours = [...this.hooks].filter((hook) => hook.mount.server === server);
    const holder = neighbours
      .filter((hook) => overlap(keyOf(hook.path), key))
      .map((hook) => hook.owner?.id)
      .find((id) => id !== undefined && id !== owner.id);
    const conflict = holder ?? (server === null ? this.httpInOn(path) : null);
    if (conflict !== null) {
      if (server !== null) this.ports.leave(server, owner.id);
      return { hook: null, conflict };
    }
    const hook = neighbours.find((there) => keyOf(there.path) === key) ?? this.create(path, server);
    hook.mount.put();
    this.hooks.add(hook);
    if (hook.lastOwner !== owner.id) hook.state = createReceiverState(systemClock);
    hook.lastOwner = owner.id;
    hook.owner = owner;
    return { hook, conflict: null };
  }

  /** `removed`: for good. Otherwise calls to the path wait until the deploy is through. */
  release(hook: Hook, owner: HookOwner, removed: boolean): void {
    if (hook.owner !== owner) return;
    hook.owner = null;
    if (hook.mount.server !== null) this.ports.leave(hook.mount.server, owner.id);
    if (removed) this.drop(hook);
  }

  /** After every deploy, and when a port was opened or cannot be opened. The returned function ends it. */
  watch(look: () => void): () => void {
    this.watchers.add(look);
    return () => this.watchers.delete(look);
  }

  /** A core `http in` on the same path: its id, or null. It cannot refuse, so we do. */
  httpInOn(path: string): string | null {
    const key = keyOf(path);
    let found: string | null = null;
    this.RED.nodes.eachNode((node) => {
      const { type, id } = node;
      if (type !== 'http in' || Reflect.get(node, 'method') !== 'post') return;
      const url: unknown = Reflect.get(node, 'url');
      if (typeof url === 'string' && overlap(keyOf(url), key) && isRunning(this.RED, id)) found ??= id;
    });
    return found;
  }

  hookOf(ownerId: string): Hook | null {
    return [...this.hooks].find(({ owner }) => owner?.id === ownerId) ?? null;
  }

  private openPort(listen: OwnListen, owner: HookOwner): DeliveryServer {
    return this.ports.use(listen, owner.id, (closed) => {
      for (const hook of [...this.hooks]) if (hook.mount.server === closed) this.drop(hook);
    });
  }

  private create(path: string, server: DeliveryServer | null): Hook {
    return new Hook(path, (hook) =>
      server === null
        ? new SharedMount(this.RED, path, (req, res, url) => {
            hook.answer(req, res, url);
          })
        : new OwnMount(server, hook),
    );
  }

  private tellWatchers(): void {
    for (const watcher of [...this.watchers]) watcher();
  }

  private sweep(): void {
    for (const hook of [...this.hooks]) {
      if (hook.owner === null) this.drop(hook);
    }
    this.ports.forgetUnused();
  }

  private drop(hook: Hook): void {
    this.hooks.delete(hook);
    hook.mount.remove();
    hook.wake();
  }
}

/** As Express compares: whatever the case, with or without a slash at either end. */
function keyOf(path: string): string {
  return `/${path.replace(/^\/+|\/+$/g, '')}`.toLowerCase();
}

/** Whether a call could belong to both: a parameter takes whatever stands in its place. */
function overlap(one: string, other: string): boolean {
  if (one === other) return true;
  const [segments, others] = [one.split('/'), other.split('/')];
  return (
    segments.length === others.length &&
    segments.every((segment, place) => {
      const facing = others[place] ?? '';
      return segment === facing || segment.startsWith(':') || facing.startsWith(':');
    })
  );
}

/** Not disabled, and not on a disabled tab. */
function isRunning(RED: NodeAPI, id: string): boolean {
  const node: unknown = RED.nodes.getNode(id);
  return node !== null && node !== undefined;
}
