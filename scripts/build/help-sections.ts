/** Reads the message properties in the help of a node, with types and meanings, for the JSON Schemas. */
import type { Schema } from 'ts-json-schema-generator';

type Properties = Record<string, Schema>;

export interface HelpSections {
  /** The first sentence. */
  readonly summary: string;
  readonly inputs: Properties;
  /** One entry per output. */
  readonly outputs: readonly { readonly title: string; readonly properties: Properties }[];
}

const jsonTypes = ['object', 'array', 'string', 'number', 'boolean'] as const;

export function helpSections(html: string): HelpSections {
  const sections = new Map(
    html.split('<h3>').map((part): [string, string] => {
      const end = part.indexOf('</h3>');
      return end < 0 ? ['', part] : [part.slice(0, end), part.slice(end)];
    }),
  );
  const outputs = sections.get('Outputs') ?? '';
  const ports = outputs.includes('node-ports') ? outputs.split('<li>').slice(1) : [outputs];
  return {
    summary: removeTags(/<p>([^]*?)<\/p>/.exec(sections.get('') ?? '')?.[1] ?? ''),
    inputs: propertiesIn(sections.get('Inputs') ?? ''),
    outputs: ports.map((port) => ({
      title: outputs.includes('node-ports') ? removeTags(port.split('<dl')[0] ?? '') : '',
      properties: propertiesIn(port),
    })),
  };
}

function propertiesIn(list: string): Properties {
  const entries = list.matchAll(/<dt[^>]*>([^<]*)<span[^>]*>([^<]*)<\/span><\/dt>\s*<dd>([^]*?)<\/dd>/g);
  return Object.fromEntries(
    [...entries].flatMap(([, names = '', types = '', text = '']) => {
      const kinds = types.split(',').map((kind) => kind.trim());
      return names.split(',').map((name, index): [string, Schema] => {
        const words = (kinds[index] ?? kinds[0] ?? '').split('|').map((word) => word.trim());
        const known = jsonTypes.filter((type) => words.includes(type));
        const type = known.length < words.length ? {} : { type: known.length === 1 ? known[0] : [...known] };
        return [
          name.trim(),
          { description: firstSentence(removeTags(text)), ...(type.type !== undefined && { type: type.type }) },
        ];
      });
    }),
  );
}

/** Only the first sentence, because the complete help is in the editor and in docs/nodes/. */
function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };

function removeTags(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replace(/&\w+;/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}
