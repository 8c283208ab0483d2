/** The rows of meter.html: which connection, which monitor, which meter, and what it measures. */
import type { MeterConfig } from '../shared-config';
import * as checks from './checks';
import type { OpenForm } from './open-form';
import { preparePickLists } from './pick-lists';
import type { Validator } from './red';
import { typedField } from './fields';
import { connectionValidator, typedValidator } from './validators';

export function prepareMeterSection(nodeType: string): void {
  typedField('monitor');
  typedField('alias');
  preparePickLists(nodeType, ['monitor', 'alias']);
}

export interface MeterValidators<Config> {
  readonly connection: Validator<Config>;
  readonly monitor: Validator<Config>;
  readonly alias: Validator<Config>;
}

/**
 * @param everyMeter a blank alias means all meters; otherwise one has to be named
 * @param notPublic as of connectionValidator
 */
export function meterValidators<Config extends MeterConfig>(
  nodeType: string,
  form: OpenForm,
  everyMeter: boolean,
  notPublic: string | null,
): MeterValidators<Config> {
  const blankAlias = everyMeter
    ? checks.optional
    : (check: checks.FieldCheck) => checks.all(checks.required('check.aliasMissing'), check);
  return {
    connection: connectionValidator(nodeType, true, notPublic),
    monitor: typedValidator(nodeType, form, 'monitor', checks.optional(checks.mac)),
    alias: typedValidator(nodeType, form, 'alias', blankAlias(checks.alias)),
  };
}

/** What to call the meter on the workspace: its alias where it is written in the node. */
export function meterName(node: Pick<MeterConfig, 'alias' | 'aliasType'>): string {
  return node.aliasType === 'str' ? node.alias : '';
}
