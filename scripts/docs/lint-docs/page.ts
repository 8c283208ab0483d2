// A page of the documentation: links and pictures exist, samples can be parsed, and named commands exist.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Script } from 'node:vm';
import { withRelativeLinks } from '../repository-address';
import { faultAt, readText, root } from './text';

/** Languages of samples that cannot be checked here. test/process/library.test.ts runs `ts` and `mjs`. */
const unchecked = new Set(['mjs', 'text', 'sql', 'nginx', 'caddyfile', 'haproxy', 'yaml', 'promql', 'ts']);

/** Large pictures make a page slow to load. */
const mostPictureBytes = 1_000_000;

export interface Page {
  /** The text without its code. */
  readonly prose: string;
  readonly samples: readonly { readonly language: string; readonly code: string }[];
}

export function pageFaults(file: string): string[] {
  const page = readPage(file);
  return [
    ...linksIn(page.prose).flatMap(({ target, label, isPicture }) =>
      linkProblems(file, target, label, isPicture).map((problem) => faultAt(file, `${target})`, problem)),
    ),
    ...page.samples.flatMap(({ language, code }) =>
      sampleProblems(language, code).map((problem) => faultAt(file, code.split('\n', 1)[0] ?? '', problem)),
    ),
  ];
}

/** @throws {Error} if a sample has no end */
export function readPage(file: string): Page {
  return pageOf(readText(file), file);
}

/**
 * Splits a page into prose, with relative links, and samples.
 * @throws {Error} if a sample has no end
 */
export function pageOf(markdown: string, file: string): Page {
  const text = withRelativeLinks(markdown);
  const samples: { language: string; code: string }[] = [];
  const prose = text.replace(/^( *)```(\S*)\n([^]*?)^\1```$/gm, (_, indent: string, language: string, code: string) => {
    samples.push({ language, code: code.replaceAll(`\n${indent}`, '\n') });
    return '';
  });
  if (prose.includes('```')) throw new Error(`${file}: a sample has no end.`);
  return { prose, samples };
}

/** The cells of every row of the tables in a page. */
export function readTableRows(file: string): string[][] {
  return [...readPage(file).prose.matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.trim()),
  );
}

export function nameInCode(text: string | undefined): string {
  return /^`([^`]+)`$/.exec(text ?? '')?.[1] ?? '';
}

function anchorsOf(file: string): string[] {
  return [...readPage(file).prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

/** The anchor that GitHub gives to a heading. The site uses the same. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function linksIn(prose: string) {
  const links = prose.replace(/`[^`\n]*`/g, '``').matchAll(/(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]*)\)/g);
  return [...links].map(([, mark = '', label = '', target = '']) => ({ target, label, isPicture: mark === '!' }));
}

function linkProblems(file: string, target: string, label: string, isPicture: boolean): string[] {
  if (label.trim() === '') return [`the link to ${target} has no text`];
  if (/^[a-z]+:/.test(target)) {
    return URL.canParse(target) && /^https?:$/.test(new URL(target).protocol) ? [] : [`${target} is no web address`];
  }
  const [place = '', anchor] = target.split('#');
  const linked = place === '' ? file : path.join(path.dirname(file), place);
  if (linked.startsWith('..') || !existsSync(path.join(root, linked))) return [`${target} is not there`];
  if (isPicture && !isImage(linked)) return [`${target} is no picture`];
  if (anchor === undefined || (linked.endsWith('.md') && anchorsOf(linked).includes(anchor))) return [];
  return [`${target} has no such heading`];
}

function isImage(file: string): boolean {
  const bytes = readFileSync(path.join(root, file));
  if (file.endsWith('.svg')) return bytes.toString('utf8').includes('<svg');
  if (bytes.length < 1000 || bytes.length > mostPictureBytes) return false;
  return bytes.toString('latin1', 1, 4) === 'PNG' || bytes.toString('latin1', 8, 12) === 'WEBP';
}

function sampleProblems(language: string, code: string): string[] {
  try {
    if (language === 'json') JSON.parse(code);
    // Parsed as the body of a function, like the code of a function node.
    else if (language === 'js') new Script(`(async function () {\n${code}\n})`);
    else if (language === '' || language === 'sh') return commandProblems(code);
    else if (!unchecked.has(language)) return [`unknown language ${language}`];
    return [];
  } catch (error) {
    return [`a sample in ${language} cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Every npm command in it must be one of this package. */
function commandProblems(code: string): string[] {
  const { scripts } = JSON.parse(readText('package.json')) as {
    scripts: Record<string, string>;
  };
  const commands = [...code.matchAll(/\bnpm (?:run )?(?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
  return commands
    .filter((name) => !['ci', 'install', 'pack'].includes(name) && !(name in scripts))
    .map((name) => `npm has no command ${name} here`);
}
