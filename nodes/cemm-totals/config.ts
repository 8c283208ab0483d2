/** The stored properties of a totals node. */
import { type ConfigOf, defaultsOf, nameField } from '../lib/stored/config';
import { connectionField, dateTypes, intervalField, meterFields, periodWords } from '../lib/stored/shared-config';

export const totalsFields = {
  name: nameField,
  ...meterFields,
  connection: { ...connectionField, notPublic: 'check.public' },
  interval: intervalField,
  date: { is: 'text', typed: periodWords, check: 'day', checksKind: true, default: '' },
  dateType: { is: 'text', values: dateTypes, default: 'current' },
  version: { is: 'number', default: 1 },
} as const;

export type TotalsConfig = ConfigOf<typeof totalsFields>;
export const totalsDefaults = defaultsOf(totalsFields);

/** Kinds of payload that the output sends. */
export const totalsOutputs = [['totals']] as const;
