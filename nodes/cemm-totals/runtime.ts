import type { NodeAPI } from 'node-red';
import { lazy, registerNode } from '../lib/register-node';
import type * as TotalsNode from './node';

const load = lazy<typeof TotalsNode>(__filename, './node');

export = (RED: NodeAPI): void => {
  registerNode(RED, 'cemm-totals', () => load().startTotals);
};
