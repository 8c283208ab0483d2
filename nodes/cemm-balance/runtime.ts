import { lazy } from '../../src/lazy';
import { nodeType } from '../lib/register-node';
import type * as BalanceNode from './node';

export = nodeType(
  'cemm-balance',
  lazy(() => require('./node') as typeof BalanceNode),
);
