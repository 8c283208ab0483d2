/** The stored properties of a realtime node (contract.md section 1). */
import type { MeterConfig } from '../lib/shared-config';

export interface RealtimeConfig extends MeterConfig {
  name: string;
  /** Seconds between two readings; 0 = only on input. Floor 5 local, 10 remote. */
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

/** Smallest polling interval per kind of connection, in seconds, and the one that the editor proposes. */
export const realtimeIntervals = {
  local: { floor: 5, proposed: 10 },
  public: { floor: 5, proposed: 10 },
  demo: { floor: 5, proposed: 10 },
  remote: { floor: 10, proposed: 60 },
} as const;
