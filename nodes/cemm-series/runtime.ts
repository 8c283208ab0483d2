import { lazy } from '../../src/loading/lazy';
import { nodeType } from '../lib/run/register-node';
import type * as SeriesNode from './node';

export = nodeType(
  'cemm-series',
  lazy(() => require('./node') as typeof SeriesNode),
);
