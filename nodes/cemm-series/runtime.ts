/** Registers the type; what a node of it does is loaded with the first one. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { lazy } from '../shared/lazy';
import type { SeriesConfig } from './config';
import type * as Series from './series-node';

const series = lazy<typeof Series>(__filename, './series-node');

export = (RED: NodeAPI): void => {
  function SeriesNode(this: Node, stored: Partial<SeriesConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    series().startSeries(RED, this, stored);
  }
  RED.nodes.registerType('cemm-series', SeriesNode);
};
