/**
 * Strict reader of the texts for Prometheus, by their specifications: OpenMetrics 1.0
 * (https://prometheus.io/docs/specs/om/open_metrics_spec/) and the text format 0.0.4.
 */

export interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** In its own unit: seconds in OpenMetrics, milliseconds in the text format. */
  readonly timestamp: number | null;
}

export interface ReadFamily {
  type: string | null;
  unit: string | null;
  help: string | null;
  readonly samples: ReadSample[];
}

type Keyword = 'TYPE' | 'UNIT' | 'HELP';

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const realNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const openMetricsTypes = ['unknown', 'gauge', 'counter', 'stateset', 'info', 'histogram', 'gaugehistogram', 'summary'];
const textTypes = ['untyped', 'gauge', 'counter', 'histogram', 'summary'];

/** @throws {Error} with the rule of the specification that a line breaks */
export function readOpenMetrics(text: string): Map<string, ReadFamily> {
  if (!text.endsWith('# EOF\n')) throw new Error('does not end with # EOF');
  const lines = text.slice(0, -'# EOF\n'.length);
  const families = readFamilies(lines, openMetricsTypes, (name, type) => (type === 'counter' ? `${name}_total` : name));
  for (const [name, { type, unit }] of families) {
    if (unit !== null && !name.endsWith(`_${unit}`)) throw new Error(`${name} does not end with its unit`);
    if (/_(?:total|created|count|sum|bucket|info)$/.test(name)) throw new Error(`${name} has a reserved ending`);
    if (type === null) throw new Error(`${name} has no type`);
  }
  return families;
}

/** @throws {Error} with the rule of the format that a line breaks */
export function readText(text: string): Map<string, ReadFamily> {
  return readFamilies(text, textTypes, (name) => name);
}

function readFamilies(
  text: string,
  types: readonly string[],
  sampleNameOf: (name: string, type: string | null) => string,
): Map<string, ReadFamily> {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line has no line feed');
  const families = new Map<string, ReadFamily>();
  const seen = new Set<string>();
  let current = '';
  for (const line of text.split('\n').slice(0, -1)) {
    const described = /^# (TYPE|UNIT|HELP) (\S+) (.*)$/.exec(line);
    if (described !== null) {
      const [, keyword = '', name = '', value = ''] = described;
      if (!metricName.test(name)) throw new Error(`no name of a metric: ${name}`);
      // A family is described before its samples, in one place.
      if (name !== current && families.has(name)) throw new Error(`${name} is in two places`);
      current = name;
      setMetadata(family(families, name), keyword as Keyword, value, types);
      continue;
    }
    const sample = readSample(line);
    const { type } = family(families, current);
    if (sample.name !== sampleNameOf(current, type)) throw new Error(`${sample.name} is not of ${current}`);
    const key = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(key)) throw new Error(`there twice: ${line}`);
    seen.add(key);
    if (type === 'counter' && sample.value < 0) throw new Error(`a counter below 0: ${line}`);
    family(families, current).samples.push(sample);
  }
  return families;
}

function family(families: Map<string, ReadFamily>, name: string): ReadFamily {
  const found = families.get(name) ?? { type: null, unit: null, help: null, samples: [] };
  families.set(name, found);
  return found;
}

function setMetadata(found: ReadFamily, keyword: Keyword, value: string, types: readonly string[]): void {
  if (found.samples.length > 0) throw new Error(`${keyword} behind a sample`);
  const property = keyword === 'TYPE' ? 'type' : keyword === 'UNIT' ? 'unit' : 'help';
  if (found[property] !== null) throw new Error(`${keyword} twice`);
  if (keyword === 'TYPE' && !types.includes(value)) throw new Error(`unknown type ${value}`);
  if (keyword === 'HELP' && /\\(?![\\n"])/.test(value)) throw new Error(`wrong escape in ${value}`);
  found[property] = value;
}

function readSample(line: string): ReadSample {
  const name = /^[^{ ]+/.exec(line)?.[0] ?? '';
  if (!metricName.test(name)) throw new Error(`no sample: ${line}`);
  let rest = line.slice(name.length);
  const labels: Record<string, string> = {};
  if (rest.startsWith('{')) {
    rest = rest.slice(1);
    while (!rest.startsWith('}')) {
      const label = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\n"])*)"(?:,(?!\})|(?=\}))/.exec(rest);
      if (label === null) throw new Error(`no label: ${rest}`);
      const [all, key = '', value = ''] = label;
      if (key in labels) throw new Error(`${key} twice`);
      labels[key] = value.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
      rest = rest.slice(all.length);
    }
    rest = rest.slice(1);
  }
  const [nothing, value = '', timestamp, ...more] = rest.split(' ');
  if (nothing !== '' || more.length > 0) throw new Error(`no value: ${rest}`);
  for (const number of [value, timestamp ?? '0']) if (!realNumber.test(number)) throw new Error(`no number: ${number}`);
  return { name, labels, value: Number(value), timestamp: timestamp === undefined ? null : Number(timestamp) };
}
