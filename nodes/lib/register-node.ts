/** Registers a node type. What its nodes do is loaded with the first of them, so that unused types cost nothing at start. */
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

/** What a node.ts exports: starts one node from its stored properties. */
export type StartNode<Config> = (RED: NodeAPI, node: Node, stored: Partial<Config> & NodeDef) => void;

export function registerNode<Config>(RED: NodeAPI, type: string, load: () => StartNode<Config>): void {
  function CemmNode(this: Node, stored: Partial<Config> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    load()(RED, this, stored);
  }
  RED.nodes.registerType(type, CemmNode);
}
