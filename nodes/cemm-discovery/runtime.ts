import type { NodeAPI } from 'node-red';
import { lazy, registerNode } from '../lib/register-node';
import type * as DiscoveryNode from './node';

const load = lazy<typeof DiscoveryNode>(__filename, './node');

export = (RED: NodeAPI): void => {
  registerNode(RED, 'cemm-discovery', () => load().startDiscovery);
};
