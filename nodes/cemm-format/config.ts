/** The stored properties of a format node. */
export const formats = ['values', 'rows', 'chart', 'influx', 'senml', 'homeassistant'] as const;

export interface FormatConfig {
  name: string;
  format: (typeof formats)[number];
}

export const formatDefaults: FormatConfig = {
  name: '',
  format: 'values',
};
