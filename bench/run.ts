/** `npm run bench`, or `npm run bench -- webhook` for one table: ratios of one run on one machine (docs/performance.md). */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chartOf } from './support/chart';
import { writeChart, writeFigures } from './support/page';
import { print, type Table } from './support/table';
import { balance } from './balance';
import { bill } from './bill';
import { fleet } from './fleet';
import { metrics } from './metrics';
import { kept } from './kept';
import { long, series } from './series';
import { pack } from './pack';
import { shared } from './shared';
import { stages } from './stages';
import { start } from './start';
import { webhook } from './webhook';

const benchmarks: Readonly<Record<string, () => Promise<Table>>> = {
  webhook,
  stages,
  series,
  balance,
  bill,
  kept,
  start,
  fleet,
  shared,
  metrics,
  pack,
  long: async () => {
    const table = await long();
    writeChart(chartOf(table.growth));
    return table;
  },
};

async function run(names: readonly string[]): Promise<void> {
  const results: Table[] = [];
  for (const name of names) {
    const benchmark = benchmarks[name];
    if (benchmark === undefined) throw new Error(`There is ${Object.keys(benchmarks).join(', ')}, but no "${name}".`);
    const table = await benchmark();
    print(table);
    results.push(table);
  }
  const folder = path.resolve(__dirname, '../bench-results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'latest.json'), `${JSON.stringify(results, null, 2)}\n`);
  writeFigures(results);
}

const asked = process.argv.slice(2);
void run(asked.length > 0 ? asked : Object.keys(benchmarks)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
