import { lazy } from '../../src/loading/lazy';
import { nodeType } from '../lib/run/register-node';
import type * as DiscoveryNode from './node';

export = nodeType(
  'cemm-discovery',
  lazy(() => require('./node') as typeof DiscoveryNode),
);
