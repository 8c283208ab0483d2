// Generates docs/for-assistants.md, which the build copies to llms.txt: one page from which a language model can build a flow.
// The sources are the rules, dialogs and help of the nodes: npx tsx scripts/docs/build-assistants.ts
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type NodeType, nodeTypes } from '../../nodes/check-flow/node-types';
import type { Conditions, FieldRule } from '../../nodes/lib/stored/field-rules';
import { balanceFieldNames, knownFields } from '../../src/model/field-names';
import { assistantFlows, type FlowNode } from './assistant-flows';
import { formats, interfaces, introduction, messages, prices, webhooks } from './assistant-texts';
import { readTypeCatalogue, flatten } from '../build/catalogue';
import { helpSections } from '../build/help-sections';
import { helpPage } from '../build/include';
import { readFormLabels } from '../build/labels';

const root = path.resolve(__dirname, '../..');

/** The generated file. */
export const assistantsFile = path.join(root, 'docs/for-assistants.md');

export function assistantsPage(): string {
  return [
    introduction.trimEnd(),
    '## Nodes',
    'Property: default; choices or what it holds; where it counts.',
    ...Object.entries(nodeTypes).map(([name, type]) => nodeSection(name, type)),
    '## Messages',
    messages,
    `Fields of a meter: ${knownFields(null).join(' ')}`,
    `Fields of a balance of now: ${balanceFieldNames('now').join(' ')}`,
    `Fields of a balance of a period: ${balanceFieldNames('period').join(' ')}`,
    '## Formats',
    formats,
    '## What an interface cannot do',
    interfaces,
    '## Webhooks of many monitors',
    webhooks,
    '## Prices',
    prices,
    '## Ten flows',
    ...assistantFlows.flatMap(({ title, nodes }) => [`### ${title}`, `\`\`\`json\n${flowText(nodes)}\n\`\`\``]),
    '',
  ].join('\n\n');
}

/** Outputs whose messages are for one type of node only. */
const sentTo: Readonly<Record<string, readonly string[]>> = {
  'cemm-page': ['for `ui-template`', 'for `cemm-balance`'],
};

function flowText(nodes: readonly FlowNode[]): string {
  return `[\n${nodes.map((node) => JSON.stringify(node)).join(',\n')}\n]`;
}

function nodeSection(name: string, { rules, defaults, outputs, credentials }: NodeType): string {
  const labels = readFormLabels(name, flatten(readTypeCatalogue(root, name, 'en-US')));
  const { summary, inputs } = helpSections(helpPage(root, name, 'en-US'));
  const sent = (outputs ?? []).map(
    (kinds, index) => `${index + 1}: ${kinds.join(' or ') || (sentTo[name]?.[index] ?? 'depends on `format`')}`,
  );
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
