/** Writes the results of a run into docs/performance.md and its charts; the text of the page is unchanged. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isReached, rounded, type Goal, type Table } from './table';

const docs = path.resolve(__dirname, '../../docs');
const page = path.join(docs, 'performance.md');

/** The heading of the table of figures and its rows. */
const figures = /(?<heading>\| Table \| Figure \|.*\n\|[ |-]*\n)(?<rows>(?:\|.*\n)*)/;

/** Replaces the rows of these tables; rows of other tables stay. */
export function writeFigures(tables: readonly Table[]): void {
  const text = readFileSync(page, 'utf8');
  const { heading = '', rows = '' } = figures.exec(text)?.groups ?? {};
  if (heading === '') throw new Error('docs/performance.md has no table of figures.');
  const measured = new Set(tables.map(({ name }) => name));
  const kept = rows.split('\n').filter((row) => row !== '' && !measured.has(/^\| (\S+)/.exec(row)?.[1] ?? ''));
  const made = tables.flatMap(({ name, goals }) => goals.map((goal) => rowOf(name, goal)));
  const all = [...kept, ...made].sort();
  writeFileSync(
    page,
    text.replace(figures, () => `${heading}${all.join('\n')}\n`),
  );
}

export function writeChart(svg: string): void {
  writeFileSync(path.join(docs, 'images', 'performance.svg'), `${svg}\n`);
}

function rowOf(name: string, goal: Goal): string {
  const { what, value, limit, atLeast = false } = goal;
  const result = isReached(goal) ? '' : ', not reached';
  return `| ${name} | ${what} | ${rounded(value)} | ${atLeast ? 'at least' : 'at most'} ${limit}${result} |`;
}
