/** All webhook paths of one Node-RED: who has which, and a look after every deploy whether they are still in place. */
import type { NodeAPI } from 'node-red';
import { systemClock } from '../../src/webhook/clock';
import { createReceiverState } from '../../src/webhook/receiver-state';
import { Hook, type HookOwner } from './hook';

export type Claim =
  | { readonly hook: Hook; readonly conflict: null }
  /** Id of the node that has the path. */
  | { readonly hook: null; readonly conflict: string };

export class Hooks {
  private readonly hooks = new Map<string, Hook>();
  private readonly watchers = new Set<() => void>();

  constructor(private readonly RED: NodeAPI) {
    RED.events.on('flows:started', () => {
      this.sweep();
      for (const watcher of [...this.watchers]) watcher();
    });
  }

  /** @throws Error where the routes cannot be put in */
  claim(path: string, owner: HookOwner): Claim {
    const key = keyOf(path);
    const there = this.hooks.get(key);
    const holder = [...this.hooks]
      .filter(([other]) => overlap(other, key))
      .map(([, hook]) => hook.owner?.id)
      .find((id) => id !== undefined && id !== owner.id);
    if (holder !== undefined) return { hook: null, conflict: holder };
    const httpIn = this.httpInAt(key);
    if (httpIn !== null) return { hook: null, conflict: httpIn };
    const hook = there ?? new Hook(this.RED, path);
    hook.mount();
    this.hooks.set(key, hook);
    if (hook.lastOwner !== owner.id) hook.state = createReceiverState(systemClock);
    hook.lastOwner = owner.id;
    hook.owner = owner;
    return { hook, conflict: null };
  }

  /** `removed`: for good. Otherwise the path goes on answering 503 until the deploy is through. */
  release(hook: Hook, owner: HookOwner, removed: boolean): void {
    if (hook.owner !== owner) return;
    hook.owner = null;
    if (removed) this.drop(hook);
  }

  /** After every deploy. The returned function ends it. */
  watch(look: () => void): () => void {
    this.watchers.add(look);
    return () => this.watchers.delete(look);
  }

  /** A core `http in` on the same path: its id, or null. It cannot refuse, so we do. */
  httpInOn(path: string): string | null {
    return this.httpInAt(keyOf(path));
  }

  hookOf(ownerId: string): Hook | null {
    return [...this.hooks.values()].find(({ owner }) => owner?.id === ownerId) ?? null;
  }

  private sweep(): void {
    for (const hook of [...this.hooks.values()]) {
      if (hook.owner === null) this.drop(hook);
    }
  }

  private drop(hook: Hook): void {
    this.hooks.delete(keyOf(hook.path));
    hook.unmount();
  }

  private httpInAt(key: string): string | null {
    let found: string | null = null;
    this.RED.nodes.eachNode((node) => {
      const { type, id } = node;
      if (type !== 'http in' || Reflect.get(node, 'method') !== 'post') return;
      const url: unknown = Reflect.get(node, 'url');
      if (typeof url === 'string' && overlap(keyOf(url), key) && isRunning(this.RED, id)) found ??= id;
    });
    return found;
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
