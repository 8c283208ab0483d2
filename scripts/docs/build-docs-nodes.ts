// The page of each node, in English and Dutch: its help in the editor, and its stored properties with their labels.
import path from 'node:path';
import { nodeTypes } from '../../nodes/check-flow/node-types';
import { readTypeCatalogue, flatten } from '../build/catalogue';
import { helpPage } from '../build/include';
import { readFormLabels } from '../build/labels';
import { helpToMarkdown } from './build-docs-help';
import { pageOf } from './lint-docs/page';
import { hashOf } from './twins';

const root = path.resolve(__dirname, '../..');

/** The node types with a page. */
export const documentedTypes = Object.keys(nodeTypes);

interface Words {
  readonly language: 'en-US' | 'nl';
  readonly folder: string;
  readonly stored: string;
  readonly about: string;
  readonly head: string;
  readonly blank: string;
  readonly version: string;
  readonly kindOf: string;
  readonly optional: string;
  readonly more: string;
}

const english: Words = {
  language: 'en-US',
  folder: 'docs/nodes',
  stored: 'What a flow file stores',
  about:
    'The properties of this node in an exported flow, with the values that a new node has. Keys and passwords are not' +
    ' among them: Node-RED keeps those apart and exports none.',
  head: '| Property | Default | In the dialog |',
  blank: 'blank',
  version: 'the version of these properties; a node without one is of the first',
  kindOf: 'the kind of value in',
  optional: 'optional',
  more: '[All nodes](../../README.md#the-nodes) · [What is in the payload](../payload.md)',
};

const dutch: Words = {
  language: 'nl',
  folder: 'docs/nl/nodes',
  stored: 'Wat een flowbestand bewaart',
  about:
    'De eigenschappen van deze node in een geëxporteerde flow, met de waarden van een nieuwe node. Sleutels en wachtwoorden' +
    ' horen daar niet bij: Node-RED bewaart die apart en exporteert ze niet.',
  head: '| Eigenschap | Standaard | In het venster |',
  blank: 'leeg',
  version: 'de versie van deze eigenschappen; een node zonder versie is van de eerste',
  kindOf: 'het soort waarde in',
  optional: 'optioneel',
  more: '[Alle nodes](../../../README-nl.md#de-nodes) · [Wat er in de payload staat](../../payload.md) (Engels)',
};

/** Path below the project → content, of the pages of all nodes. */
export function nodePages(): (readonly [file: string, content: string])[] {
  return documentedTypes.flatMap((type) => {
    const twin = `${english.folder}/${type}.md`;
    const page = nodePage(type, english);
    const mark = `<!-- twin: ${twin} ${hashOf(pageOf(page, twin).prose)} -->\n`;
    return [[twin, page] as const, [`${dutch.folder}/${type}.md`, `${mark}${nodePage(type, dutch)}`] as const];
  });
}

function nodePage(type: string, words: Words): string {
  const sentences = flatten(readTypeCatalogue(root, type, words.language));
  const name = sentences.get('palette');
  const title = words === english || name === undefined ? type : `${type}: ${name}`;
  return [
    `# ${title}`,
    helpToMarkdown(withLinksFrom(words.folder, helpPage(root, type, words.language)))
      .trimEnd()
      .replace(/(?<=^ *- \*\*.*)\boptional\)/gm, `${words.optional})`),
    `## ${words.stored}`,
    words.about,
    [words.head, '|---|---|---|', ...propertyRows(type, sentences, words)].join('\n'),
    words.more,
    '',
  ].join('\n\n');
}

/** Help pages of the editor have links as if they were in docs/nodes. */
function withLinksFrom(folder: string, html: string): string {
  return html.replace(/href="(\.\.\/[^"]*)"/g, (_, link: string) => {
    return `href="${path.posix.relative(folder, path.posix.join(english.folder, link))}"`;
  });
}

/** Twins such as `monitorType` contain the kind of the value of `monitor`, and have no field. */
function propertyRows(type: string, sentences: ReadonlyMap<string, string>, words: Words): string[] {
  const labels = readFormLabels(type, sentences);
  return Object.entries(nodeTypes[type]?.defaults ?? {}).map(([property, value]) => {
    const twin = /^(\w+)Type$/.exec(property)?.[1];
    const label =
      property === 'version'
        ? words.version
        : twin === undefined
          ? labels.get(property)
          : `${words.kindOf} \`${twin}\``;
    if (label === undefined) throw new Error(`${type}: the dialog has no label for the property ${property}.`);
    return `| \`${property}\` | ${value === '' ? words.blank : `\`${JSON.stringify(value)}\``} | ${label} |`;
  });
}
