/** Texts of a node, in the language of its connection, otherwise in the language of Node-RED. */
import { readMember } from '../../../src/checks/record';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { NodeAPI } from 'node-red';

export type TextParams = Readonly<Record<string, string | number>>;

/** The text of the key, or null if the catalogue has none. `type:key` is a key of another node type. */
export type Translate = (key: string, words?: TextParams) => string | null;

/** Texts of all nodes are shipped once, with the connection. */
const sharedType = 'cemm-connection';

interface Chosen {
  /** Type of the node, which has its own texts. */
  readonly type: string;
  /** Blank: Node-RED's language. Read for every text, because the connection may start after the node. */
  readonly language: () => string;
}

export function createTranslate(RED: Pick<NodeAPI, '_'>, chosen?: Chosen): Translate {
  function inLanguage(type: string | null, key: string, words: TextParams): string | null {
    const language = chosen?.language() ?? '';
    if (chosen === undefined || language === '') return null;
    const text = findSentence(loadCatalogue(type ?? chosen.type, language), key);
    return text === null ? null : fillIn(text, words);
  }

  function ofNodeRed(type: string | null, key: string, words: TextParams): string | null {
    const full = type === null ? key : `node-red-contrib-cemm/${type}:${key}`;
    // A monitor names its channels, so a key can end in `constructor` or `__proto__`. The result is then a function or, with
    // returnObjects, an object.
    const text: unknown = RED._(full, { ...words, returnObjects: 1 });
    // Without a text, a catalogue returns the key itself, with or without its namespace.
    return typeof text !== 'string' || text === '' || text === key || text.endsWith(`:${key}`) ? null : text;
  }

  return (path, words = {}) => {
    const [key = path, named] = path.split(':').reverse();
    // Null: the node's own type.
    const types = named === undefined ? [null, sharedType] : [named];
    return (
      firstText(types, (type) => inLanguage(type, key, words)) ??
      firstText(types, (type) => ofNodeRed(type, key, words))
    );
  };
}

function firstText<Type>(types: readonly Type[], look: (type: Type) => string | null): string | null {
  for (const type of types) {
    const text = look(type);
    if (text !== null) return text;
  }
  return null;
}

/** Same rule as i18next with Node-RED's settings. */
function fillIn(text: string, words: TextParams): string {
  return text.replace(/__(\w+?)__/g, (blank, name: string) => String(words[name] ?? blank));
}

function findSentence(catalogue: unknown, key: string): string | null {
  const entry = key.split('.').reduce(readMember, catalogue);
  return typeof entry === 'string' && entry !== '' ? entry : null;
}

/** Node-RED loads the catalogues of its own language only. A file is read once, for all nodes. */
const catalogues = new Map<string, unknown>();

function loadCatalogue(type: string, language: string): unknown {
  const file = path.join(__dirname, '..', '..', type, 'locales', language, 'runtime.json');
  if (!catalogues.has(file)) catalogues.set(file, readCatalogue(file));
  return catalogues.get(file);
}

/** Null if there is no such file; the text is then in Node-RED's language. */
function readCatalogue(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
