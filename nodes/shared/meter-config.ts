/** What every node that asks a meter stores: the connection and how to choose monitor, meter and role. */
export type TypedValue = 'str' | 'msg' | 'flow' | 'global' | 'env' | 'jsonata';

export const typedValues: readonly TypedValue[] = ['str', 'msg', 'flow', 'global', 'env', 'jsonata'];

export type RoleChoice = 'auto' | 'grid' | 'production' | 'consumption' | 'gas' | 'water';

export const roleChoices: readonly RoleChoice[] = ['auto', 'grid', 'production', 'consumption', 'gas', 'water'];

export interface MeterConfig {
  /** Id of the cemm-connection node. */
  connection: string;
  monitor: string;
  monitorType: TypedValue;
  alias: string;
  aliasType: TypedValue;
  role: RoleChoice;
}
