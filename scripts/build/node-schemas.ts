/**
 * Generates a JSON Schema (draft-07) of each node type from the rules in its config.ts, the labels in its dialog and its help:
 * the node in a flow file, the message properties that it reads (`definitions.input`), the messages of each output
 * (`definitions.output1` …), and the names of its credentials.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Schema } from 'ts-json-schema-generator';
import { commonProperties, type NodeType, nodeTypes, placedProperties } from '../../nodes/check-flow/node-types';
import type { CheckName, Conditions, FieldRule } from '../../nodes/lib/stored/field-rules';
import { intervalFloors, mostIntervalSeconds } from '../../src/checks/limits';
import { rowRoles } from '../../src/model/meter-rows';
import { knownFields } from '../../src/model/field-names';
import { readTypeCatalogue, flatten } from './catalogue';
import { helpSections } from './help-sections';
import { helpPage } from './include';
import { readFormLabels } from './labels';

const root = path.resolve(__dirname, '../..');

type Json = NonNullable<Schema['default']>;

/** References between the schemas; relative, so they also work as files. */
const shared = 'definitions.json#/definitions/';
const floor = Math.min(...Object.values(intervalFloors));

const numberPattern = '^\\s*-?\\d+(\\.\\d+)?\\s*$|\\$\\{[^}]+\\}|^\\s*\\$\\([^)]+\\)\\s*$';

/** Definitions for several node types. */
function definitions(): Schema {
  return {
    $id: 'cemm/1/nodes/definitions.json',
    definitions: {
      numberText: {
        description: 'A number; as text also a variable such as ${NAME}.',
        type: ['number', 'string'],
        pattern: numberPattern,
      },
      numberOrBlank: { type: ['number', 'string'], pattern: `^\\s*$|${numberPattern}` },
      interval: {
        description: `Seconds between two polls; 0: only when a message arrives.`,
        $ref: '#/definitions/numberText',
      },
      wires: {
        description: 'One list per output, of the ids of the nodes that it is connected to.',
        type: 'array',
        items: { type: 'array', items: { type: 'string' } },
      },
      fields: {
        description: 'Names of fields in payload.values and points. A channel that is not known keeps its own name.',
        enum: [...knownFields(null)],
      },
    },
  };
}

/** File name → schema. */
export function makeNodeSchemas(): Map<string, Schema> {
  return new Map([
    ['definitions.json', definitions()],
    ...Object.entries(nodeTypes).map(([name, type]) => [`${name}.json`, schemaOf(name, type)] as const),
  ]);
}

/** Writes all schemas into the folder. */
export function buildNodeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of makeNodeSchemas()) writeFileSync(path.join(folder, name), `${JSON.stringify(schema)}\n`);
}

function schemaOf(name: string, type: NodeType): Schema {
  const { rules, defaults, outputs } = type;
  const sentences = flatten(readTypeCatalogue(root, name, 'en-US'));
  const labels = readFormLabels(name, sentences);
  const help = helpSections(helpPage(root, name, 'en-US'));
  const places = outputs === null ? commonProperties : [...commonProperties, ...placedProperties];
  const own = Object.entries(rules).map(
    ([property, rule]) =>
      [
        property,
        { ...makeTitleSchema(property, rule, labels, sentences), ...makeRuleSchema(rule), default: defaults[property] },
      ] as const,
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `cemm/1/nodes/${name}.json`,
    title: name,
    description: help.summary,
    type: 'object',
    properties: {
      ...Object.fromEntries(places.map((property) => [property, true as const])),
      id: { type: 'string' },
      type: { const: name },
      ...(type.credentials.length > 0 && { credentials: { $ref: '#/definitions/credentials' } }),
      ...(outputs !== null && {
        wires: { $ref: `${shared}wires`, ...(outputs.length > 0 && { maxItems: outputs.length }) },
      }),
      ...Object.fromEntries(own),
    },
    required: ['id', 'type'],
    additionalProperties: false,
    ...conditionsOf(type, name),
    definitions: {
      ...(type.credentials.length > 0 && {
        credentials: {
          description: 'Node-RED stores them encrypted, apart from the flow.',
          type: 'object',
          properties: Object.fromEntries(
            type.credentials.map((key) => [key, { title: labels.get(key) ?? key, type: 'string' } as const]),
          ),
          additionalProperties: false,
        },
      }),
      ...(type.hasInput && { input: { type: 'object', properties: help.inputs } }),
      ...Object.fromEntries(
        (outputs ?? []).map((kinds, index) => [
          `output${index + 1}`,
          outputSchema(kinds, help.outputs[index] ?? { title: '', properties: {} }),
        ]),
      ),
    },
    examples: [exampleOf(name)],
  };
}

