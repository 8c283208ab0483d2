/** Nodes that a user adds to the flows. */
import type { AnyNode } from './red';

/** Deployed nodes, which the editor adds while it loads, do not count. Call once. */
export function watchAddedNodes(added: (node: AnyNode) => void): void {
  let isLoaded = false;
  RED.events.on('workspace:clear', () => {
    isLoaded = false;
  });
  RED.events.on('flows:loaded', () => {
    isLoaded = true;
  });
  RED.events.on('nodes:add', (node) => {
    if (isLoaded) added(node);
  });
}
