/**
 * `npx tsx scripts/report.ts FILE`: makes a test of the report of a monitor. Puts it into test/monitors/, with the payloads that this
 * version makes of its answers.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '../src/checks/record';
import { madeOf } from '../src/report/report';
import { readReport } from '../src/report/read-report';
import { fileOf, type Report } from '../src/report/report-file';

const folder = path.resolve(__dirname, '../test/monitors');

/** `local-2.26.0.0`, or with a number behind it if there is one already. */
function chooseFileName(report: Report): string {
  const first = report.made.find((made) => 'payload' in made);
  const versions = JSON.stringify(first ?? {}).match(/"version":"([\d.]+)"/);
  const name = `${report.mode}-${versions?.[1] ?? 'unknown'}`;
  const names = Array.from({ length: 1000 }, (_, index) => (index === 0 ? name : `${name}-${index + 1}`));
  return names.find((one) => !existsSync(path.join(folder, `${one}.json`))) ?? name;
}

async function addReport(file: string | undefined): Promise<void> {
  if (file === undefined) throw new Error('npx tsx scripts/report.ts FILE');
  const report = readReport(readFileSync(file, 'utf8'));
  const made = await madeOf(report);
  const differing = made.filter((one, index) => JSON.stringify(one) !== JSON.stringify(report.made[index]));
  for (const { of } of differing) console.log(`This version makes another payload: ${of}`);
  const target = path.join(folder, `${chooseFileName(report)}.json`);
  writeFileSync(target, fileOf({ ...report, made }));
  const failed = made.filter((one) => isRecord(one) && 'error' in one).map(({ of }) => of);
  console.log(
    `${path.relative(process.cwd(), target)}: ${made.length} readings, failed: ${failed.join(', ') || 'none'}`,
  );
}

addReport(process.argv[2]).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
