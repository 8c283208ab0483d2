import { lazy } from '../../src/loading/lazy';
import { nodeType } from '../lib/run/register-node';
import type * as BalanceNode from './node';

export = nodeType(
  'cemm-balance',
  lazy(() => require('./node') as typeof BalanceNode),
);
