// docs/architecture.md: its folders and files exist, its table of imports matches the lint rule, and each file of a path is joined to
// one above it.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { differences, faultAt, readText, root, unless } from './text';

const page = 'docs/architecture.md';
const paths = ['From a reading to msg.payload', 'From a delivery', 'A balance', 'A page'] as const;
const mostLines = 60;
const fileName = /`((?:src|nodes|scripts)\/[\w./-]+)`/g;

export function architectureAgrees(): string[] {
  const text = readText(page);
  const named = listFiles(text);
  const folders = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [
    ...unless(named.length > 40, page, '', 'names few files'),
    ...named.filter((name) => !isThere(name)).map((name) => faultAt(page, name, `${name} is not there`)),
    ...folders.flatMap(({ name }) => unless(named.includes(`src/${name}`), page, '', `src/${name} is missing`)),
    ...unless(text.split('\n').length <= 100, page, '', 'does not fit on two screens'),
    ...unless(countPathLines(text) <= mostLines, page, `## ${paths[0]}`, `the paths have more than ${mostLines} lines`),
    ...paths.flatMap((title) => findPathFaults(title, readSection(text, title))),
    ...differences(importsSaid(text), importsAllowed(), 'the imports').map((fault) => faultAt(page, '| `src/', fault)),
  ];
}

function listFiles(text: string): string[] {
  return [...text.matchAll(fileName)].map(([, name = '']) => name);
}

function isThere(name: string): boolean {
  return existsSync(path.join(root, name));
}

function readSection(text: string, title: string): string {
  return text.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
}

function countPathLines(text: string): number {
  return (text.split(`\n## ${paths[0]}\n`)[1] ?? '').split('\n').length;
}

function findPathFaults(title: string, section: string): string[] {
  const files = listFiles(section);
  const twice = files.filter((name, index) => files.indexOf(name) < index);
  return [
    ...unless(files.length >= 10, page, `## ${title}`, `“${title}” names few files`),
    ...twice.map((name) => faultAt(page, name, `“${title}” names ${name} twice`)),
    ...files
      .filter((name, index) => isThere(name) && !isJoined(name, files.slice(0, index)))
      .map((name) => faultAt(page, name, `${name} imports no file above it, and none above it imports this one`)),
  ];
}

/** The build joins the template to the other files of the page; a program cannot tell that from imports. */
function isJoined(name: string, above: readonly string[]): boolean {
  if (above.length === 0 || !name.endsWith('.ts')) return true;
  const own = listImports(name);
  return above.some((other) => own.has(other) || listImports(other).has(name));
}

/** The files that a file imports, also as types or with their first use. */
function listImports(file: string): Set<string> {
  if (!isThere(file) || !file.endsWith('.ts')) return new Set();
  const names = [...readText(file).matchAll(/(?:from |require\()'(\.{1,2}\/[^']+)'/g)].map(([, name = '']) => name);
  return new Set(names.map((name) => `${path.posix.join(path.posix.dirname(file), name)}.ts`));
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
