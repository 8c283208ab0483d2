import { lazy, nodeType } from '../lib/register-node';
import type * as FormatNode from './node';

export = nodeType('cemm-format', lazy<typeof FormatNode>(__filename, './node'));
