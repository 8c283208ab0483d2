/** Names the conflicting node by its name and its tab. */
import type { NodeAPI } from 'node-red';
import { CemmError } from '../../src/errors';

/** Adds `node`, the name for the error's `id`. Other errors are unchanged. */
export function withNodeName(RED: Pick<NodeAPI, 'nodes'>, error: CemmError): CemmError {
  const { code, reason, params } = error;
  if (reason === null || params['id'] === undefined) return error;
  return new CemmError(code, { reason, params: { ...params, node: nodeName(RED, String(params['id'])) } });
}

function nodeName(RED: Pick<NodeAPI, 'nodes'>, id: string): string {
  const found = new Map<string, object>();
  RED.nodes.eachNode((node) => {
    found.set(node.id, node);
  });
  const node = found.get(id);
  const tab = readTextProperty(node, 'z');
  const label = readTextProperty(found.get(tab), 'label') || tab;
  const name = readTextProperty(node, 'name') || id;
  return label === '' ? name : `${name} (${label})`;
}

function readTextProperty(node: object | undefined, property: string): string {
  const value: unknown = node === undefined ? undefined : Reflect.get(node, property);
  return typeof value === 'string' ? value : '';
}
