import { lazy } from '../../src/lazy';
import { nodeType } from '../lib/register-node';
import type * as TotalsNode from './node';

export = nodeType(
  'cemm-totals',
  lazy(() => require('./node') as typeof TotalsNode),
);