function makeTitleSchema(
  property: string,
  rule: FieldRule,
  labels: ReadonlyMap<string, string>,
  sentences: ReadonlyMap<string, string>,
): Schema {
  const twin = /^(\w+)Type$/.exec(property)?.[1];
  const title = twin === undefined ? (labels.get(property) ?? property) : `kind of value in ${twin}`;
  const sentence = rule.check === undefined ? undefined : sentences.get(`check.${rule.check}`);
  const only =
    rule.connection === 'public' ? 'Only with a CEMM 3.0.' : rule.connection === 'open' ? 'Not with a CEMM 3.0.' : '';
  const refers = rule.refersTo === undefined ? '' : `Id of a ${rule.refersTo} node.`;
  const description = [refers, only, sentence?.includes('__') === false ? sentence : ''].filter(Boolean).join(' ');
  return { title, ...(description !== '' && { description }) };
}

/** Accepted values of the property, whatever the other settings. */
function makeRuleSchema(rule: FieldRule): Schema {
  if (rule.isInterval === true) {
    const tooOften = { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: floor } as const;
    return { allOf: [{ $ref: `${shared}interval` }], minimum: 0, maximum: mostIntervalSeconds, not: tooOften };
  }
  if (rule.is === 'boolean') return { type: 'boolean' };
  if (rule.is === 'list') return { type: 'array', ...makeRowSchema(rule) };
  const always = rule.when === undefined && rule.unless === undefined;
  if (rule.is === 'number') {
    const written = rule.blank === true ? 'numberOrBlank' : 'numberText';
    return { allOf: [{ $ref: `${shared}${written}` }], ...(always && makeRangeSchema(rule)) };
  }
  return { type: 'string', ...(always && rule.typed === undefined && checkedBy(rule)) };
}

function makeRangeSchema({ range }: FieldRule): Schema {
  return range === undefined ? {} : { minimum: range.min, maximum: range.max };
}

/** Rows of the meters of the house. cemm-check-flow also compares them with each other. */
const meterRow: Schema = {
  type: 'object',
  properties: {
    monitor: { type: 'string' },
    meter: { type: 'string' },
    name: { type: 'string' },
    role: { enum: ['', ...rowRoles] },
    within: { type: 'string' },
  },
  required: ['meter'],
  additionalProperties: false,
};

const contractDate: Schema = { description: 'Such as 2026-03-01.', type: ['string', 'null'] };

/** Rows of the contracts. cemm-check-flow also checks their dates and prices. */
const contractRow: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    from: contractDate,
    until: contractDate,
    prices: { type: ['string', 'object'], minLength: 1 },
    pricesType: { enum: ['json', 'global'] },
  },
  required: ['name', 'prices'],
  additionalProperties: false,
};

/** Row of a list → its schema, by the check of the list. */
const rowSchemas: Partial<Readonly<Record<CheckName, Schema>>> = { contracts: contractRow, houseMeters: meterRow };

function makeRowSchema({ check }: FieldRule): Schema {
  const items = check === undefined ? undefined : rowSchemas[check];
  return items === undefined ? {} : { items };
}

/** The format is a check of the dialog: cemm-check-flow knows it, and another program may ignore it. */
function checkedBy({ values, check, blank, connection }: FieldRule): Schema {
  if (values !== undefined) return { enum: [...values] };
  if (check === undefined || check === 'keyFrom' || connection !== undefined) return {};
  return { format: `cemm-${check}${blank === undefined ? '' : '-or-blank'}` };
}

