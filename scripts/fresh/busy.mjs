/**
 * The campaign `busy`: `npm test` again and again on a new Debian, beside six processes that only compute. `--times 3` repeats it less
 * often than twenty times. Ends with 1 if a test failed once.
 */
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { times: { type: 'string', default: '20' } } });
const times = Number(values.times);
const script = join(dirname(fileURLToPath(import.meta.url)), 'run.mjs');
const test = 'npm test';
const line = ['npm ci', ...Array.from({ length: times }, () => test)].join(' && ');

const loops = Array.from({ length: 6 }, () => spawn(process.execPath, ['--eval', 'for (;;) {}'], { stdio: 'ignore' }));
const { status } = spawnSync(process.execPath, [script, line], { stdio: 'inherit' });
for (const loop of loops) loop.kill('SIGKILL');
console.log(
  `${times} times ${test} beside ${loops.length} busy loops: ${status === 0 ? 'no test failed' : 'a test failed'}`,
);
process.exitCode = status ?? 1;
