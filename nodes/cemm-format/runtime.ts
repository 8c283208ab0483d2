import { lazy } from '../../src/lazy';
import { nodeType } from '../lib/register-node';
import type * as FormatNode from './node';

export = nodeType(
  'cemm-format',
  lazy(() => require('./node') as typeof FormatNode),
);
