/** The stored properties of a discovery node. */
import { type ConfigOf, defaultsOf, nameField } from '../lib/stored/config';
import { connectionField, intervalField, monitorFields } from '../lib/stored/shared-config';

export const scopes = ['network', 'monitors', 'meters'] as const;

export type Scope = (typeof scopes)[number];

export const emits = ['each', 'list'] as const;

/** Seconds. The last of the three search datagrams is sent after 2.5 s. */
export const waitRange = { min: 3, max: 60 } as const;

const inNetwork = { when: { scope: ['network'] } } as const;

export const discoveryFields = {
  name: nameField,
  /** All monitors of the local network, the monitors of a connection, or the meters of a monitor. */
  scope: { is: 'text', values: scopes, default: 'network' },
  connection: { ...connectionField, when: { scope: ['monitors', 'meters'] } },
  // Blank: the only one of the connection.
  monitor: { ...monitorFields.monitor, when: { scope: ['meters'] } },
  monitorType: monitorFields.monitorType,
  /** Seconds between two searches; 0 = only on input. At least 60 in the network, otherwise the minimum of the connection. */
  interval: intervalField,
  /** One message per found item, or one with all of them. */
  emit: { is: 'text', values: emits, default: 'each' },
  /** The address to query; blank = the broadcast address of every IPv4 interface. */
  broadcast: { is: 'text', check: 'broadcast', reason: 'broadcast', blank: true, default: '', ...inNetwork },
  /** A monitor to probe by its address as well, because a CEMM 3.0 does not answer a search; blank = none. */
  host: { is: 'text', check: 'host', reason: 'also_try', blank: true, default: '', ...inNetwork },
  /** Seconds for collecting answers. */
  wait: { is: 'number', range: waitRange, reason: 'wait', default: 5, ...inNetwork },
  version: { is: 'number', default: 1 },
} as const;

export type DiscoveryConfig = ConfigOf<typeof discoveryFields>;
export const discoveryDefaults = defaultsOf(discoveryFields);

/** Kinds of payload that the output sends. */
export const discoveryOutputs = [['monitor', 'meter']] as const;
