/** Finds other nodes in the editor with the same path: only one of them gets it. */
import { createCatalogueText } from '../../lib/editor/catalogue';
import type { FieldProblem } from '../../lib/stored/field-rules';
import type { OpenForm } from '../../lib/editor/open-form';
import { textFrom } from '../../lib/editor/open-form';
import type { AnyNode, EditorNode } from '../../lib/editor/red';
import { httpInType, normalizePath, pathsOverlap, pathKey, type WebhookInConfig } from '../config';

/** Null if the path is free. */
export function neighbourProblem(path: string, node: EditorNode<WebhookInConfig>, form: OpenForm): FieldProblem | null {
  const isOwn = form.textOf(node, 'listen') === 'own';
  const port = form.textOf(node, 'port').trim();
  const key = pathKey(normalizePath(path));
  const others = [
    ...RED.nodes.filterNodes({ type: 'cemm-webhook-in' }).filter((other) => {
      if ((other['listen'] === 'own') !== isOwn) return false;
      return !isOwn || textFrom(other['port']).trim() === port;
    }),
    // Core nodes use the port of Node-RED as well.
    ...(isOwn ? [] : RED.nodes.filterNodes({ type: httpInType }).filter((other) => other['method'] === 'post')),
  ];
  const holder = others.find(
    (other) =>
      other.id !== node.id && isEnabled(other) && pathsOverlap(pathKey(normalizePath(readNodePath(other))), key),
  );
  return holder === undefined
    ? null
    : { key: 'check.pathTaken', values: { node: nameNode(holder), tab: tabOf(holder) } };
}

function readNodePath(other: AnyNode): string {
  return textFrom(other.type === httpInType ? other['url'] : other['path']);
}

function isEnabled(other: AnyNode): boolean {
  return other['d'] !== true && RED.nodes.workspace(textFrom(other['z']))?.['disabled'] !== true;
}

/** A node without a name has the name that the workspace shows. */
function nameNode(other: AnyNode): string {
  const label = createCatalogueText('cemm-webhook-in')('label', { path: readNodePath(other) });
  return textFrom(other['name']) || (other.type === httpInType ? `[post] ${readNodePath(other)}` : label);
}

function tabOf(other: AnyNode): string {
  const id = textFrom(other['z']);
  return textFrom(RED.nodes.workspace(id)?.['label']) || id;
}
