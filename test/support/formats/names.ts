/** Names of fields, as the format node gives them to a format. */
import path from 'node:path';
import { lineName } from '../../../nodes/lib/run/line-name';
import { flatten, readCatalogue } from '../../../scripts/build/catalogue';

export type Names = (field: string) => string | null;

const folder = path.resolve(__dirname, '../../../nodes/cemm-format/locales');

function sentencesOf(language: string): Map<string, string> {
  return flatten(readCatalogue(path.join(folder, `${language}.json`)));
}

export function lineNames(language: string): Names {
  const sentences = sentencesOf(language);
  return (field) =>
    lineName(field, (key, words = {}) => {
      const text = sentences.get(key);
      return text?.replace(/__(\w+?)__/g, (_blank, word: string) => String(words[word])) ?? null;
    });
}

/** With the longer names of sensors, which stand alone. */
export function sensorNames(language: string): Names {
  const sentences = sentencesOf(language);
  const ofLine = lineNames(language);
  return (field) => sentences.get(`device.${field}`) ?? ofLine(field);
}
