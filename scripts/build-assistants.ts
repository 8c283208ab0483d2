// Generates docs/for-assistants.md, which the build copies to llms.txt: one page from which a language model can build a flow.
// The sources are the rules, dialogs and help of the nodes: npx tsx scripts/build-assistants.ts
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type NodeType, nodeTypes } from '../nodes/check-flow/node-types';
import type { Conditions, FieldRule } from '../nodes/lib/field-rules';
import { balanceFieldNames, knownFields } from '../src/model/field-names';
import { priceNames } from '../src/prices-input';
import { assistantFlows, type FlowNode } from './assistant-flows';
import { catalogueOf, flatten } from './build/catalogue';
import { helpSections } from './build/help-sections';
import { helpPage } from './build/include';
import { labelsOf } from './build/labels';

const root = path.resolve(__dirname, '..');

/** The generated file. */
export const assistantsFile = path.join(root, 'docs/for-assistants.md');

const introduction = `# For language models: flows with node-red-contrib-cemm

Node-RED nodes for CEMM energy monitors (smart meter, solar, gas, water). Copy a flow from the end of this page and change it. A flow is a
JSON array of nodes; \`z\` is the id of the tab, \`wires\` has one list of ids per output.

## Rules

- Use only the properties below: there are no others. One that you leave out has its default.
- A node names its connection by the id of a \`cemm-connection\` node in the same file. Without a real monitor use \`"mode": "demo"\`.
- \`x\` and \`xType\` belong together: \`xType\` is the kind of value in \`x\` (\`str\`, \`msg\`, \`flow\`, \`global\`, \`env\`, \`jsonata\`). With \`msg\` write
  \`payload.alias\`, not \`msg.payload.alias\`.
- \`alias\` is the meter: \`p1\` the smart meter, \`p1-gas\` its gas, \`s01\` and on the pulse meters (solar, water), \`mb5\` a Modbus meter. Blank in
  \`cemm-realtime\`: all of them. If you do not know it, begin with the flow that lists the meters.
- A node with \`interval\` (seconds) above 0 runs by itself, and takes nothing from messages. With 0 it needs an *inject* node or another message.
- Keys and passwords are no properties: the user enters them in the dialog, or \`hmacKeyFrom\` names a variable.
- A field is \`msg.payload.values.<field>\`, with the unit in its name. A missing value is \`null\`, never 0: test for it.
- A chart gets its points from a \`cemm-format\` node with \`"format": "chart"\`, never from \`payload\` itself.
- Do not poll faster than every 5 seconds (10 over the internet), and not twice for two uses: wire one node to both.
- Do not ask a CEMM 3.0 (\`"mode": "public"\`) for current values, meter readings or a balance: it answers series only.
- Errors go to a *catch* node; \`msg.error.code\` is a word such as \`NETWORK\`. The second output of \`cemm-realtime\` says offline and online.
- Check the flow before you hand it over: \`npx --package node-red-contrib-cemm cemm-check-flow flow.json\`. JSON Schemas:
  \`node-red-contrib-cemm/schemas/nodes/<type>.json\`, \`node-red-contrib-cemm/schemas/<kind>.json\`.
`;

export function assistantsPage(): string {
  return [
    introduction.trimEnd(),
    '## Nodes',
    'Property: default; choices or what it holds; where it counts.',
    ...Object.entries(nodeTypes).map(([name, type]) => nodeSection(name, type)),
    '## Messages',
    'Every `msg.payload` has `schema`, `kind`, `id`, `ts` (ms), `time` (ISO), `monitor` { `id`, `name` } and `source`; `msg.topic` is' +
      ' `cemm/<monitor>/<meter>/<kind>`. `meter` is { `alias` or `key`, `role` }.',
    messages,
    `Fields of a meter: ${knownFields(null).join(' ')}`,
    `Fields of a balance of now: ${balanceFieldNames('now').join(' ')}`,
    `Fields of a balance of a period: ${balanceFieldNames('period').join(' ')}`,
    '## Prices',
    prices,
    '## Ten flows',
    ...assistantFlows.flatMap(({ title, nodes }) => [`### ${title}`, `\`\`\`json\n${flowText(nodes)}\n\`\`\``]),
    '',
  ].join('\n\n');
}

