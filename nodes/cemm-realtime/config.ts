/** The stored properties of a realtime node. */
import type { MeterConfig } from '../lib/shared-config';

export interface RealtimeConfig extends MeterConfig {
  name: string;
  /** Seconds between two readings; 0 = only on input. At least 5 local, 10 remote. */
  interval: number;
  /** Send only when a value or its timestamp changed. */
  onlyChanges: boolean;
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
};

/** The default interval of the dialog per kind of connection, in seconds. */
export const proposedIntervals = { local: 10, public: 10, demo: 10, remote: 60 } as const;
