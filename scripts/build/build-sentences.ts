// Generates src/sentences.ts from the English catalogue of the nodes, so the library and the nodes have the same sentences. Run
// it after changing a sentence of nodes/lib/locales/en-US.json: npx tsx scripts/build/build-sentences.ts
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { flatten, readCatalogue } from './catalogue';
import { inProgramWords, type OptionNames } from './program-words';

const root = path.resolve(__dirname, '../..');
export const sentencesFile = path.join(root, 'src/sentences.ts');

/** Only names of fields, which users see in dialogs. */
export function optionNames(): OptionNames {
  const names = (folder: string, section: string): [string, string][] => {
    const { [section]: labels = {} } = readCatalogue(path.join(root, folder, 'locales/en-US.json'));
    if (typeof labels === 'string') throw new Error(`The catalogue of ${folder} has no section ${section}.`);
    return [...flatten(labels)].map(([name, label]) => [label, name]);
  };
  // A meter is named by its alias: the field of the same label in the series node is for a CEMM 3.0.
  const inOrder = [
    names('nodes/cemm-series', 'field'),
    names('nodes/lib/editor', 'form'),
    names('nodes/cemm-connection', 'field'),
  ];
  return Object.fromEntries(inOrder.flat());
}

/** The source text of `src/sentences.ts`. */
export async function makeSentences(): Promise<string> {
  const { error = {} } = readCatalogue(path.join(root, 'nodes/lib/locales/en-US.json'));
  if (typeof error === 'string') throw new Error('The catalogue has no section of errors.');
  const options = optionNames();
  const entries = [...flatten(error)].map(([key, text]) => [key, inProgramWords(text, options)] as const);
  const text = [
    '/** The sentence of each error, by code or by code and reason. Made by scripts/build/build-sentences.ts: do not edit. */',
    'export const sentences: Readonly<Record<string, string>> = ',
    JSON.stringify(Object.fromEntries(entries)),
  ].join('\n');
  return format(text, { ...(await resolveConfig(sentencesFile)), parser: 'typescript' });
}

if (require.main === module) {
  void makeSentences().then((text) => {
    writeFileSync(sentencesFile, text);
    console.log(path.relative(root, sentencesFile));
  });
}
