import { lazy, nodeType } from '../lib/register-node';
import type * as RealtimeNode from './node';

export = nodeType('cemm-realtime', lazy<typeof RealtimeNode>(__filename, './node'));
