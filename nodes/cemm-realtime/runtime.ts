import type { NodeAPI } from 'node-red';
import { lazy, registerNode } from '../lib/register-node';
import type * as RealtimeNode from './node';

const load = lazy<typeof RealtimeNode>(__filename, './node');

export = (RED: NodeAPI): void => {
  registerNode(RED, 'cemm-realtime', () => load().startRealtime);
};
