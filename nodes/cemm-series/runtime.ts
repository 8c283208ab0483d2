import type { NodeAPI } from 'node-red';
import { lazy, registerNode } from '../lib/register-node';
import type * as SeriesNode from './node';

const load = lazy<typeof SeriesNode>(__filename, './node');

export = (RED: NodeAPI): void => {
  registerNode(RED, 'cemm-series', () => load().startSeries);
};
