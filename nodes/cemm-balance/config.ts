/** The stored properties of a balance node. */
import type { FieldRule, FieldRules } from '../lib/field-rules';
import {
  intervalField,
  monitorFields,
  type SpanConfig,
  spanDefaults,
  spanFields,
  type TypedValue,
  typedTwin,
} from '../lib/shared-config';

export const balancePeriods = ['now', 'day', 'month', 'year'] as const;

export type BalancePeriod = (typeof balancePeriods)[number];

/** `ask` the connection, or add up the incoming `messages`. */
export const balanceSources = ['ask', 'messages'] as const;

export type BalanceSource = (typeof balanceSources)[number];

/** Length of the points of a day. */
export const daySteps = ['15m', '1h'] as const;

export type DayStep = (typeof daySteps)[number];

export const pricesTypes = ['none', 'json', 'msg', 'flow', 'global', 'jsonata'] as const;

export type PricesType = (typeof pricesTypes)[number];

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
  /** Names separated by commas; blank: every meter of the role. Also applies to the next three. */
  grid: string;
  production: string;
  gas: string;
  water: string;
  /** For a month: also read the minutes of every day, for the quarter-hour peak. */
  peak: boolean;
  prices: string;
  pricesType: PricesType;
  /** Seconds between two balances; 0 = only on input. At least 5 local, 10 remote. */
  interval: number;
  /** Version of the stored properties. */
  version: number;
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
  version: 1,
};

/** A function, to keep it out of dialogs that do not need it. */
export function balanceFields(): FieldRules<BalanceConfig> {
  const asking = { source: ['ask'] } as const;
  const ofPeriods = { unless: { periodType: ['str'], period: ['now'] } } as const;
  const meters: FieldRule = { is: 'text', check: 'meters', blank: true };
  return {
    name: { is: 'text' },
    connection: { is: 'text', refersTo: 'cemm-connection', needed: asking, notPublic: 'check.public' },
    // With messages it may also be an installation.
    monitor: { ...monitorFields.monitor, when: asking },
    monitorType: monitorFields.monitorType,
    source: { is: 'text', values: balanceSources },
    period: { is: 'text', typed: [], values: balancePeriods },
    periodType: typedTwin,
    step: { is: 'text', values: daySteps },
    ...spanFields(ofPeriods),
    grid: meters,
    production: meters,
    gas: meters,
    water: meters,
    peak: { is: 'boolean' },
    prices: { is: 'text', typed: ['none', 'json'], check: 'prices', checksKind: true, ...ofPeriods },
    pricesType: { is: 'text', values: pricesTypes },
    interval: intervalField,
    version: { is: 'number' },
  };
}

/** Kinds of payload that the output sends. */
export const balanceOutputs = [['balance']] as const;

/** The interval that the dialog proposes per kind of connection, in seconds. */
export const proposedIntervals = {
  now: { local: 10, public: 10, demo: 10, remote: 60 },
  period: { local: 900, public: 900, demo: 900, remote: 900 },
} as const;

/** The meters that a field lists. */
export function namesIn(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
