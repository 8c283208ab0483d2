/** The stored properties of a format node. */
import { formats } from '../../src/checks/limits';
import { type ConfigOf, defaultsOf, nameField } from '../lib/stored/config';

/** Range of `expireAfter`: from the shortest polling interval to a week. */
export const expireSeconds = { min: 5, max: 604_800 } as const;

export const formatFields = {
  name: nameField,
  format: { is: 'text', values: formats, default: 'values' },
  /** Field names, separated by commas; blank = the default fields of the format. */
  fields: { is: 'text', replacesVariables: true, default: '' },
  /** Price list: the connection whose time zone the prices have; blank = that of the message. */
  connection: { is: 'text', refersTo: 'cemm-connection', default: '', when: { format: ['price-list'] } },
  /** Home Assistant: seconds without a value after which sensors become unavailable; blank = never. */
  expireAfter: {
    is: 'number',
    range: expireSeconds,
    reason: 'expire_after',
    blank: true,
    default: '',
    when: { format: ['homeassistant'] },
  },
  /** Home Assistant: announces a button that requests values. */
  fetchButton: { is: 'boolean', default: false },
  version: { is: 'number', default: 2 },
} as const;

export type FormatConfig = ConfigOf<typeof formatFields>;
export const formatDefaults = defaultsOf(formatFields);

/** The output depends on the format: it is no longer a payload of this package. */
export const formatOutputs = [[]] as const;
