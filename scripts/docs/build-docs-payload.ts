/** Makes docs/payload.md from the JSON Schemas, which are generated from the types in src/model/payload.ts. */
import type { Schema } from 'ts-json-schema-generator';
import type { PayloadKind } from '../../src/model/payload';

/** First sentence of the section of each kind. */
const introductions: Readonly<Record<PayloadKind, string>> = {
  realtime: 'The current values of one meter, from `cemm-realtime`.',
  series: 'A day, month or year of one meter as points, from `cemm-series`.',
  totals: 'The meter readings of a day, from `cemm-totals`.',
  webhook: 'A delivery of a monitor, from the first output of `cemm-webhook-in`.',
  monitor: 'A monitor that was found, from `cemm-discovery`.',
  meter: 'A meter of a monitor, from `cemm-discovery`.',
  availability: 'A monitor or meter went offline or came back online, from the second output of `cemm-realtime`.',
  problem: 'A rejected request or a missed delivery, from the second output of `cemm-webhook-in`.',
  balance:
    'The house as a whole: what the node `cemm-balance` sends. [balance.md](balance.md) says how its numbers are made.',
};

interface Row {
  readonly path: string;
  readonly type: string;
  readonly always: boolean;
  readonly text: string;
}

export function payloadReference(schemas: ReadonlyMap<PayloadKind, Schema>): string {
  const tables = new Map([...schemas].map(([kind, schema]) => [kind, listSchemaRows(schema)]));
  const [first = [], ...others] = tables.values();
  const isCommon = (row: Row): boolean => others.every((rows) => rows.some((other) => same(row, other)));
  const common = first.filter(isCommon);
  return [
    '# What is in `msg.payload`',
    'Every node sends an object in `msg.payload`. Its `kind` is one of those below. Its `schema` is the version: in `cemm/1`,' +
      ' no property is renamed, removed or given another meaning. A missing value is `null`, never 0. Times are Unix' +
      ' milliseconds, as in JavaScript.',
    'The package has a [JSON Schema](https://json-schema.org) for each kind, such as' +
      ' `node-red-contrib-cemm/schemas/realtime.json`, and exports TypeScript types.' +
      ' [fields.md](fields.md) lists the names and units of the values.',
    '`[]` stands for each entry of a list: `points[].ts` is the `ts` of each point.',
    '## In every payload',
    table(common),
    '## The meter',
    'In every payload about a meter. Unknown properties are absent, except `meter.role`.',
    table(first.filter(isOfMeter)),
    ...[...tables].flatMap(([kind, rows]) => {
      const own = rows.filter((row) => !isOfMeter(row) && !common.some((other) => same(row, other)));
      // The heading says the kind.
      return [
        `## kind \`${kind}\``,
        introductions[kind],
        table(withoutRepeats(own).filter(({ path }) => path !== 'kind')),
      ];
    }),
    '',
  ].join('\n\n');
}

/** The properties of an object are listed once: where another one has the same, it refers to the first. */
function withoutRepeats(rows: readonly Row[]): Row[] {
  const known = new Map<string, string>();
  const repeated = new Map<string, string>();
  for (const { path } of rows) {
    const properties = propertiesOf(rows, path);
    if (properties.length === 0) continue;
    const listed = JSON.stringify(properties);
    const first = known.get(listed);
    if (first === undefined) known.set(listed, path);
    else repeated.set(path, first);
  }
  return rows
    .filter(({ path }) => ![...repeated.keys()].some((parent) => path.startsWith(parent) && path !== parent))
    .map((row) => {
      const first = repeated.get(row.path);
      return first === undefined ? row : { ...row, text: `${row.text} Its properties are those of \`${first}\`.` };
    });
}

/** The rows below a path, with the rest of their paths. */
function propertiesOf(rows: readonly Row[], parent: string): Row[] {
  return rows.flatMap((row) => {
    const [, rest] = row.path.startsWith(parent) ? (/^(?:\[\])?\.(.+)$/.exec(row.path.slice(parent.length)) ?? []) : [];
    return rest === undefined ? [] : [{ ...row, path: rest }];
  });
}

function isOfMeter({ path }: Row): boolean {
  return path.startsWith('meter.');
}

function same(one: Row, other: Row): boolean {
  return one.path === other.path && one.type === other.type && one.text === other.text;
}

function table(rows: readonly Row[]): string {
  return [
    '| Property | Type | Always there | Meaning |',
    '|---|---|---|---|',
    ...rows.map(({ path, type, always, text }) => `| \`${path}\` | ${type} | ${always ? 'yes' : ''} | ${text} |`),
  ].join('\n');
}

function listSchemaRows(schema: Schema, trail = ''): Row[] {
  const options = (schema.anyOf ?? []).filter((part) => typeof part !== 'boolean');
  return [
    ...ownRowsOf(schema, trail),
    ...ofEither(options.filter(isObject).map((part) => listSchemaRows(part, trail))),
  ];
}

function isObject({ properties }: Schema): boolean {
  return properties !== undefined;
}

/** The rows of all options: a property of several options is one row, which is always there only if it is in each. */
function ofEither(options: readonly (readonly Row[])[]): Row[] {
  const paths = [...new Set(options.flatMap((rows) => rows.map(({ path }) => path)))];
  return paths.map((path) => {
    const found = options.flatMap((rows) => rows.filter((row) => row.path === path));
    const distinct = (of: (row: Row) => string): string[] => [...new Set(found.map(of))].filter((text) => text !== '');
    return {
      path,
      type: distinct(({ type }) => type)
        .filter((type, _index, types) => !types.some((other) => other !== type && other.startsWith(type)))
        .join(' or '),
      always: found.length === options.length && found.every(({ always }) => always),
      text: distinct(({ text }) => text).join(' Or: '),
    };
  });
}

function ownRowsOf(schema: Schema, trail: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === 'boolean') throw new Error(`${trail}${name} has a schema without content.`);
    if (property.$ref !== undefined) throw new Error(`${trail}${name} refers to another schema.`);
    const always = schema.required?.includes(name) ?? false;
    const path = `${trail}${name}`;
    return [
      { path, type: typeOf(property), always, text: cell(property.description ?? '') },
      ...listSchemaRows(property, `${path}.`),
      ...listSchemaRows(itemOf(property) ?? {}, `${path}[].`),
      ...listSchemaRows(findEntrySchema(property) ?? {}, `${path}.<name>.`),
    ];
  });
}

function itemOf({ items }: Schema): Schema | null {
  return typeof items === 'object' && !Array.isArray(items) ? items : null;
}

/** The schema of the values of an object with arbitrary names. */
function findEntrySchema({ additionalProperties }: Schema): Schema | null {
  return typeof additionalProperties === 'object' ? additionalProperties : null;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const).replaceAll('"', '')}\``;
  if (schema.enum !== undefined)
    return schema.enum.map((word) => `\`${JSON.stringify(word).replaceAll('"', '')}\``).join(' · ');
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((part) => (typeof part === 'boolean' ? '' : typeOf(part))))].join(' or ');
  const item = itemOf(schema);
  if (item !== null) return `list of ${plural(typeOf(item))}`;
  const entry = findEntrySchema(schema);
  if (entry !== null && schema.properties === undefined) return `object: name → ${typeOf(entry)}`;
  if (schema.type === undefined) return 'anything';
  return [schema.type].flat().join(' or ');
}

function plural(type: string): string {
  return /^\w+$/.test(type) ? `${type}s` : type;
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}
