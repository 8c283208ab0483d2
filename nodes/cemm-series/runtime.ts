import { lazy } from '../../src/lazy';
import { nodeType } from '../lib/register-node';
import type * as SeriesNode from './node';

export = nodeType(
  'cemm-series',
  lazy(() => require('./node') as typeof SeriesNode),
);
