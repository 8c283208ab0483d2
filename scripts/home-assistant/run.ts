/**
 * `npm run test:home-assistant`: prepares what the tests need, says so, and runs them. Options and files go to mocha; `--prepare`
 * alone only prepares.
 */
import { spawnSync } from 'node:child_process';
import { missing, prepare } from './prepare';

async function main(options: readonly string[]): Promise<number> {
  const reason = missing();
  if (reason !== null) {
    console.error(reason);
    return 2;
  }
  await prepare();
  if (options.includes('--prepare')) return 0;
  const files = options.some((option) => option.endsWith('.ts')) ? [] : ['test/home-assistant/**/*.test.ts'];
  const args = ['--config', 'test/support/installed.mocharc.json', ...options, ...files];
  return spawnSync('mocha', args, { stdio: 'inherit' }).status ?? 1;
}

void main(process.argv.slice(2)).then((status) => (process.exitCode = status));
