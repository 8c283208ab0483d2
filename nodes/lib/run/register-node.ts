/** Registration of node types. A type's code is loaded with its first node, so unused types do not slow the start. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { lazy } from '../../../src/loading/lazy';
import type * as LoadReport from './load-report';

const loadReport = lazy(() => require('./load-report') as typeof LoadReport);

interface NodeModule<Config> {
  /** Starts one node from its stored properties. */
  startNode(RED: NodeAPI, node: Node, stored: Partial<Config> & NodeDef): void;
}

/** Registers the type; each runtime.ts exports this. Its node.ts is loaded with the first node. */
export function nodeType<Config>(type: string, load: () => NodeModule<Config>): (RED: NodeAPI) => void {
  return (RED) => {
    function CemmNode(this: Node, stored: Partial<Config> & NodeDef): void {
      RED.nodes.createNode(this, stored);
      loadedFor(RED, this, load)?.startNode(RED, this, stored);
    }
    RED.nodes.registerType(type, CemmNode);
  };
}

/** The code of a node; null if it cannot be loaded, which the node then says. */
export function loadedFor<Module>(RED: NodeAPI, node: Node, load: () => Module): Module | null {
  try {
    return load();
  } catch (thrown) {
    loadReport().reportUnloadable(RED, node, thrown);
    return null;
  }
}
