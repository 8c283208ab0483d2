import { lazy, nodeType } from '../lib/register-node';
import type * as DiscoveryNode from './node';

export = nodeType('cemm-discovery', lazy<typeof DiscoveryNode>(__filename, './node'));
