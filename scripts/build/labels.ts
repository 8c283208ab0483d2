/** The dialog's labels of the stored properties of a node. */
import path from 'node:path';
import { formOf } from './editor';

const root = path.resolve(__dirname, '../..');

/**
 * Property → label.
 * @param sentences of the catalogue of the type
 */
export function labelsOf(type: string, sentences: ReadonlyMap<string, string>): Map<string, string> {
  const labels = formOf(root, type).matchAll(
    /<label for="node-(?:config-)?input-(\w+)"[^]*?data-i18n="(?:[^":]+:)?([^"]+)"/g,
  );
  return new Map(
    [...labels].flatMap(([, property = '', key = '']) => {
      const sentence = sentences.get(key);
      return sentence === undefined ? [] : [[property, sentence] as const];
    }),
  );
}
