import { lazy, nodeType } from '../lib/register-node';
import type * as SeriesNode from './node';

export = nodeType('cemm-series', lazy<typeof SeriesNode>(__filename, './node'));
