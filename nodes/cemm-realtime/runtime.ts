import { lazy } from '../../src/loading/lazy';
import { nodeType } from '../lib/run/register-node';
import type * as RealtimeNode from './node';

export = nodeType(
  'cemm-realtime',
  lazy(() => require('./node') as typeof RealtimeNode),
);
