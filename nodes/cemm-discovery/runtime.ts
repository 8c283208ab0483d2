/** Registers the type; what a node of it does is loaded with the first one. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { lazy } from '../shared/lazy';
import type { DiscoveryConfig } from './config';
import type * as Discovery from './discovery-node';

const discovery = lazy<typeof Discovery>(__filename, './discovery-node');

export = (RED: NodeAPI): void => {
  function DiscoveryNode(this: Node, stored: Partial<DiscoveryConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    discovery().startDiscovery(RED, this, stored);
  }
  RED.nodes.registerType('cemm-discovery', DiscoveryNode);
};
