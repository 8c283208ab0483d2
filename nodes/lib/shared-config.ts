/** What every node that asks a meter stores: the connection and how to choose monitor, meter and role. */
export type TypedValue = 'str' | 'msg' | 'flow' | 'global' | 'env' | 'jsonata';

export const typedValues: readonly TypedValue[] = ['str', 'msg', 'flow', 'global', 'env', 'jsonata'];

type RoleChoice = 'auto' | 'grid' | 'production' | 'consumption' | 'gas' | 'water';

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

// How a node that asks about a period stores which one: a typed value, or one of two words of its own.

/** `current`: the period that is running now; `previous`: the one before it. */
export type PeriodWord = 'current' | 'previous';

export const periodWords: readonly PeriodWord[] = ['current', 'previous'];

export type DateType = PeriodWord | TypedValue;

export const dateTypes: readonly DateType[] = [...periodWords, ...typedValues];

/** The header without which no admin route acts: a form of another site cannot send it (see admin-route.ts). */
export const requestHeader = 'X-CEMM-Request';

/** What a password field of the editor says that nobody touched: the key itself never leaves the server. */
export const untouched = '__PWRD__';
