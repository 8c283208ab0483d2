/** The stored properties of a format node. */
import type { FieldRules } from '../lib/field-rules';

export const formats = [
  'values',
  'rows',
  'chart',
  'influx',
  'senml',
  'homeassistant',
  'homeassistant-history',
  'openmetrics',
  'homewizard',
] as const;

export interface FormatConfig {
  name: string;
  format: (typeof formats)[number];
  /** Names of fields, separated by commas; blank = those that the format takes by default. */
  fields: string;
  /** Home Assistant: seconds without a value after which sensors become unavailable; blank = never. */
  expireAfter: number | string;
  /** Home Assistant: announces a button that asks for values. */
  fetchButton: boolean;
  /** Of the stored properties. */
  version: number;
}

export const formatDefaults: FormatConfig = {
  name: '',
  format: 'values',
  fields: '',
  expireAfter: '',
  fetchButton: false,
  version: 2,
};

/** Of `expireAfter`: from the shortest poll to a week. */
export const expireSeconds = { min: 5, max: 604_800 } as const;

/** A function, so that a dialog that does not need it does not carry it. */
export function formatFields(): FieldRules<FormatConfig> {
  return {
    name: { is: 'text' },
    format: { is: 'text', values: formats },
    fields: { is: 'text', since: 2 },
    expireAfter: { is: 'number', range: expireSeconds, blank: true, since: 2 },
    fetchButton: { is: 'boolean', since: 2 },
    version: { is: 'number' },
  };
}

/** What the output sends depends on the format: it is no payload of this package any more. */
export const formatOutputs = [[]] as const;
