/** `npm run campaign -- mutation [area …]`: one run of Stryker per area, all areas by default; fails if a score is too low. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { areas } from './areas.mjs';

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(areas, name));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}: ${Object.keys(areas).join(', ')}`);
  process.exit(2);
}

const stryker = join(
  dirname(createRequire(import.meta.url).resolve('@stryker-mutator/core/package.json')),
  'bin/stryker.js',
);
const failed = (names.length > 0 ? names : Object.keys(areas)).filter((name) => {
  console.log(`── ${name}`);
  const env = { ...process.env, CEMM_MUTATION_AREA: name };
  return spawnSync(process.execPath, [stryker, 'run'], { stdio: 'inherit', env }).status !== 0;
});
console.log(failed.length === 0 ? 'all scores are high enough' : `failed: ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
