import { lazy, nodeType } from '../lib/register-node';
import type * as BalanceNode from './node';

export = nodeType('cemm-balance', lazy<typeof BalanceNode>(__filename, './node'));
