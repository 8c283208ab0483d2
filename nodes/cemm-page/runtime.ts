import { lazy } from '../../src/lazy';
import { nodeType } from '../lib/register-node';
import type * as PageNode from './node';

export = nodeType(
  'cemm-page',
  lazy(() => require('./node') as typeof PageNode),
);
