/** The path from a page to the dialog of its connection, where a monitor, prices or the role of a meter have to be entered. */
import type { NodeAPI } from 'node-red';
import { isRecord } from '../../src/checks/record';
import { dialogHash } from '../cemm-connection/config';

type Api = Pick<NodeAPI, 'settings' | 'nodes'>;

export interface DialogPath {
  readonly path: string;
  /** The monitor or the prices are an example. */
  readonly isExample: boolean;
}

/** Null without an editor or a connection. */
export function dialogPath(RED: Api, pageId: string): DialogPath | null {
  const root: unknown = Reflect.get(RED.settings, 'httpAdminRoot') ?? '/';
  if (typeof root !== 'string' || Reflect.get(RED.settings, 'disableEditor') === true) return null;
  const stored = new Map<string, Readonly<Record<string, unknown>>>();
  RED.nodes.eachNode((node: unknown) => {
    if (isRecord(node) && typeof node['id'] === 'string') stored.set(node['id'], node);
  });
  const [, questions] = listIn(stored.get(pageId)?.['wires']);
  for (const id of listIn(questions)) {
    const connection = stored.get(textIn(stored.get(textIn(id))?.['connection']));
    if (connection === undefined) continue;
    const isExample = connection['mode'] === 'demo' || textIn(connection['prices']).includes('"example"');
    return { path: `${root.replace(/\/*$/, '/')}${dialogHash}${textIn(connection['id'])}`, isExample };
  }
  return null;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
