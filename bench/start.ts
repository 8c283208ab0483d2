/**
 * Time from spawn to "Started flows", processor time and memory at that time: without packages, and with this package in the user
 * directory, with an empty flow and with one realtime node.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUserDir, projectDir } from '../test/support/node-red/installed-package';
import { freePort } from '../test/support/node-red/node-red';
import { inTurns, median } from './support/interleaved';
import { rounded, type Table } from './support/table';

const rounds = 15;

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
  readonly rss: number;
}

type Figure = (values: readonly number[]) => number;

/** The least is what other processes disturb least. */
const least: Figure = (values) => Math.min(...values);

const connection = { id: 'connection', type: 'cemm-connection', mode: 'local', host: '127.0.0.1:9' };
const oneRealtimeNode = [
  { id: 'flow', type: 'tab' },
  connection,
  {
    id: 'realtime',
    type: 'cemm-realtime',
    z: 'flow',
    connection: 'connection',
    alias: 'p1',
    interval: '5',
    wires: [[], []],
  },
];

export async function start(): Promise<Table> {
  const results = await inTurns<Start>(rounds, {
    none: () => measure(false, []),
    empty: () => measure(true, []),
    realtime: () => measure(true, oneRealtimeNode),
  });
  const figure = (peer: string, name: keyof Start, of: Figure = median): number =>
    of((results.get(peer) ?? []).map((result) => result[name]));
  const more = (peer: string, name: keyof Start): number => figure(peer, name) - figure('none', name);
  const cpuRatio = (peer: string): number => figure(peer, 'cpuMs', least) / figure('none', 'cpuMs', least);
  return {
    name: 'start',
    rows: [...results.keys()].map((peer) => ({
      flow: peer,
      'started after ms': rounded(figure(peer, 'ms'), 0),
      'CPU ms': rounded(figure(peer, 'cpuMs', least), 0),
      'rss MB': rounded(figure(peer, 'rss') / 1e6, 1),
    })),
    goals: [
      { what: 'ms above none', value: more('empty', 'ms'), limit: 50 },
      { what: 'MB above none', value: more('empty', 'rss') / 1e6, limit: 8 },
      { what: 'CPU time of an empty flow, in times of none', value: cpuRatio('empty'), limit: 1.05 },
      { what: 'CPU time of one realtime node, in times of none', value: cpuRatio('realtime'), limit: 1.12 },
    ],
  };
}

async function measure(isInstalled: boolean, flows: readonly object[]): Promise<Start> {
  const userDir = await createUserDir();
  try {
    if (!isInstalled) await rm(join(userDir, 'node_modules'), { recursive: true });
    await writeFile(join(userDir, 'package.json'), '{ "name": "user", "private": true }');
    await writeFile(join(userDir, 'settings.js'), settings);
    await writeFile(join(userDir, 'flows.json'), JSON.stringify(flows));
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
    // First the processor time: the question for memory collects garbage.
    child.send({ id: 1, what: 'cpu' });
    const [cpu] = (await once(child, 'message')) as [{ value: NodeJS.CpuUsage }];
    child.send({ id: 2, what: 'memory' });
    const [memory] = (await once(child, 'message')) as [{ value: NodeJS.MemoryUsage }];
    return { ms, cpuMs: (cpu.value.user + cpu.value.system) / 1000, rss: memory.value.rss };
  } finally {
    child.kill();
    await ended;
  }
}
