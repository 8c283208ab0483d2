/** The stored properties of a format node. */
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
}

export const formatDefaults: FormatConfig = {
  name: '',
  format: 'values',
  fields: '',
  expireAfter: '',
  fetchButton: false,
};

/** Of `expireAfter`: from the shortest poll to a week. */
export const expireSeconds = { min: 5, max: 604_800 } as const;
