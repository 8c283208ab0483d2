/**
 * Runs a command with Node-RED 5: `node scripts/with-node-red-5.mjs npm run test:process`. If this Node.js is too old for it,
 * the command runs with a newer one. Both are installed from the npm registry into a temporary folder, because a second Node.js
 * in this project's node_modules would shadow the first in every script.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const nodeRedVersion = '5.0.7';
/** Used if this Node.js is too old: Node-RED 5 needs 22.9. */
const nodeVersion = '22.23.3';
const [major, minor] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 9);
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
  runProgram('npm', ['install', '--no-audit', '--no-fund', '--no-engine-strict', `node-red@${nodeRedVersion}`], {
    cwd: folder,
  });
}
const [program, ...args] = isNewEnough
  ? command
  : ['npx', '--yes', '--package', `node@${nodeVersion}`, '--', ...command];
const programs = join(import.meta.dirname, '../node_modules/.bin');
runProgram(program, args, {
  env: { ...process.env, CEMM_NODE_RED: script, PATH: `${programs}${delimiter}${process.env.PATH ?? ''}` },
});

function runProgram(program, args, options) {
  const { status } = spawnSync(program, args, { stdio: 'inherit', shell: process.platform === 'win32', ...options });
  if (status !== 0) process.exit(status ?? 1);
}
