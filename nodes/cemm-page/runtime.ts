import { lazy } from '../../src/loading/lazy';
import { nodeType } from '../lib/run/register-node';
import type * as PageNode from './node';

export = nodeType(
  'cemm-page',
  lazy(() => require('./node') as typeof PageNode),
);
