/**
 * Runs a command with Node-RED 5 under a Node that it accepts: `node scripts/with-node-red-5.mjs npm run test:process`.
 * Both come from the npm registry into a temporary folder; nothing of it touches this project's own node_modules, where
 * a second Node would shadow the first in every script.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const nodeRedVersion = '5.0.7';
const nodeVersion = '22.23.3';
const command = process.argv.slice(2);
if (command.length === 0) {
  console.error('Say what to run: node scripts/with-node-red-5.mjs npm run test:process');
  process.exit(2);
}

const folder = join(tmpdir(), `cemm-node-red-${nodeRedVersion}`);
const script = join(folder, 'node_modules/node-red/red.js');
if (!existsSync(script)) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', '--no-engine-strict', `node-red@${nodeRedVersion}`], {
    cwd: folder,
  });
}
run('npx', ['--yes', '--package', `node@${nodeVersion}`, '--', ...command], {
  env: { ...process.env, CEMM_NODE_RED: script },
});

function run(program, args, options) {
  const { status } = spawnSync(program, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options });
  if (status !== 0) process.exit(status ?? 1);
}
