/** Faults of dialogs and catalogues that no type can show: a line for each that begins with the file. */
import path from 'node:path';
import { nodeTypes } from '../../nodes/check-flow/node-types';
import {
  type Catalogue,
  flatten,
  home,
  type Language,
  languages,
  readCatalogue,
  readRuntimeCatalogue,
  readTypeCatalogue,
} from './catalogue';
import { editorNodeTypes, formOf } from './editor';

/** Empty if nothing is missing. */
export function findTextFaults(root: string): string {
  const types = editorNodeTypes(root);
  const folders = [...types, 'lib/editor'].map((folder) => path.join('nodes', folder, 'locales'));
  const faults = [
    ...types.flatMap((type) => findRowFaults(type, formOf(root, type))),
    ...types.flatMap((type) => findKeyFaults(root, type, formOf(root, type))),
    ...folders.flatMap((folder) =>
      compareLanguages(folder, (language) => readCatalogue(path.join(root, folder, `${language}.json`))),
    ),
    ...compareLanguages('nodes/lib/locales', (language) => readRuntimeCatalogue(root, language)),
  ];
  return faults.map((fault) => `${fault}\n`).join('');
}

/** The stored properties without a place in the form. */
export function findRowFaults(type: string, form: string): string[] {
  const { rules = {}, credentials = [] } = nodeTypes[type] ?? {};
  const prefix = type === home ? 'node-config-input' : 'node-input';
  return [...Object.keys(rules), ...credentials]
    .filter((property) => property !== 'version')
    .filter((property) => !new RegExp(`\\s(?:id="${prefix}-|data-property=")${property}"`).test(form))
    .map((property) => `nodes/${type}/editor.html: the property ${property} has no row.`);
}

/** The keys of the form without a sentence in English. */
export function findKeyFaults(root: string, type: string, form: string): string[] {
  const known = flatten(readTypeCatalogue(root, type, 'en-US'));
  return formKeys(form)
    .filter((key) => !known.has(key))
    .map((key) => `nodes/${type}/locales/en-US.json: the form has no sentence ${key}.`);
}

/** The keys of sentences in a form, without the name of their catalogue. */
export function formKeys(html: string): string[] {
  return [...html.matchAll(/data-i18n="([^"]*)"/g)].flatMap(([, value = '']) =>
    value.split(';').map((key) => key.replace(/^\[[\w-]+\]/, '').replace(/^.*:/, '')),
  );
}

/** The sentences that a language lacks, or has alone. */
export function compareLanguages(folder: string, read: (language: Language) => Catalogue): string[] {
  const [english, ...others] = languages.map((language) => ({ language, keys: [...flatten(read(language)).keys()] }));
  return others.flatMap(({ language, keys }) => {
    const file = `${folder}/${language}.json`;
    const lacking = english?.keys.filter((key) => !keys.includes(key)) ?? [];
    const alone = keys.filter((key) => english?.keys.includes(key) !== true);
    return [
      ...lacking.map((key) => `${file}: ${key} is missing.`),
      ...alone.map((key) => `${file}: ${key} is not in en-US.json.`),
    ];
  });
}
