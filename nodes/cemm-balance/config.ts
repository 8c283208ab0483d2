/** The stored properties of a balance node. */
import { type ConfigOf, defaultsOf, nameField, pricesField } from '../lib/stored/config';
import { connectionField, intervalField, monitorFields, spanFields, typedTwin } from '../lib/stored/shared-config';

export const balancePeriods = ['now', 'day', 'week', 'month', 'year'] as const;

export type BalancePeriod = (typeof balancePeriods)[number];

/** `ask` the connection, or add up the incoming `messages`. */
const balanceSources = ['ask', 'messages'] as const;

/** Length of the points of a day. */
export const daySteps = ['15m', '1h'] as const;

export type DayStep = (typeof daySteps)[number];

/** A question may also ask for the minutes of a day, as far as they are kept. */
export const askedSteps = ['1m', ...daySteps] as const;

export type AskedStep = (typeof askedSteps)[number];

/** `connection`: the prices of the house, from the connection. */
export const pricesTypes = ['none', 'connection', 'json', 'msg', 'flow', 'global', 'jsonata'] as const;

const asking = { source: ['ask'] } as const;
const ofMoment = { periodType: ['str'], period: ['now'] } as const;
const ofPeriods = { unless: ofMoment } as const;
/** Names separated by commas; blank: every meter of the role. */
const meters = { is: 'text', check: 'meters', blank: true, default: '' } as const;

export const balanceFields = {
  name: nameField,
  connection: { ...connectionField, needed: asking, notPublic: 'check.public', notPublicWhen: ofMoment },
  // With messages it may also be an installation.
  monitor: { ...monitorFields.monitor, when: asking },
  monitorType: monitorFields.monitorType,
  source: { is: 'text', values: balanceSources, default: 'ask' },
  /** One of balancePeriods, or the expression of the typed input. */
  period: { is: 'text', typed: [], values: balancePeriods, default: 'day' },
  periodType: typedTwin,
  step: { is: 'text', values: daySteps, default: '1h' },
  ...spanFields(ofPeriods),
  grid: meters,
  production: meters,
  /** `-mb5` counts the discharge as import. */
  battery: { ...meters, check: 'battery' },
  gas: meters,
  water: meters,
  /** Long periods answer at once with what is known, and again while it grows. */
  progress: { is: 'boolean', default: false },
  /** For a month: also read the minutes of every day, for the quarter-hour peak. */
  peak: { is: 'boolean', default: false },
  prices: { ...pricesField, typed: ['none', 'connection', 'json'], ...ofPeriods },
  pricesType: { is: 'text', values: pricesTypes, default: 'none' },
  /** With messages and without a connection: what is added up is kept in the user folder (`cemm/`). */
  keepDays: { is: 'boolean', default: true, when: { source: ['messages'] } },
  interval: { ...intervalField, default: 900 },
  version: { is: 'number', default: 1 },
} as const;

export type BalanceConfig = ConfigOf<typeof balanceFields>;
export const balanceDefaults = defaultsOf(balanceFields);

/** Kinds of payload that the output sends. */
export const balanceOutputs = [['balance']] as const;

/** The interval that the dialog proposes per kind of connection, in seconds. */
export const proposedIntervals = {
  now: { local: 10, public: 10, demo: 10, remote: 60 },
  period: { local: 900, public: 900, demo: 900, remote: 900 },
} as const;

/** The meters that a field lists. */
export function splitMeterList(list: string): string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
