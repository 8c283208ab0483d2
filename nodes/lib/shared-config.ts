/** What dialogs and runtime of several nodes agree on: how monitor, meter and period are stored, and how dialogs ask. */
import { roles } from '../../src/limits';

export type TypedValue = 'str' | 'msg' | 'flow' | 'global' | 'env' | 'jsonata';

export const typedValues: readonly TypedValue[] = ['str', 'msg', 'flow', 'global', 'env', 'jsonata'];

type RoleChoice = 'auto' | (typeof roles)[number];

export const roleChoices: readonly RoleChoice[] = ['auto', ...roles];

/** What every node that reads a meter stores. */
export interface MeterConfig {
  /** Id of the cemm-connection node. */
  connection: string;
  monitor: string;
  monitorType: TypedValue;
  alias: string;
  aliasType: TypedValue;
  role: RoleChoice;
}

/** `current`: the period that is running now; `previous`: the one before it. */
export type PeriodWord = 'current' | 'previous';

export const periodWords: readonly PeriodWord[] = ['current', 'previous'];

/** A period is stored as a typed value, or as one of two words of its own. */
export type DateType = PeriodWord | TypedValue;

export const dateTypes: readonly DateType[] = [...periodWords, ...typedValues];

/** `one` period, a `range` of periods, or only what is `new` since the last message. */
export type Span = 'one' | 'range' | 'new';

export const spans: readonly Span[] = ['one', 'range', 'new'];

/** A property that holds a date; its twin `…Type` holds the kind of the date. */
export type SpanDate = 'date' | 'from' | 'to';

/** The dates that a span needs. */
export const datesOfSpan: Readonly<Record<Span, readonly SpanDate[]>> = {
  one: ['date'],
  range: ['from', 'to'],
  new: [],
};

/** What every node that reads periods stores. */
export interface SpanConfig {
  span: Span;
  /** For `one`. */
  date: string;
  dateType: DateType;
  /** For `range`, inclusive. */
  from: string;
  fromType: DateType;
  /** For `range`, inclusive. */
  to: string;
  toType: DateType;
}

export const spanDefaults: SpanConfig = {
  span: 'one',
  date: '',
  dateType: 'current',
  from: '',
  fromType: 'previous',
  to: '',
  toType: 'current',
};
