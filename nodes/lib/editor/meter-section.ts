/** The rows of meter.html: connection, monitor, meter and role. */
import type { MeterConfig } from '../stored/shared-config';
import { preparePickLists } from './pick-lists';
import { typedField } from './fields';

export function prepareMeterSection(nodeType: string): void {
  typedField('monitor');
  typedField('alias');
  preparePickLists(nodeType, ['monitor', 'alias']);
}

/** The meter's name on the workspace: its alias, if the node contains it. */
export function meterName({ alias = '', aliasType = 'str' }: Partial<MeterConfig>): string {
  return aliasType === 'str' ? alias : '';
}
