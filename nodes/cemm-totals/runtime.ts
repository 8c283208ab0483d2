import { lazy } from '../../src/loading/lazy';
import { nodeType } from '../lib/run/register-node';
import type * as TotalsNode from './node';

export = nodeType(
  'cemm-totals',
  lazy(() => require('./node') as typeof TotalsNode),
);
