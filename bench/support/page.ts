/** Writes what a run found into docs/performance.md and beside it; the words of the page stay. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isReached, rounded, type Goal, type Table } from './table';

const docs = path.resolve(__dirname, '../../docs');
const page = path.join(docs, 'performance.md');

/** Between this and the next blank line stand the figures, a row each. */
const heading = '| Table | Figure | Measured | Limit |\n| --- | --- | --- | --- |\n';

/** Replaces the rows of these tables; those of tables that were not measured now stay. */
export function writeFigures(tables: readonly Table[]): void {
  const text = readFileSync(page, 'utf8');
  const start = text.indexOf(heading);
  if (start < 0) throw new Error('docs/performance.md has no table of figures.');
  const end = text.indexOf('\n\n', start);
  const names = new Set(tables.map(({ name }) => name));
  const kept = text
    .slice(start + heading.length, end)
    .split('\n')
    .filter((row) => !names.has(/^\| (\S+)/.exec(row)?.[1] ?? ''));
  const made = tables.flatMap(({ name, goals }) => goals.map((goal) => rowOf(name, goal)));
  writeFileSync(page, `${text.slice(0, start)}${heading}${[...kept, ...made].sort().join('\n')}${text.slice(end)}`);
}

export function writeChart(svg: string): void {
  writeFileSync(path.join(docs, 'images', 'performance.svg'), `${svg}\n`);
}

function rowOf(name: string, goal: Goal): string {
  const { what, value, limit, atLeast = false } = goal;
  const verdict = isReached(goal) ? '' : ', not reached';
  return `| ${name} | ${what} | ${rounded(value)} | ${atLeast ? 'at least' : 'at most'} ${limit}${verdict} |`;
}
