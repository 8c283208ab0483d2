/** Message catalogues: a node's own sentences together with the shared sentences. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sentences } from '../../src/sentences';

/** The languages of the package; Node-RED falls back to the first. */
export const languages = ['en-US', 'nl', 'de', 'fr'] as const;
export type Language = (typeof languages)[number];

export interface Catalogue {
  [key: string]: string | Catalogue;
}

function isCatalogue(value: unknown): value is Catalogue {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((entry) => typeof entry === 'string' || isCatalogue(entry))
  );
}

export function readCatalogue(file: string): Catalogue {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isCatalogue(parsed)) throw new Error(`${file} holds something else than sentences.`);
  return parsed;
}

/** Merges both; a sentence in two files is an error, because one of them would be lost. */
export function mergeCatalogues(first: Catalogue, second: Catalogue, trail = ''): Catalogue {
  const merged: Catalogue = { ...first };
  for (const [key, entry] of Object.entries(second)) {
    const there = merged[key];
    if (there === undefined) merged[key] = entry;
    else if (typeof there === 'object' && typeof entry === 'object')
      merged[key] = mergeCatalogues(there, entry, `${trail}${key}.`);
    else throw new Error(`The sentence ${trail}${key} is given twice.`);
  }
  return merged;
}

/** `a.b.c` → sentence, for the whole catalogue. */
export function flatten(catalogue: Catalogue, trail = ''): Map<string, string> {
  const sentences = new Map<string, string>();
  for (const [key, entry] of Object.entries(catalogue)) {
    if (typeof entry === 'string') sentences.set(`${trail}${key}`, entry);
    else for (const [inner, sentence] of flatten(entry, `${trail}${key}.`)) sentences.set(inner, sentence);
  }
  return sentences;
}

/**
 * The type that contains the shared parts: the sentences of all runtimes and of shared rows, the style sheet of the forms and
 * the shared modules of the dialogs. It is the first in package.json, which is the order in which the editor loads them.
 */
export const home = 'cemm-connection';

/** The name of a type's catalogue in Node-RED. */
export function setOf(type: string): string {
  return `node-red-contrib-cemm/${type}`;
}

/** @param folder below `nodes`: that of a type, `lib` or `lib/editor` */
function readFolder(root: string, folder: string, language: Language): Catalogue {
  return readCatalogue(path.join(root, 'nodes', folder, 'locales', `${language}.json`));
}

/** The sentences of all runtimes. The English ones of errors are those of the library, so they are in `src`. */
export function readRuntimeCatalogue(root: string, language: Language): Catalogue {
  const stored = readFolder(root, 'lib', language);
  return language === 'en-US' ? mergeCatalogues(stored, { error: inDialogWords(root) }) : stored;
}

/** With the labels of options, and with `__name__` where values are. */
function inDialogWords(root: string): Catalogue {
  const folders = ['cemm-series', 'lib/editor', home];
  const words = new Map(folders.flatMap((folder) => [...flatten(readFolder(root, folder, 'en-US'))]));
  const quoteLabel = (_: string, option: string): string => {
    const label = words.get(`field.${option}`) ?? words.get(`form.${option}`);
    if (label === undefined) throw new Error(`src/sentences.ts names ${option}, which is in no dialog.`);
    return `“${label}”`;
  };
  return Object.fromEntries(
    Object.entries(sentences).map(([key, text]) => [
      key,
      text.replace(/`(\w+)`/g, quoteLabel).replace(/\{(\w+)\}/g, '__$1__'),
    ]),
  );
}

/** All sentences of a node type: its own, the editor widgets', the runtime's. */
export function readTypeCatalogue(root: string, type: string, language: Language): Catalogue {
  const own = mergeCatalogues(readFolder(root, type, language), readFolder(root, 'lib/editor', language));
  return mergeCatalogues(own, readRuntimeCatalogue(root, language));
}

/** The catalogue of one node type for Node-RED: its own sentences, without those that the page node sends to browsers. */
export function shippedCatalogue(root: string, type: string, language: Language): Catalogue {
  const all = type === home ? readTypeCatalogue(root, type, language) : readFolder(root, type, language);
  return Object.fromEntries(Object.entries(all).filter(([section]) => section !== 'page'));
}

/**
 * The text of a shipped catalogue. A tarball is compressed with a memory of 32 kB, less than the largest catalogue: with the sections
 * of every second language in reverse, many keys are close to the same keys of the language before.
 */
export function catalogueText(catalogue: Catalogue, language: Language): string {
  const sections = Object.entries(sorted(catalogue));
  const isReversed = [...languages].sort().indexOf(language) % 2 === 1;
  return JSON.stringify(Object.fromEntries(isReversed ? sections.reverse() : sections));
}

function sorted(catalogue: Catalogue): Catalogue {
  const entries = Object.entries(catalogue).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, typeof entry === 'string' ? entry : sorted(entry)]));
}

/** True for a sentence of the shared rows. */
export function isShared(root: string, key: string): boolean {
  return flatten(readFolder(root, 'lib/editor', 'en-US')).has(key);
}
