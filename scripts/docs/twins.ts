// Pages in two languages. A translation names its English twin in its first line, with a hash of the headings and tables of the
// twin as they were when somebody last compared both: <!-- twin: docs/webhooks.md 0123456789ab -->
// Once a translation is up to date again: npx tsx scripts/docs/twins.ts accept docs/nl/webhooks.md (without a page: all of them).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readPage, type Page } from './lint-docs/page';
import { faultAt, readText } from './lint-docs/text';

const root = path.resolve(__dirname, '../..');
const mark = /^<!-- twin: (\S+)(?: ([0-9a-f]{12}))? -->\n/;

/** The pages that are translations, relative to the project. */
export function translations(): string[] {
  const files = readdirSync(path.join(root, 'docs/nl'), { recursive: true, encoding: 'utf8' });
  const pages = files.filter((name) => name.endsWith('.md')).sort();
  return ['README-nl.md', ...pages.map((name) => `docs/nl/${name.replaceAll('\\', '/')}`)];
}

/** @throws {Error} if the page names no twin */
export function twinOf(page: string): { readonly twin: string; readonly hash: string } {
  const [, twin, hash = ''] = mark.exec(readText(page)) ?? [];
  if (twin === undefined || !existsSync(path.join(root, twin))) {
    throw new Error(`${page} must begin with <!-- twin: … --> and the path of its English page.`);
  }
  return { twin, hash };
}

/** The headings of a page and the rows of its tables, in order. */
function frameOf(prose: string): string[] {
  return prose.split('\n').filter((line) => /^(?:#{1,6} |\|)/.test(line.trimStart()));
}

/** `## ` for a heading, `| | |` for a row: equal in both languages. */
function findLineShape(line: string): string {
  const cells = line
    .replaceAll('\\|', '')
    .replace(/`[^`]*`/g, '')
    .split('|');
  return /^#+ /.exec(line)?.[0] ?? '| '.repeat(cells.length - 1);
}

/** Hash of the compared parts of a page. Exported for tests. */
export function hashOf(prose: string): string {
  return createHash('sha256').update(frameOf(prose).join('\n')).digest('hex').slice(0, 12);
}

/** One sentence per difference that a reader of both languages has to resolve. */
export function differencesOf(page: string): string[] {
  const { twin, hash } = twinOf(page);
  const [english, translated] = [readPage(twin), readPage(page)];
  const problems =
    hash === hashOf(english.prose)
      ? []
      : [`${page}:1: ${twin} has changed: bring it up to date, then run npx tsx scripts/docs/twins.ts accept ${page}`];
  // The samples of generated pages come from the help, where a chart has the names of its language.
  const samples = page.startsWith('docs/nl/nodes/') ? [] : sampleDifference(english, translated);
  const different = [...shapeDifference(english.prose, translated.prose), ...samples];
  return [
    ...problems,
    ...different.map((difference) => faultAt(page, /^“(.+)” stands/.exec(difference)?.[1] ?? '', difference)),
  ];
}

/** Samples are equal in every language except for their comments. */
function sampleDifference(english: Page, translated: Page): string[] {
  const [wanted, found] = [english, translated].map(({ samples }) =>
    samples.map(({ code }) => code.replace(/(?:\/\/|#|--) .*$/gm, '').replace(/ +$/gm, '')),
  );
  const index = (wanted ?? []).findIndex((code, at) => code !== found?.[at]);
  return index < 0 && wanted?.length === found?.length ? [] : [`sample ${index + 1} is not that of the English page`];
}

/** The first heading or row that only one of them has. Exported for tests. */
export function shapeDifference(english: string, translated: string): string[] {
  const [wanted, found] = [frameOf(english), frameOf(translated)];
  for (let index = 0; index < Math.max(wanted.length, found.length); index += 1) {
    const [there = '', here = ''] = [wanted[index], found[index]];
    if (findLineShape(there) !== findLineShape(here)) return [`“${here}” stands where the English page has “${there}”`];
  }
  return [];
}

function acceptTwin(page: string): void {
  const { twin } = twinOf(page);
  const file = path.join(root, page);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(mark, `<!-- twin: ${twin} ${hashOf(readPage(twin).prose)} -->\n`));
}

if (require.main === module) {
  const [command, ...pages] = process.argv.slice(2);
  if (command === 'accept') for (const page of pages.length > 0 ? pages : translations()) acceptTwin(page);
  const problems = translations().flatMap(differencesOf);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
