// The payload reference out of the JSON Schemas, which come out of the types: property by property, in words for people.
import type { Schema } from 'ts-json-schema-generator';
import type { PayloadKind } from '../src/model/payload';

/** What the reader learns first: the moment for which a kind is there. */
const introductions: Readonly<Record<PayloadKind, string>> = {
  realtime: 'The current values of one meter, from `cemm-realtime`.',
  series: 'A day, month or year of one meter as points, from `cemm-series`.',
  totals: 'The meter readings of a day, from `cemm-totals`.',
  webhook: 'What a monitor pushed, from the first output of `cemm-webhook-in`.',
  monitor: 'A monitor that was found, from `cemm-discovery`.',
  meter: 'A meter of a monitor, from `cemm-discovery`.',
  availability: 'A monitor went away or came back, from the second output of `cemm-realtime`.',
  problem: 'A call that was refused or a delivery that did not come, from the second output of `cemm-webhook-in`.',
  balance: 'The house as a whole, from `cemm-balance`.',
};

interface Row {
  readonly path: string;
  readonly type: string;
  readonly always: boolean;
  readonly text: string;
}

export function payloadReference(schemas: ReadonlyMap<PayloadKind, Schema>): string {
  const tables = new Map([...schemas].map(([kind, schema]) => [kind, rowsOf(schema)]));
  const [first = [], ...others] = tables.values();
  const isCommon = (row: Row): boolean => others.every((rows) => rows.some((other) => same(row, other)));
  const common = first.filter(isCommon);
  return [
    '# What is in `msg.payload`',
    'Every node sends one object in `msg.payload`; `kind` says which of the nine below it is. The version of this' +
      ' contract is in `schema`: as long as it says `cemm/1`, nothing here is renamed, removed or given another meaning.' +
      ' What is not known is `null` and never 0. Moments are numbers: milliseconds since 1970 (UTC), as JavaScript has them.',
    'The same as [JSON Schema](https://json-schema.org), one file per kind, is in the package:' +
      ' `node-red-contrib-cemm/schemas/realtime.json` and so on. TypeScript types of the same names are exported.' +
      ' The names and units of the values are in [fields.md](fields.md).',
    '`[]` stands for each entry of a list: `points[].ts` is the `ts` of each point.',
    '## In every payload',
    table(common),
    '## The meter',
    'In every payload that is about one: always `meter.role`, and what is known besides.',
    table(first.filter(isOfMeter)),
    ...[...tables].flatMap(([kind, rows]) => [
      `## kind \`${kind}\``,
      introductions[kind],
      table(rows.filter((row) => !isOfMeter(row) && !common.some((other) => same(row, other)))),
    ]),
    '',
  ].join('\n\n');
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

function rowsOf(schema: Schema, trail = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    if (typeof property === 'boolean') throw new Error(`${trail}${name} has a schema without content.`);
    if (property.$ref !== undefined) throw new Error(`${trail}${name} refers to another schema.`);
    const always = schema.required?.includes(name) ?? false;
    const path = `${trail}${name}`;
    return [
      { path, type: typeOf(property), always, text: cell(property.description ?? '') },
      ...rowsOf(property, `${path}.`),
      ...rowsOf(itemOf(property) ?? {}, `${path}[].`),
      ...rowsOf(entryOf(property) ?? {}, `${path}.<name>.`),
    ];
  });
}

function itemOf({ items }: Schema): Schema | null {
  return typeof items === 'object' && !Array.isArray(items) ? items : null;
}

/** What stands under each name of an object whose names are open. */
function entryOf({ additionalProperties }: Schema): Schema | null {
  return typeof additionalProperties === 'object' ? additionalProperties : null;
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const).replaceAll('"', '')}\``;
  if (schema.enum !== undefined)
    return schema.enum.map((word) => `\`${JSON.stringify(word).replaceAll('"', '')}\``).join(' · ');
  if (schema.anyOf !== undefined)
    return schema.anyOf.map((part) => (typeof part === 'boolean' ? '' : typeOf(part))).join(' or ');
  const item = itemOf(schema);
  if (item !== null) return `list of ${plural(typeOf(item))}`;
  const entry = entryOf(schema);
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
