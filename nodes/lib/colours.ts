/** One colour for one thing: on the page, in the charts and gauges of the dialogs, and in the pictures of the documentation. */
export const colours = {
  import: '#2079d8',
  export: '#12a37c',
  production: '#e98a00',
  battery: '#cf62ac',
  gas: '#e0592c',
  water: '#22a0d6',
} as const;

/** The house has the colour of the text. */
export type Colour = keyof typeof colours | 'house';
