/** Words that reveal an English text in a Dutch page. */
import path from 'node:path';
import { readTypeCatalogue, flatten, type Language } from '../../../scripts/build/catalogue';
import { editorNodeTypes } from '../../../scripts/build/editor';

const root = path.resolve(__dirname, '../../..');

/** Words of three letters and more, in lower case. */
export function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/\p{L}{3,}/gu) ?? [];
}

function wordsOf(language: Language): Set<string> {
  const sentences = editorNodeTypes(root).flatMap((type) => [
    ...flatten(readTypeCatalogue(root, type, language)).values(),
  ]);
  // Text between underscores is a placeholder.
  return new Set(sentences.flatMap((sentence) => wordsIn(sentence.replace(/__\w+__/g, ' '))));
}

/** Words of the package's English sentences that no Dutch sentence has. */
export function wordsOfEnglishOnly(): ReadonlySet<string> {
  const dutch = wordsOf('nl');
  return new Set([...wordsOf('en-US')].filter((word) => !dutch.has(word)));
}
