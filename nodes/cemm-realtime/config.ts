/** The stored properties of a realtime node. */
import { type ConfigOf, defaultsOf, nameField } from '../lib/stored/config';
import { aliasField, connectionField, intervalField, meterFields } from '../lib/stored/shared-config';

export const realtimeFields = {
  name: nameField,
  ...meterFields,
  connection: { ...connectionField, notPublic: 'check.public' },
  // Blank: every meter.
  alias: { ...aliasField, blank: true },
  interval: { ...intervalField, default: 10 },
  /** Send only when a value or its timestamp changed. */
  onlyChanges: { is: 'boolean', default: false },
  version: { is: 'number', default: 1 },
} as const;

export type RealtimeConfig = ConfigOf<typeof realtimeFields>;
export const realtimeDefaults = defaultsOf(realtimeFields);

/** Kinds of payload that each output sends. */
export const realtimeOutputs = [['realtime'], ['availability']] as const;

/** The default interval of the dialog per kind of connection, in seconds. */
export const proposedIntervals = { local: 10, public: 10, demo: 10, remote: 60 } as const;