const messages = [
  '- `realtime`, `totals`: `values` { field: number or null }, `times`, `missing` { field: why it is null }; `totals` also `period`',
  '- `series`: `period` { `unit`, `label`, `start`, `end`, `step` }, `fields`, `points` [{ `ts`, field }], `stats`, `complete`',
  '- `balance`: `values`, and for a period `points`, `cost` { `currency`, `total`, `netted`, … }, `coverage`, `peak`',
  '- `webhook`: `readings` [{ `meter`, `field`, `value`, `ts` }], `values` { meter: { field: number } }, `delivery`',
  '- `monitor`: `change`, `verified`; `meter`: `meter`; `availability`: `state`, `since`, `reason`; `problem`: `reason`, `count`',
].join('\n');

const prices = [
  `Only these names: ${priceNames.map((name) => `\`${name}\``).join(' ')}. Ask the user for the numbers of the contract; invent none. Amounts are in the` +
    ' currency, not in cents: 0.25, not 25.',
  [
    '- `import`, `export`, `export_fee` (feed-in costs): per kWh; `gas`, `water`: per m³. Each is a number, a list',
    '  `[{ "start": "2026-07-01", "value": 0.27 }]`, or `{ "list": […], "times": 1.21, "plus": 0.15 }` (market price × tax + charges). In place of a number,',
    '  those per kWh take `{ "t1": 0.24, "t2": 0.28 }`.',
    '- `per_day`, `per_year`: fixed, may be below 0. `peak` (Flanders): `{ "per_kw_year": 53.25, "at_least_kw": 2.5 }`.',
    '- `cost` has `import`, `export`, `export_fee`, `gas`, `water`, `fixed`, `peak`, `total`, `netted` (Netherlands, until 2026), `coverage`. What is not',
    '  known is null.',
  ].join('\n'),
  [
    'A message with the payload `{ "balance": "now" | "day" | "month" | "year" | "bill", "date"?, "question"? }` is answered by every `cemm-balance`, whatever it is',
    'set to; the answer repeats `question`. `{ "balance": "bill", "from"?, "to"?, "prices": [until 2026, from 2027], "batteries_kwh"?: [5, 10] }` gives',
    '`bills` [cost, cost] (the first is `netted`, the second `total`), `moved`, `batteries` [{ `kwh`, `saved` }], `share`; null below a share of 0.98, and in the place of prices that are null.',
  ].join('\n'),
].join('\n\n');

function flowText(nodes: readonly FlowNode[]): string {
  return `[\n${nodes.map((node) => JSON.stringify(node)).join(',\n')}\n]`;
}

function nodeSection(name: string, { rules, defaults, outputs, credentials }: NodeType): string {
  const labels = labelsOf(name, flatten(catalogueOf(root, name, 'en-US')));
  const { summary, inputs } = helpSections(helpPage(root, name, 'en-US'));
  const sent = (outputs ?? []).map((kinds, index) => `${index + 1}: ${kinds.join(' or ') || 'depends on `format`'}`);
  const read = Object.keys(inputs).filter((property) => property !== 'payload');
  return [
    `### ${name}`,
    [
      summary,
      outputs === null ? 'A configuration node: no `z`, `x`, `y`, `wires`.' : `Outputs ${sent.join(', ')}.`,
      read.length === 0 ? '' : `Reads ${read.map((property) => `\`msg.${property}\``).join(', ')}.`,
      credentials.length === 0 ? '' : `Keys entered in the dialog: ${credentials.join(', ')}.`,
    ]
      .filter((part) => part !== '')
      .join(' '),
    Object.entries(rules)
      .map(([property, rule]) => `- \`${property}\`: ${meaningOf(property, rule, defaults[property], labels)}`)
      .join('\n'),
  ].join('\n\n');
}

function meaningOf(property: string, rule: FieldRule, initial: unknown, labels: ReadonlyMap<string, string>): string {
  const { range, values, refersTo } = rule;
  const parts = [
    `\`${JSON.stringify(initial)}\``,
    values === undefined ? (labels.get(property) ?? '') : values.map((value) => value || 'blank').join(' | '),
    range === undefined ? '' : `${range.min} to ${range.max}`,
    refersTo === undefined ? '' : `id of a ${refersTo}`,
    whereItCounts(rule),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function whereItCounts({ when, unless, connection }: FieldRule): string {
  const words = (conditions: Conditions): string =>
    Object.entries(conditions)
      .map(([property, values]) => `${property} is ${values.join(' or ')}`)
      .join(' and ');
  if (when !== undefined) return `counts if ${words(when)}`;
  if (unless !== undefined) return `counts unless ${words(unless)}`;
  return connection === undefined ? '' : connection === 'public' ? 'only with a CEMM 3.0' : 'not with a CEMM 3.0';
}

if (require.main === module) writeFileSync(assistantsFile, assistantsPage());
