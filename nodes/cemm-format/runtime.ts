/** Registers the type; what a node of it does is loaded with the first one. */
import type { Node, NodeAPI, NodeDef } from 'node-red';
import { lazy } from '../shared/lazy';
import type { FormatConfig } from './config';
import type * as Format from './format-node';

const format = lazy<typeof Format>(__filename, './format-node');

export = (RED: NodeAPI): void => {
  function FormatNode(this: Node, stored: Partial<FormatConfig> & NodeDef): void {
    RED.nodes.createNode(this, stored);
    format().startFormat(RED, this, stored);
  }
  RED.nodes.registerType('cemm-format', FormatNode);
};
