/** What dialogs and runtime of several nodes agree on: how monitor, meter and period are stored, and how dialogs ask. */
import { roles } from '../../src/limits';

export type TypedValue = 'str' | 'msg' | 'flow' | 'global' | 'env' | 'jsonata';

export const typedValues: readonly TypedValue[] = ['str', 'msg', 'flow', 'global', 'env', 'jsonata'];

type RoleChoice = 'auto' | (typeof roles)[number];

export const roleChoices: readonly RoleChoice[] = ['auto', ...roles];

/** What every node that reads a meter stores. */
export interface MeterConfig {
  /** Id of the cemm-connection node. */
  connection: string;
  monitor: string;
  monitorType: TypedValue;
  alias: string;
  aliasType: TypedValue;
  role: RoleChoice;
}

/** `current`: the period that is running now; `previous`: the one before it. */
export type PeriodWord = 'current' | 'previous';

export const periodWords: readonly PeriodWord[] = ['current', 'previous'];

/** A period is stored as a typed value, or as one of two words of its own. */
export type DateType = PeriodWord | TypedValue;

export const dateTypes: readonly DateType[] = [...periodWords, ...typedValues];
