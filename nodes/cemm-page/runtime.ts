import { lazy, nodeType } from '../lib/register-node';
import type * as PageNode from './node';

export = nodeType('cemm-page', lazy<typeof PageNode>(__filename, './node'));
