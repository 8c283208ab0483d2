/** The stored properties of a format node. */
export const formats = [
  'values',
  'rows',
  'chart',
  'influx',
  'senml',
  'homeassistant',
  'homeassistant-history',
] as const;

export interface FormatConfig {
  name: string;
  format: (typeof formats)[number];
  /** Names of fields, separated by commas; blank = those that the format takes by default. */
  fields: string;
}

export const formatDefaults: FormatConfig = {
  name: '',
  format: 'values',
  fields: '',
};
