/** The pages that were examples before the node cemm-page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FlowNode } from './node-red';

export function oldPage(name: string): FlowNode[] {
  return JSON.parse(
    readFileSync(path.resolve(__dirname, '../../recorded/pages', `${name}.json`), 'utf8'),
  ) as FlowNode[];
}
