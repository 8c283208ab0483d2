/** How a node that asks about a period stores which one: a typed value, or one of two words of its own. */
import { typedValues, type TypedValue } from './meter-config';

/** `current`: the period that is running now; `previous`: the one before it. */
export type PeriodWord = 'current' | 'previous';

export const periodWords: readonly PeriodWord[] = ['current', 'previous'];

export type DateType = PeriodWord | TypedValue;

export const dateTypes: readonly DateType[] = [...periodWords, ...typedValues];
