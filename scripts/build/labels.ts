/** The dialog's labels of the stored properties of a node. */
import path from 'node:path';
import { formOf } from './editor';

const root = path.resolve(__dirname, '../..');

/**
 * Property → label.
 * @param sentences of the catalogue of the type
 */
export function readFormLabels(type: string, sentences: ReadonlyMap<string, string>): Map<string, string> {
  const form = formOf(root, type);
  // A table has a heading in place of a label.
  const headed = form.matchAll(/data-property="(\w+)" data-i18n="(?:[^":]+:)?([^"]+)"/g);
  const labels = form.matchAll(/<label for="node-(?:config-)?input-(\w+)"[^]*?data-i18n="(?:[^":]+:)?([^"]+)"/g);
  return new Map(
    [...labels, ...headed].flatMap(([, property = '', key = '']) => {
      const sentence = sentences.get(key);
      return sentence === undefined ? [] : [[property, sentence] as const];
    }),
  );
}
