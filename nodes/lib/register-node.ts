/** Registration of node types. A type's code is loaded with its first node, so unused types do not slow the start. */
import type { Node, NodeAPI, NodeDef } from 'node-red';

interface NodeModule<Config> {
  /** Starts one node from its stored properties. */
  startNode(RED: NodeAPI, node: Node, stored: Partial<Config> & NodeDef): void;
}

/** Registers the type; each runtime.ts exports this. Its node.ts is loaded with the first node. */
export function nodeType<Config>(type: string, load: () => NodeModule<Config>): (RED: NodeAPI) => void {
  return (RED) => {
    function CemmNode(this: Node, stored: Partial<Config> & NodeDef): void {
      RED.nodes.createNode(this, stored);
      load().startNode(RED, this, stored);
    }
    RED.nodes.registerType(type, CemmNode);
  };
}
