import { lazy } from '../../src/loading/lazy';
import { nodeType } from '../lib/run/register-node';
import type * as FormatNode from './node';

export = nodeType(
  'cemm-format',
  lazy(() => require('./node') as typeof FormatNode),
);
