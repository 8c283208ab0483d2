/** One colour for one thing: on the page, in the charts and gauges of the dialogs, and in the pictures of the documentation. */
export const colours = {
  import: '#3f6fb5',
  export: '#0d8577',
  production: '#c98500',
  battery: '#8455b0',
  gas: '#c2552d',
  water: '#0e86b4',
  house: '#5b6e6c',
} as const;

export type Colour = keyof typeof colours;
