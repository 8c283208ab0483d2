// docs/architecture.md: its folders and files exist, and its table of imports matches the lint rule.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { waysOf } from '../build-docs-architecture';
import { differences, faultAt, readText, root, unless } from './text';

const page = 'docs/architecture.md';

export function architectureAgrees(): string[] {
  const text = readText(page);
  const named = [...text.matchAll(/`((?:src|nodes|scripts)\/[\w./-]+)`/g)].map(([, name = '']) => name);
  const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [
    ...unless(named.length > 40, page, '', 'names few files'),
    ...named
      .filter((name) => !existsSync(path.join(root, name)))
      .map((name) => faultAt(page, name, `${name} is not there`)),
    ...folders.flatMap(({ name }) => unless(named.includes(`src/${name}`), page, '', `src/${name} is missing`)),
    ...unless(text.split('\n').length <= 100, page, '', 'does not fit on two screens'),
    ...pathFaults(text),
    ...differences(importsSaid(text), importsAllowed(), 'the imports').map((fault) => faultAt(page, '| `src/', fault)),
  ];
}

/** Three paths: a reading over both kinds of connection, and a delivery, each from the bytes to a node. */
function pathFaults(text: string): string[] {
  const ways = waysOf(text);
  const wrong = ways.filter(
    ({ files }) =>
      files.length <= 10 || new Set(files).size < files.length || files.at(-1)?.startsWith('nodes/') !== true,
  );
  return [
    ...unless(ways.length === 3, page, '', `has ${ways.length} paths`),
    ...wrong.map(({ title, files }) => faultAt(page, files.at(-1) ?? '', `${title}: no path from the bytes to a node`)),
  ];
}

/** `src/model: errors record`, for each folder. */
function importsAllowed(): string[] {
  const rules = readText('scripts/arrows.mjs').split('\nconst rooms')[1]?.split('};')[0] ?? '';
  return [...rules.matchAll(/^ {2}(\w+): \[(.*)\],$/gm)].map(([, folder = '', list = '']) =>
    formatFolderRow(`src/${folder}`, list, "'"),
  );
}

function importsSaid(text: string): string[] {
  const rows = [...text.matchAll(/^\| `(src\/\w+)` \|[^|]+\|([^|]*)\|$/gm)];
  return rows.map(([, folder = '', list = '']) => formatFolderRow(folder, list, '`'));
}

function formatFolderRow(folder: string, list: string, quote: string): string {
  const names = [...list.matchAll(new RegExp(`${quote}([^${quote}]+)${quote}`, 'g'))].map(([, name = '']) => name);
  return `${folder}: ${names.sort().join(' ')}`;
}
