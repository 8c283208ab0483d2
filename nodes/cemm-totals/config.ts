/** The stored properties of a totals node. */
import type { FieldRules } from '../lib/field-rules';
import {
  type DateType,
  dateTypes,
  intervalField,
  type MeterConfig,
  meterFields,
  periodWords,
} from '../lib/shared-config';

export interface TotalsConfig extends MeterConfig {
  name: string;
  /** Seconds between two requests; 0 = only on input. At least 5 local, 10 remote. */
  interval: number;
  date: string;
  dateType: DateType;
  /** Version of the stored properties. */
  version: number;
}

export const totalsDefaults: TotalsConfig = {
  name: '',
  connection: '',
  monitor: '',
  monitorType: 'str',
  alias: '',
  aliasType: 'str',
  role: 'auto',
  interval: 0,
  date: '',
  dateType: 'current',
  version: 1,
};

/** A function, to keep it out of dialogs that do not need it. */
export function totalsFields(): FieldRules<TotalsConfig> {
  return {
    name: { is: 'text' },
    connection: { is: 'text', refersTo: 'cemm-connection', needed: true, notPublic: 'check.public' },
    ...meterFields(false),
    interval: intervalField,
    date: { is: 'text', typed: periodWords, check: 'day', checksKind: true },
    dateType: { is: 'text', values: dateTypes },
    version: { is: 'number' },
  };
}

/** Kinds of payload that the output sends. */
export const totalsOutputs = [['totals']] as const;
