import { lazy } from '../../src/lazy';
import { nodeType } from '../lib/register-node';
import type * as RealtimeNode from './node';

export = nodeType(
  'cemm-realtime',
  lazy(() => require('./node') as typeof RealtimeNode),
);
