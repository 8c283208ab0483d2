// Measures the table of docs/evidence/checking-flows.md: npx tsx scripts/docs/build-checking.ts
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { measure, type Measured } from '../../test/support/check-flow/checked-flows';

export const checkingPage = path.resolve(__dirname, '../../docs/evidence/checking-flows.md');
export const seed = 2026;
const mark = '<!-- measured: npx tsx scripts/docs/build-checking.ts -->\n';

export function tableOf(rows: readonly Measured[]): string {
  const sumRows = (of: (row: Measured) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return [
    '| Mistake | Flows | Found, with the right field | Said what to write |',
    '|---|---|---|---|',
    ...rows.map(({ kind, made, found, proposed }) => `| ${kind} | ${made} | ${found} | ${proposed ?? ''} |`),
    `| all | ${sumRows(({ made }) => made)} | ${sumRows(({ found }) => found)} | |`,
  ].join('\n');
}

/** The page with the new table. */
export function pageWith(table: string): string {
  const [text = ''] = readFileSync(checkingPage, 'utf8').split(mark);
  return `${text}${mark}\n${table}\n`;
}

if (require.main === module) writeFileSync(checkingPage, pageWith(tableOf(measure(seed).rows)));
