import { lazy, nodeType } from '../lib/register-node';
import type * as TotalsNode from './node';

export = nodeType('cemm-totals', lazy<typeof TotalsNode>(__filename, './node'));
