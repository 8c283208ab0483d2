/** Objects by name in the context of a node, such as one per monitor. With a persistent store they survive restarts. */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../../src/errors';
import { isRecord } from '../../../src/checks/record';

export interface NamedStore {
  /** Undefined if there is none. */
  read(name: string): Promise<unknown>;
  all(): Promise<Readonly<Record<string, unknown>>>;
  /** Resolves after the store has saved it. */
  write(name: string, value: unknown): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Enough for a large installation with ten meters per monitor. The oldest entries are removed first. */
const mostNames = 20_000;

/**
 * All objects under one context key, because not every monitor id or alias is allowed in a key. The methods reject with
 * CemmError CONFIG `context_store`.
 */
export function namedStore(node: Node, key: string): NamedStore {
  const context = node.context();

  async function all(): Promise<Readonly<Record<string, unknown>>> {
    const stored = await new Promise<unknown>((resolve, reject) => {
      context.get(key, (error: Error | null, value: unknown) => {
        if (error) reject(storeError());
        else resolve(value);
      });
    });
    return isRecord(stored) ? stored : {};
  }

  async function save(stored: Readonly<Record<string, unknown>>): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      context.set(key, stored, (error: Error | null | undefined) => {
        if (error) reject(storeError());
        else resolve();
      });
    });
  }

  return {
    all,
    read: async (name) => {
      const found = await all();
      return Object.hasOwn(found, name) ? found[name] : undefined;
    },
    async write(name, value) {
      const others = Object.entries(await all()).filter(([other]) => other !== name);
      await save(Object.fromEntries([...others.slice(1 - mostNames), [name, value]]));
    },
    async remove(name) {
      await save(Object.fromEntries(Object.entries(await all()).filter(([other]) => other !== name)));
    },
  };
}

/** True if the default context store of this Node-RED forgets its content at a restart. */
export function forgetsContext(RED: Pick<NodeAPI, 'settings'>): boolean {
  const stores: unknown = Reflect.get(RED.settings, 'contextStorage');
  if (!isRecord(stores)) return true;
  // Without a store called `default`, Node-RED uses the first.
  const named = stores['default'] ?? Object.values(stores)[0];
  const store = typeof named === 'string' ? stores[named] : named;
  return !isRecord(store) || store['module'] === 'memory';
}

function storeError(): CemmError {
  return new CemmError('CONFIG', { reason: 'context_store' });
}
