/** The stored properties of a balance node. */
import { type SpanConfig, spanDefaults, type TypedValue } from '../lib/shared-config';

export type BalancePeriod = 'now' | 'day' | 'month' | 'year';

export const balancePeriods: readonly BalancePeriod[] = ['now', 'day', 'month', 'year'];

/** `ask` the connection, or add up the `messages` that come in. */
export type BalanceSource = 'ask' | 'messages';

export const balanceSources: readonly BalanceSource[] = ['ask', 'messages'];

/** What the points of a day are. */
export type DayStep = '15m' | '1h';

export const daySteps: readonly DayStep[] = ['15m', '1h'];

export type PricesType = 'none' | 'json' | Exclude<TypedValue, 'str' | 'env'>;

export const pricesTypes: readonly PricesType[] = ['none', 'json', 'msg', 'flow', 'global', 'jsonata'];

export interface BalanceConfig extends SpanConfig {
  name: string;
  /** Id of the cemm-connection node. */
  connection: string;
  monitor: string;
  monitorType: TypedValue;
  source: BalanceSource;
  /** One of balancePeriods, or the expression of the typed input. */
  period: string;
  periodType: TypedValue;
  step: DayStep;
  /** Names separated by commas; blank: every meter of the role. The same for the three that follow. */
  grid: string;
  production: string;
  gas: string;
  water: string;
  /** Of a month: also read the minutes of every day, for the quarter-hour peak. */
  peak: boolean;
  prices: string;
  pricesType: PricesType;
  /** Seconds between two balances; 0 = only on input. At least 5 local, 10 remote. */
  interval: number;
}

export const balanceDefaults: BalanceConfig = {
  name: '',
  connection: '',
  monitor: '',
  monitorType: 'str',
  source: 'ask',
  period: 'day',
  periodType: 'str',
  step: '1h',
  ...spanDefaults,
  grid: '',
  production: '',
  gas: '',
  water: '',
  peak: false,
  prices: '',
  pricesType: 'none',
  interval: 900,
};

/** The interval that the dialog proposes per kind of connection, in seconds. */
export const proposedIntervals = {
  now: { local: 10, public: 10, demo: 10, remote: 60 },
  period: { local: 900, public: 900, demo: 900, remote: 900 },
} as const;
