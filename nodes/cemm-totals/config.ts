/** The stored properties of a totals node. */
import type { DateType, MeterConfig } from '../lib/shared-config';

export interface TotalsConfig extends MeterConfig {
  name: string;
  /** Seconds between two requests; 0 = only on input. At least 5 local, 10 remote. */
  interval: number;
  date: string;
  dateType: DateType;
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
};
