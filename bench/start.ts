/** Time from spawn to "Started flows", and memory at that time: with this package in the user directory, and without packages. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUserDir, projectDir } from '../test/support/node-red/installed-package';
import { freePort } from '../test/support/node-red/node-red';
import { inTurns, median } from './support/interleaved';
import { rounded, type Table } from './support/table';

const rounds = 7;

interface Start {
  readonly ms: number;
  readonly rss: number;
}

export async function start(): Promise<Table> {
  const results = await inTurns<Start>(rounds, { with: () => measure(true), none: () => measure(false) });
  const figure = (peer: string, name: keyof Start): number =>
    median((results.get(peer) ?? []).map((result) => result[name]));
  const more = (name: keyof Start): number => figure('with', name) - figure('none', name);
  return {
    name: 'start',
    rows: ['with', 'none'].map((peer) => ({
      package: peer,
      'started after ms': rounded(figure(peer, 'ms'), 0),
      'rss MB': rounded(figure(peer, 'rss') / 1e6, 1),
    })),
    goals: [
      { what: 'ms above none', value: more('ms'), limit: 50 },
      { what: 'MB above none', value: more('rss') / 1e6, limit: 8 },
    ],
  };
}

async function measure(isInstalled: boolean): Promise<Start> {
  const userDir = await createUserDir();
  try {
    if (!isInstalled) await rm(join(userDir, 'node_modules'), { recursive: true });
    await writeFile(join(userDir, 'package.json'), '{ "name": "user", "private": true }');
    await writeFile(join(userDir, 'settings.js'), settings);
    // The first start writes its files; users usually have the second one.
    await startOnce(userDir);
    return await startOnce(userDir);
  } finally {
    await rm(userDir, { recursive: true, force: true });
  }
}

const settings = `module.exports = { uiHost: '127.0.0.1', flowFile: 'flows.json', credentialSecret: 'bench',
  telemetry: { enabled: false, updateNotification: false } };`;

async function startOnce(userDir: string): Promise<Start> {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...[
        '--expose-gc',
        '--require',
        join(projectDir, 'test/support/node-red/process-stats.cjs'),
        require.resolve('node-red/red.js'),
      ],
      ...['--userDir', userDir, '--settings', join(userDir, 'settings.js'), '--port', String(port)],
    ],
    { cwd: userDir, stdio: ['ignore', 'pipe', 'ignore', 'ipc'], env: { ...process.env, NODE_RED_HOME: undefined } },
  );
  const ended = once(child, 'exit');
  try {
    let output = '';
    for await (const chunk of child.stdout ?? []) {
      output += String(chunk);
      if (output.includes('Started flows')) break;
    }
    const ms = performance.now() - started;
    child.send({ id: 1, what: 'memory' });
    const [answer] = (await once(child, 'message')) as [{ value: NodeJS.MemoryUsage }];
    return { ms, rss: answer.value.rss };
  } finally {
    child.kill();
    await ended;
  }
}
