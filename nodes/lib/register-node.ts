/** Registration of node types. What a node does is loaded with the first of them, so that unused types cost nothing at start. */
import { createRequire } from 'node:module';
import type { Node, NodeAPI, NodeDef } from 'node-red';

/**
 * Loads a module when it is first needed. Not `import()`, because a node has to be ready when its constructor returns.
 * @param file `__filename` of the importing module
 * @param path of the imported module, relative to it; `Module` is its type
 */
export function lazy<Module>(file: string, path: string): () => Module {
  return () => createRequire(file)(path) as Module;
}

interface NodeModule<Config> {
  /** Starts one node from its stored properties. */
  startNode(RED: NodeAPI, node: Node, stored: Partial<Config> & NodeDef): void;
}

/** What a runtime.ts exports: registers the type; its node.ts is loaded with the first node. */
export function nodeType<Config>(type: string, load: () => NodeModule<Config>): (RED: NodeAPI) => void {
  return (RED) => {
    function CemmNode(this: Node, stored: Partial<Config> & NodeDef): void {
      RED.nodes.createNode(this, stored);
      load().startNode(RED, this, stored);
    }
    RED.nodes.registerType(type, CemmNode);
  };
}
