/** The stored properties of a realtime node. */
import type { FieldRules } from '../lib/field-rules';
import { intervalField, type MeterConfig, meterFields } from '../lib/shared-config';

export interface RealtimeConfig extends MeterConfig {
  name: string;
  /** Seconds between two readings; 0 = only on input. At least 5 local, 10 remote. */
  interval: number;
  /** Send only when a value or its timestamp changed. */
  onlyChanges: boolean;
  /** Version of the stored properties. */
  version: number;
}

export const realtimeDefaults: RealtimeConfig = {
  name: '',
  connection: '',
  monitor: '',
  monitorType: 'str',
  alias: '',
  aliasType: 'str',
  role: 'auto',
  interval: 10,
  onlyChanges: false,
  version: 1,
};

/** A function, to keep it out of dialogs that do not need it. */
export function realtimeFields(): FieldRules<RealtimeConfig> {
  return {
    name: { is: 'text' },
    connection: { is: 'text', refersTo: 'cemm-connection', needed: true, notPublic: 'check.public' },
    ...meterFields(true),
    interval: intervalField,
    onlyChanges: { is: 'boolean' },
    version: { is: 'number' },
  };
}

/** Kinds of payload that each output sends. */
export const realtimeOutputs = [['realtime'], ['availability']] as const;

/** The default interval of the dialog per kind of connection, in seconds. */
export const proposedIntervals = { local: 10, public: 10, demo: 10, remote: 60 } as const;
