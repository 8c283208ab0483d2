/** The stored properties of a format node. */
import { formats } from '../../src/limits';
import type { FieldRules } from '../lib/field-rules';

export interface FormatConfig {
  name: string;
  format: (typeof formats)[number];
  /** Field names, separated by commas; blank = the default fields of the format. */
  fields: string;
  /** Home Assistant: seconds without a value after which sensors become unavailable; blank = never. */
  expireAfter: number | string;
  /** Home Assistant: announces a button that requests values. */
  fetchButton: boolean;
  /** Version of the stored properties. */
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

/** Range of `expireAfter`: from the shortest polling interval to a week. */
export const expireSeconds = { min: 5, max: 604_800 } as const;

/** A function, to keep it out of dialogs that do not need it. */
export function formatFields(): FieldRules<FormatConfig> {
  return {
    name: { is: 'text' },
    format: { is: 'text', values: formats },
    fields: { is: 'text' },
    expireAfter: { is: 'number', range: expireSeconds, blank: true },
    fetchButton: { is: 'boolean' },
    version: { is: 'number' },
  };
}

/** The output depends on the format: it is no longer a payload of this package. */
export const formatOutputs = [[]] as const;
