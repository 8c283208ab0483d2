import { lazy } from '../../src/lazy';
import { nodeType } from '../lib/register-node';
import type * as DiscoveryNode from './node';

export = nodeType(
  'cemm-discovery',
  lazy(() => require('./node') as typeof DiscoveryNode),
);
