/** Runs the built editor script of a node type like a browser, with a recording fake editor. */
import vm from 'node:vm';
import path from 'node:path';
import { home } from '../../../scripts/build/catalogue';
import { htmlOf, sharedScript } from '../../../scripts/build/editor';

export const root = path.resolve(__dirname, '../../..');

interface Definition {
  category: string;
  color: string;
  icon: string;
  inputs?: number;
  outputs?: number;
  defaults: Record<string, { value: unknown; validate?: (value: unknown, options: object) => unknown }>;
  credentials?: Record<string, { type: string }>;
  label: (this: object) => string;
}

export interface LoadedEditor {
  readonly type: string;
  readonly definition: Definition;
  /** The validator's result for a value of a property: true, or the key of the sentence. */
  judge(property: string, node: object, value: unknown): unknown;
}

/** The pattern of the public palette. */
export const scriptPattern = /<script.+?type=['"]text\/javascript['"].*?>([\S\s]*?)<\/script>/gi;

/** @param others nodes that `RED.nodes.node` finds, by id */
export async function loadEditor(nodeType: string, others: Record<string, object> = {}): Promise<LoadedEditor> {
  const html = await htmlOf(root, nodeType);
  const [, script = ''] = [...html.matchAll(scriptPattern)][0] ?? [];
  const registered: { type: string; definition: Definition }[] = [];
  const sandbox = {
    Intl,
    URL,
    RED: {
      _: ([key]: [string]) => key.replace(`node-red-contrib-cemm/${nodeType}:`, ''),
      nodes: {
        registerType: (type: string, definition: Definition) => registered.push({ type, definition }),
        node: (id: string) => others[id] ?? null,
        filterNodes: ({ type }: { type: string }) =>
          Object.values(others).filter((other) => Reflect.get(other, 'type') === type),
        workspace: (id: string) => others[id],
      },
      settings: {},
      events: { on: () => undefined },
      utils: { validateTypedProperty: (value: unknown, type: string) => value !== '' || `${type} is blank` },
    },
    $: () => ({ length: 0 }),
    location: { hash: '' },
  };
  vm.runInNewContext(nodeType === home ? script : `${await sharedScript(root)}\n${script}`, sandbox);
  const [only, ...more] = registered;
  if (only === undefined || more.length > 0) throw new Error(`${nodeType} registers ${registered.length} types`);
  return {
    ...only,
    judge: (property, node, value) =>
      only.definition.defaults[property]?.validate?.call({ id: 'n1', ...node }, value, {}),
  };
}
