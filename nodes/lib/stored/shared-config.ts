/**
 * Settings shared by dialogs and runtime of several nodes: the stored form of monitor, meter and period, and the requests of
 * the dialogs.
 */
import { roles } from '../../../src/checks/limits';
import type { ConfigOf } from './config';
import type { FieldRule } from './field-rules';

export const typedValues = ['str', 'msg', 'flow', 'global', 'env', 'jsonata'] as const;

export type TypedValue = (typeof typedValues)[number];

const roleChoices = ['auto', ...roles] as const;

/** The kind of value of a typed input. */
export const typedTwin = { is: 'text', values: typedValues, default: 'str' } as const;

/** Id of the cemm-connection node. */
export const connectionField = { is: 'text', refersTo: 'cemm-connection', needed: true, default: '' } as const;

export const monitorFields = {
  monitor: { is: 'text', typed: [], check: 'mac', blank: true, default: '' },
  monitorType: typedTwin,
} as const;

export const aliasField = { is: 'text', typed: [], check: 'alias', default: '' } as const;

/** Stored properties of every node that reads a meter. */
export const meterFields = {
  connection: connectionField,
  ...monitorFields,
  alias: { ...aliasField, missing: 'check.aliasMissing' },
  aliasType: typedTwin,
  role: { is: 'text', values: roleChoices, default: 'auto' },
} as const;

export type MeterConfig = ConfigOf<typeof meterFields>;

/** Seconds between two requests; 0 = only on input. At least 5 local, 10 remote. */
export const intervalField = { is: 'number', isInterval: true, reason: 'interval', default: 0 } as const;

/** `current`: the running period; `previous`: the one before it. */
export const periodWords = ['current', 'previous'] as const;

export type PeriodWord = (typeof periodWords)[number];

/** A period is stored as a typed value, or as one of two words. */
export const dateTypes = [...periodWords, ...typedValues] as const;

export type DateType = (typeof dateTypes)[number];

/** `one` period, a `range` of periods, or only the samples that are `new` since the last message. */
const spans = ['one', 'range', 'new'] as const;

/** A property with a date; its twin `…Type` has the kind of the date. */
export type SpanDate = 'date' | 'from' | 'to';

const dateTwin = { is: 'text', values: dateTypes, default: 'current' } as const;

/**
 * Stored properties of every node that reads periods: `date` is for `one`, `from` and `to` (inclusive) are for `range`.
 * @param where conditions that all of its rules share
 */
export function spanFields(where: Pick<FieldRule, 'connection' | 'unless'>) {
  const date = { is: 'text', typed: periodWords, check: 'date', default: '', ...where } as const;
  return {
    span: { is: 'text', values: spans, default: 'one' },
    date: { ...date, when: { span: ['one'] } },
    dateType: dateTwin,
    from: { ...date, when: { span: ['range'] } },
    fromType: { ...dateTwin, default: 'previous' },
    to: { ...date, when: { span: ['range'] }, check: 'end', checksKind: true },
    toType: dateTwin,
  } as const;
}

export type SpanConfig = ConfigOf<ReturnType<typeof spanFields>>;
