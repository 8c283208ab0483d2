/** Chooses the connection of a new node if there is only one. */
import type { AnyNode, EditorNode } from '../lib/editor/red';
import { configNodes } from '../lib/editor/dashboard/place';
import { textFrom } from '../lib/editor/open-form';

const type = 'cemm-connection';

/** Call once. */
export function watchNewNodes(): void {
  RED.events.on('nodes:add', (node) => {
    // An imported node has the connection that its flow names, or none.
    if (!node.type.startsWith('cemm-') || node['_config'] !== undefined || !needsConnection(node)) return;
    const [only, ...others] = connectionsFor(node);
    if (only === undefined || others.length > 0) return;
    Object.assign(node, { connection: only.id });
    RED.nodes.updateConfigNodeUsers(node, { action: 'add' });
  });
}

/** True if the node cannot do without one, and has none yet. */
function needsConnection(node: AnyNode): boolean {
  const { connection } = RED.nodes.getType(node.type)?.defaults ?? {};
  if (connection?.type !== type || textFrom(node['connection']) !== '') return false;
  return connection.validate !== undefined && connection.validate.call(node as EditorNode<object>, '', {}) !== true;
}

/** Enabled, and offered in the flow of the node. */
function connectionsFor({ z }: AnyNode): AnyNode[] {
  return configNodes(type).filter((node) => {
    const flow = textFrom(node['z']);
    return node['d'] !== true && (flow === '' || flow === z);
  });
}
