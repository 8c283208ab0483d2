/**
 * Settings shared by dialogs and runtime of several nodes: the stored form of monitor, meter and period, and the requests of
 * the dialogs.
 */
import { roles } from '../../src/limits';
import type { FieldRule, FieldRules } from './field-rules';

export const typedValues = ['str', 'msg', 'flow', 'global', 'env', 'jsonata'] as const;

export type TypedValue = (typeof typedValues)[number];

export const roleChoices = ['auto', ...roles] as const;

type RoleChoice = (typeof roleChoices)[number];

/** Stored properties of every node that reads a meter. */
export interface MeterConfig {
  /** Id of the cemm-connection node. */
  connection: string;
  monitor: string;
  monitorType: TypedValue;
  alias: string;
  aliasType: TypedValue;
  role: RoleChoice;
}

/** The kind of value of a typed input. */
export const typedTwin: FieldRule = { is: 'text', values: typedValues };

const monitorRule: FieldRule = { is: 'text', typed: [], check: 'mac', blank: true };

export const monitorFields = { monitor: monitorRule, monitorType: typedTwin } as const;

/** @param everyMeter true: a blank alias stands for all meters */
export function meterFields(everyMeter: boolean): FieldRules<Omit<MeterConfig, 'connection'>> {
  return {
    ...monitorFields,
    alias: {
      is: 'text',
      typed: [],
      check: 'alias',
      ...(everyMeter ? { blank: true } : { missing: 'check.aliasMissing' }),
    },
    aliasType: typedTwin,
    role: { is: 'text', values: roleChoices },
  };
}

export const intervalField: FieldRule = { is: 'number', isInterval: true };

/** `current`: the running period; `previous`: the one before it. */
export const periodWords = ['current', 'previous'] as const;

export type PeriodWord = (typeof periodWords)[number];

/** A period is stored as a typed value, or as one of two words. */
export const dateTypes = [...periodWords, ...typedValues] as const;

export type DateType = (typeof dateTypes)[number];

/** `one` period, a `range` of periods, or only the samples that are `new` since the last message. */
export const spans = ['one', 'range', 'new'] as const;

export type Span = (typeof spans)[number];

/** A property with a date; its twin `…Type` has the kind of the date. */
export type SpanDate = 'date' | 'from' | 'to';

/** The dates that each span needs. */
export const datesOfSpan: Readonly<Record<Span, readonly SpanDate[]>> = {
  one: ['date'],
  range: ['from', 'to'],
  new: [],
};

/** Stored properties of every node that reads periods. */
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

const dateTwin: FieldRule = { is: 'text', values: dateTypes };

/** @param where conditions that all of its rules share */
export function spanFields(where: Pick<FieldRule, 'connection' | 'unless'>): FieldRules<SpanConfig> {
  const dateOf = (span: Span): FieldRule => ({
    ...{ is: 'text', typed: periodWords, check: 'date' },
    ...where,
    when: { span: [span] },
  });
  return {
    span: { is: 'text', values: spans },
    date: dateOf('one'),
    dateType: dateTwin,
    from: dateOf('range'),
    fromType: dateTwin,
    to: { ...dateOf('range'), check: 'end', checksKind: true },
    toType: dateTwin,
  };
}
