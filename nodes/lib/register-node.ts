/** Registration of node types. A type's code is loaded with its first node, so unused types do not slow the start. */
import { createRequire } from 'node:module';
import type { Node, NodeAPI, NodeDef } from 'node-red';

/**
 * Loads a module on first use. Not with `import()`, because a node must be ready when its constructor returns.
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
