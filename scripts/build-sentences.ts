// src/sentences.ts, which is made from the English catalogue of the nodes, so that the library and the nodes say the same.
// Run it after changing a sentence of nodes/lib/locales/en-US.json: npx tsx scripts/build-sentences.ts
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { flatten, readCatalogue } from './build/catalogue';

const root = path.resolve(__dirname, '..');
export const sentencesFile = path.join(root, 'src/sentences.ts');

/** The source text of `src/sentences.ts`. */
export async function makeSentences(): Promise<string> {
  const { error = {} } = readCatalogue(path.join(root, 'nodes/lib/locales/en-US.json'));
  if (typeof error === 'string') throw new Error('The catalogue has no section of errors.');
  const entries = [...flatten(error)].map(([key, text]) => [key, text.replace(/__(\w+?)__/g, '{$1}')] as const);
  const text = [
    '/** What each error says, by code or by code and reason. Made by scripts/build-sentences.ts: do not edit. */',
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
