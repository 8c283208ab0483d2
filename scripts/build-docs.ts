// Generates pages of docs/: a page per node from its help in the editor and its stored properties, the payload reference from
// the JSON Schemas, the table of channels in docs/fields.md from the rows of fields, and the picture of docs/architecture.md
// from the tables of that page. Run it after changing one of these: npx tsx scripts/build-docs.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { balanceDefaults } from '../nodes/cemm-balance/config';
import { connectionDefaults } from '../nodes/cemm-connection/config';
import { discoveryDefaults } from '../nodes/cemm-discovery/config';
import { formatDefaults } from '../nodes/cemm-format/config';
import { pageDefaults } from '../nodes/cemm-page/config';
import { realtimeDefaults } from '../nodes/cemm-realtime/config';
import { seriesDefaults } from '../nodes/cemm-series/config';
import { totalsDefaults } from '../nodes/cemm-totals/config';
import { webhookInDefaults } from '../nodes/cemm-webhook-in/config';
import { catalogueOf, flatten } from './build/catalogue';
import { helpPage } from './build/include';
import { labelsOf } from './build/labels';
import { architecturePicture } from './build-docs-architecture';
import { helpToMarkdown } from './build-docs-help';
import { payloadReference } from './build-docs-payload';
import { makeSchemas } from './build-schemas';
import { channelRows } from '../src/model/channel-fields';
import { unitOfField } from '../src/model/fields';

const root = path.resolve(__dirname, '..');

const stored: Readonly<Record<string, object>> = {
  'cemm-connection': connectionDefaults,
  'cemm-discovery': discoveryDefaults,
  'cemm-realtime': realtimeDefaults,
  'cemm-series': seriesDefaults,
  'cemm-totals': totalsDefaults,
  'cemm-webhook-in': webhookInDefaults,
  'cemm-balance': balanceDefaults,
  'cemm-page': pageDefaults,
  'cemm-format': formatDefaults,
};

/** The node types with a page. */
export const documentedTypes = Object.keys(stored);

/** Path below the project → content, of every generated page. */
export function makeDocs(): Map<string, string> {
  return new Map([
    ...documentedTypes.map((type) => [`docs/nodes/${type}.md`, nodePage(type)] as const),
    ['docs/payload.md', payloadReference(makeSchemas())],
    ['docs/fields.md', fieldsPage(readFileSync(path.join(root, 'docs/fields.md'), 'utf8'))],
    [
      'docs/images/architecture.svg',
      architecturePicture(readFileSync(path.join(root, 'docs/architecture.md'), 'utf8')),
    ],
  ]);
}

/** The page with its table of channels made anew from the rows of src/model/fields.ts. */
function fieldsPage(page: string): string {
  const all = channelRows();
  const lines = all.map(({ channel, role, field }) => {
    const isAlone = all.filter((other) => other.channel === channel).length === 1;
    const unit = unitOfField(field);
    return `| \`${channel}\` | ${role ?? (isAlone ? 'any' : 'any other')} | \`${field}\` |${unit === null ? '' : ` ${unit}`} |`;
  });
  const table = ['| Channel of the monitor | Measures | Field | Unit |', '|---|---|---|---|', ...lines, ''];
  return page.replace(/^\| Channel of the monitor \|.*\n(?:\|.*\n)+/m, table.join('\n'));
}

function nodePage(type: string): string {
  return [
    `# ${type}`,
    helpToMarkdown(helpPage(root, type, 'en-US')).trimEnd(),
    '## What a flow file stores',
    'The properties of this node in an exported flow, with the values that a new node has. Keys and passwords are not' +
      ' among them: Node-RED keeps those apart and exports none.',
    ['| Property | Default | In the dialog |', '|---|---|---|', ...propertyRows(type)].join('\n'),
    '[All nodes](../../README.md#the-nodes) · [What is in the payload](../payload.md)',
    '',
  ].join('\n\n');
}

/** Twins such as `monitorType` contain the kind of the value of `monitor`, and have no field. */
function propertyRows(type: string): string[] {
  const labels = labelsOf(type, flatten(catalogueOf(root, type, 'en-US')));
  return Object.entries(stored[type] ?? {}).map(([property, value]) => {
    const twin = /^(\w+)Type$/.exec(property)?.[1];
    const label =
      property === 'version'
        ? 'the version of these properties; a node without one is of the first'
        : twin === undefined
          ? labels.get(property)
          : `the kind of value in \`${twin}\``;
    if (label === undefined) throw new Error(`${type}: the dialog has no label for the property ${property}.`);
    return `| \`${property}\` | ${value === '' ? 'blank' : `\`${JSON.stringify(value)}\``} | ${label} |`;
  });
}

if (require.main === module) {
  for (const [file, content] of makeDocs()) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
    console.log(file);
  }
}
