/** Registers the type; what a node of it does is loaded with the first one. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { lazy } from '../shared/lazy';
import type { RealtimeConfig } from './config';
import type * as Realtime from './realtime-node';

const realtime = lazy<typeof Realtime>(__filename, './realtime-node');

export = (RED: NodeAPI): void => {
  function RealtimeNode(this: Node, stored: Partial<RealtimeConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    realtime().startRealtime(RED, this, stored);
  }
  RED.nodes.registerType('cemm-realtime', RealtimeNode);
};
