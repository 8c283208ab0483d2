/**
 * `node scripts/check-faults.mjs FILE`: holds that every test which test/faults.json names has run and passed. FILE has one
 * `{"file", "name"}` per line, as test/support/summary-reporter.cjs writes it. Its last line counts the tests that are named.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [, , list] = process.argv;
if (list === undefined) {
  console.error('Say where the tests that passed are listed: node scripts/check-faults.mjs FILE');
  process.exit(2);
}

const key = ({ file, name }) => `${file}: ${name}`;
const passed = new Set(
  readFileSync(list, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => key(JSON.parse(line))),
);
const faults = JSON.parse(readFileSync(join(import.meta.dirname, '../test/faults.json'), 'utf8'));
const named = faults.flatMap(({ id, tests = [] }) => tests.map((test) => ({ id, test: key(test) })));
const missing = named.filter(({ test }) => !passed.has(test));

for (const { id, test } of missing) console.log(`did not run, or did not pass: ${id}: ${test}`);
for (const { id, campaign } of faults) if (campaign) console.log(`measured by hand: ${id}: ${campaign.command}`);
console.log(`${named.length - missing.length} of ${named.length} tests of ${faults.length} faults have passed`);
process.exitCode = missing.length === 0 ? 0 : 1;