/** Further rules per mode, as `if` and `then`. */
function conditionsOf(type: NodeType, name: string): Schema {
  const { rules, defaults } = type;
  const isSet = (conditions: Conditions): Schema => holdsSchema(conditions, defaults);
  const groups = new Map<string, Record<string, Schema>>();
  for (const [property, rule] of Object.entries(rules)) {
    const { when, unless, typed } = rule;
    const rest = { ...makeRangeSchema(rule), ...checkedBy(rule) };
    if ((when === undefined && unless === undefined && typed === undefined) || Object.keys(rest).length === 0) continue;
    const condition = {
      allOf: [
        ...(when === undefined ? [] : [isSet(when)]),
        ...(unless === undefined ? [] : [{ not: isSet(unless) }]),
        ...(typed === undefined ? [] : [isSet({ [`${property}Type`]: ['str'] })]),
      ],
    };
    const key = JSON.stringify(condition.allOf.length === 1 ? condition.allOf[0] : condition);
    groups.set(key, { ...groups.get(key), [property]: rest });
  }
  const all: Schema[] = [
    ...[...groups].map(([key, properties]): Schema => ({
      if: JSON.parse(key) as Schema,
      then: { properties, ...requiredOf(Object.keys(properties).filter((property) => isBlankWrong(type, property))) },
    })),
    ...Object.entries(rules).flatMap(([property, { needed, when }]): Schema[] => {
      if (needed === undefined) return [];
      const then = { properties: { [property]: { minLength: 1 } }, required: [property] };
      const where = needed === true ? when : needed;
      return where === undefined ? [then] : [{ if: isSet(where), then }];
    }),
    ...(name === 'cemm-webhook-in' ? [proven] : []),
  ];
  return all.length === 0 ? {} : { allOf: all };
}

/** At least one authentication method, or a receiver that is open on purpose. */
const proven: Schema = {
  anyOf: ['hmac', 'header', 'query', 'open'].map((property) =>
    holdsSchema({ [property]: ['true'] }, nodeTypes['cemm-webhook-in']?.defaults ?? {}),
  ),
};

/** True for a property that has to be there, because its default cannot be used. */
function isBlankWrong({ rules, defaults }: NodeType, property: string): boolean {
  const { check, blank, connection } = rules[property] ?? {};
  return check !== undefined && blank === undefined && connection === undefined && defaults[property] === '';
}

function requiredOf(properties: readonly string[]): Schema {
  return properties.length === 0 ? {} : { required: [...properties] };
}

/** A property that is missing has its default. */
function holdsSchema(conditions: Conditions, defaults: NodeType['defaults']): Schema {
  const parseValue = (value: string): string | boolean => (value === 'true' ? true : value);
  return {
    properties: Object.fromEntries(
      Object.entries(conditions).map(([property, values]) => [property, { enum: values.map(parseValue) }]),
    ),
    ...requiredOf(
      Object.entries(conditions).flatMap(([property, values]) =>
        values.includes(String(defaults[property])) ? [] : [property],
      ),
    ),
  };
}

interface HelpOutput {
  readonly title: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

function outputSchema(kinds: readonly string[], { title, properties }: HelpOutput): Schema {
  const refs = kinds.map((kind): Schema => ({ $ref: `../${kind}` }));
  const [first] = refs;
  const list = kinds.length > 1 ? [{ type: 'array', items: { anyOf: refs } } as const] : [];
  const payload = refs.length === 1 && first !== undefined ? first : { anyOf: [...refs, ...list] };
  // The help describes the usual formats.
  const { payload: { description = '' } = {} } = properties;
  return {
    ...(title !== '' && { title }),
    type: 'object',
    properties: { ...properties, payload: refs.length > 0 ? payload : { description } },
    required: refs.length > 0 ? ['payload', 'topic'] : ['payload'],
  };
}

/** The first node of the type in the examples of the import menu. */
function exampleOf(name: string): Json {
  const folder = path.join(root, 'examples');
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.json')) continue;
    const flow = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, Json>[];
    const found = flow.find(({ type }) => type === name);
    if (found !== undefined) return found;
  }
  throw new Error(`No example has a node ${name}.`);
}
