/** Objects by name in the context of a node: one per monitor, for instance. With a persistent store they survive restarts. */
import type { Node, NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';

export interface NamedStore {
  /** Undefined where there is none. */
  read(name: string): Promise<unknown>;
  all(): Promise<Readonly<Record<string, unknown>>>;
  /** Settles once the store has it. */
  write(name: string, value: unknown): Promise<void>;
}

/** Of a large installation with ten meters on each of its monitors. What was written longest ago goes first. */
const mostNames = 20_000;

/**
 * One object under one key: monitors and aliases would not all be allowed as parts of a context key. The methods of the store
 * reject with CemmError CONFIG `context_store`.
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

  return {
    all,
    read: async (name) => {
      const found = await all();
      return Object.hasOwn(found, name) ? found[name] : undefined;
    },
    async write(name, value) {
      const others = Object.entries(await all()).filter(([other]) => other !== name);
      const stored = Object.fromEntries([...others.slice(1 - mostNames), [name, value]]);
      await new Promise<void>((resolve, reject) => {
        context.set(key, stored, (error: Error | null | undefined) => {
          if (error) reject(storeError());
          else resolve();
        });
      });
    },
  };
}

/** Whether the store that a node's context is kept in, unless a store is named, forgets everything with a restart. */
export function forgetsContext(RED: Pick<NodeAPI, 'settings'>): boolean {
  const stores: unknown = Reflect.get(RED.settings, 'contextStorage');
  if (!isRecord(stores)) return true;
  // Without one called default, Node-RED takes the first.
  const named = stores['default'] ?? Object.values(stores)[0];
  const store = typeof named === 'string' ? stores[named] : named;
  return !isRecord(store) || store['module'] === 'memory';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function storeError(): CemmError {
  return new CemmError('CONFIG', { reason: 'context_store' });
}
