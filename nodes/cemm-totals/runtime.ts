/** Registers the type; what a node of it does is loaded with the first one. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { lazy } from '../shared/lazy';
import type { TotalsConfig } from './config';
import type * as Totals from './totals-node';

const totals = lazy<typeof Totals>(__filename, './totals-node');

export = (RED: NodeAPI): void => {
  function TotalsNode(this: Node, stored: Partial<TotalsConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    totals().startTotals(RED, this, stored);
  }
  RED.nodes.registerType('cemm-totals', TotalsNode);
};
