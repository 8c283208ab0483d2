/** The stored properties of a discovery node. */
import type { FieldRules } from '../lib/field-rules';
import { intervalField, monitorFields, type TypedValue } from '../lib/shared-config';

export const scopes = ['network', 'monitors', 'meters'] as const;

export type Scope = (typeof scopes)[number];

export const emits = ['each', 'list'] as const;

export interface DiscoveryConfig {
  name: string;
  /** All monitors of the local network, the monitors of a connection, or the meters of a monitor. */
  scope: Scope;
  /** Id of the cemm-connection node; for `monitors` and `meters`. */
  connection: string;
  /** For `meters`; blank = the only one of the connection. */
  monitor: string;
  monitorType: TypedValue;
  /** Seconds between two searches; 0 = only on input. At least 60 in the network, otherwise the minimum of the connection. */
  interval: number;
  /** One message per found item, or one with all of them. */
  emit: (typeof emits)[number];
  /** For `network`: the address to query; blank = the broadcast address of every IPv4 interface. */
  broadcast: string;
  /** For `network`: a monitor to probe by its address as well, because a CEMM 3.0 does not answer a search; blank = none. */
  host: string;
  /** For `network`: seconds for collecting answers. */
  wait: number;
  /** Version of the stored properties. */
  version: number;
}

export const discoveryDefaults: DiscoveryConfig = {
  name: '',
  scope: 'network',
  connection: '',
  monitor: '',
  monitorType: 'str',
  interval: 0,
  emit: 'each',
  broadcast: '',
  host: '',
  wait: 5,
  version: 1,
};

/** Seconds. The last of the three search datagrams is sent after 2.5 s. */
export const waitRange = { min: 3, max: 60 } as const;

/** A function, to keep it out of dialogs that do not need it. */
export function discoveryFields(): FieldRules<DiscoveryConfig> {
  const inNetwork = { when: { scope: ['network'] } } as const;
  return {
    name: { is: 'text' },
    scope: { is: 'text', values: scopes },
    connection: { is: 'text', refersTo: 'cemm-connection', needed: true, when: { scope: ['monitors', 'meters'] } },
    monitor: { ...monitorFields.monitor, when: { scope: ['meters'] } },
    monitorType: monitorFields.monitorType,
    interval: intervalField,
    emit: { is: 'text', values: emits },
    broadcast: { is: 'text', check: 'broadcast', blank: true, ...inNetwork },
    host: { is: 'text', check: 'host', blank: true, ...inNetwork },
    wait: { is: 'number', range: waitRange, ...inNetwork },
    version: { is: 'number' },
  };
}

/** Kinds of payload that the output sends. */
export const discoveryOutputs = [['monitor', 'meter']] as const;
