/**
 * `npm run test:home-assistant`: prepares what the tests need, says so, and runs them. Options and files go to mocha; `--prepare`
 * alone only prepares.
 */
import { spawnSync } from 'node:child_process';
import { missing, missingForTests, prepareChroots } from './prepare';

async function runHomeAssistantTests(options: readonly string[]): Promise<number> {
  const onlyPrepare = options.includes('--prepare');
  const reason = missing() ?? (onlyPrepare ? null : missingForTests());
  if (reason !== null) {
    console.error(reason);
    return 2;
  }
  await prepareChroots();
  if (onlyPrepare) return 0;
  const files = options.some((option) => option.endsWith('.ts')) ? [] : ['test/home-assistant/**/*.test.ts'];
  const args = ['--config', 'test/support/installed.mocharc.json', ...options, ...files];
  return spawnSync('mocha', args, { stdio: 'inherit' }).status ?? 1;
}

void runHomeAssistantTests(process.argv.slice(2)).then((status) => (process.exitCode = status));
