/** The rows of meter.html: which connection, which monitor, which meter, and what it measures. */
import type { MeterConfig } from '../shared-config';
import { preparePickLists } from './pick-lists';
import { typedField } from './fields';

export function prepareMeterSection(nodeType: string): void {
  typedField('monitor');
  typedField('alias');
  preparePickLists(nodeType, ['monitor', 'alias']);
}

/** What to call the meter on the workspace: its alias where it is written in the node. */
export function meterName(node: Pick<MeterConfig, 'alias' | 'aliasType'>): string {
  return node.aliasType === 'str' ? node.alias : '';
}
