import type { NodeAPI } from 'node-red';
import { lazy, registerNode } from '../lib/register-node';
import type * as FormatNode from './node';

const load = lazy<typeof FormatNode>(__filename, './node');

export = (RED: NodeAPI): void => {
  registerNode(RED, 'cemm-format', () => load().startFormat);
};
