/**
 * `npm run campaign -- soak --minutes N [--rate PER_SECOND] [--monitors N] [--bytes N]`: deliveries, polled monitors, a deploy a
 * minute, outages, and an incremental series, on a Node-RED with 128 MB of heap. Prints samples and a report. Exit code 1:
 * something was lost, sent twice, or grows.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { millis } from '../../../src/time/units';
import { NodeRed } from '../../support/node-red/node-red';
import { searchForSecrets } from '../../support/node-red/secrets';
import { until } from '../../support/until';
import { credentials, key } from '../../support/webhook/flows';
import { soakFlow } from './flows';
import { startProxy, type ProxyMode } from './proxy';
import { reportProblems, longMinutes, megabytes, percentile, type Sample, type SoakResult } from './report';
import { SteadySender } from './sender';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    rate: { type: 'string', default: '500' },
    monitors: { type: 'string', default: '100' },
    bytes: { type: 'string', default: '2000' },
  },
});

const day = 24 * 3_600_000;
/** Seconds between samples. A sample collects garbage, which stops the process, so a long run takes fewer. */
const sampleSeconds = { short: 10, long: 30 };
/** Second of each minute → mode of the proxies. */
const modeAt = new Map<number, ProxyMode>([
  [12, 'refuses'],
  [18, 'through'],
  [32, 'swallows'],
  [40, 'through'],
]);
const deployAt = 50;

async function main(): Promise<void> {
  const [minutes, rate, count, bytes] = [values.minutes, values.rate, values.monitors, values.bytes].map(Number);
  if (!(minutes && rate && count && bytes))
    throw new RangeError('--minutes, --rate, --monitors and --bytes are numbers');
  const simulator = await startSimulator({ localPort: 0, since: millis(Date.now() - 3 * day) });
  const proxies = await Promise.all(Array.from({ length: count }, () => startProxy(simulator.local ?? '')));
  const monitors = proxies.map(({ host }) => host);
  const nodeRed = await NodeRed.start({
    settings: "contextStorage: { default: { module: 'localfilesystem', config: { cache: false } } },",
    flows: soakFlow({ monitors, round: 0 }),
    credentials,
    nodeOptions: ['--max-old-space-size=128', '--require', join(__dirname, 'heartbeat.cjs')],
  });
  try {
    const sender = new SteadySender({ url: `${nodeRed.url}/cemm`, key }, rate, 'x'.repeat(bytes));
    await nodeRed.waitForMessages('readings', count, 120_000);
    const handlesBefore = (await nodeRed.handles()).resources.length;
    const every = minutes < longMinutes ? sampleSeconds.short : sampleSeconds.long;
    const samples: Sample[] = [];
    let timesSeen = 0;
    let deploys = 0;
    sender.start();
    const started = performance.now();
    for (let second = 1; second <= minutes * 60; second++) {
      await sleep(Math.max(0, started + second * 1000 - performance.now()));
      if (!nodeRed.running) throw new Error(`Node-RED ended:\n${nodeRed.log.slice(-3000)}`);
      const mode = modeAt.get(second % 60);
      if (mode !== undefined) for (const proxy of proxies) proxy.set(mode);
      if (second % 60 === deployAt) {
        deploys += 1;
        // Only changed nodes restart: a full deploy would lose messages in the nodes behind them.
        await nodeRed.deploy(soakFlow({ monitors, round: deploys }), 'nodes');
      }
      if (second % every === 0) {
        // The latest only: sorting half an hour of them would delay the requests in flight.
        const latest = sender.times.slice(timesSeen);
        timesSeen = sender.times.length;
        samples.push(await sample(nodeRed, second, sender, latest));
      }
    }
    await sender.stop();
    for (const proxy of proxies) proxy.set('through');
    const readings = (await nodeRed.messages('readings')).length;
    await nodeRed.waitForMessages('readings', readings + count, 400_000);
    const result = await collect(nodeRed, sender, { minutes, samples, deploys, handlesBefore });
    const problems = reportProblems(result);
    problems.push(...(await searchForSecrets(nodeRed, [key])).found);
    for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await nodeRed.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await simulator.close();
  }
}

async function sample(
  nodeRed: NodeRed,
  second: number,
  sender: SteadySender,
  times: readonly number[],
): Promise<Sample> {
  const { heapUsed, rss } = await nodeRed.ask('memory');
  const handles = (await nodeRed.handles()).resources.length;
  process.stdout.write(
    `${second} s: heap ${megabytes(heapUsed)}, rss ${megabytes(rss)}, ${handles} handles, ` +
      `${sender.acknowledged.length} deliveries, ${sender.busy} busy, p99 ${percentile(times, 0.99).toFixed(0)} ms\n`,
  );
  return { second, heapUsed, rss };
}

async function collect(
  nodeRed: NodeRed,
  sender: SteadySender,
  facts: Pick<SoakResult, 'minutes' | 'samples' | 'deploys' | 'handlesBefore'>,
): Promise<SoakResult> {
  await nodeRed.waitForMessages('deliveries', sender.acknowledged.length, 60_000).catch(() => undefined);
  const handlesAfter = await until(
    'handles as before',
    async () => {
      const handles = (await nodeRed.handles()).resources.length;
      return handles <= facts.handlesBefore + 5 && handles;
    },
    30_000,
  ).catch(async () => (await nodeRed.handles()).resources.length);
  return {
    ...facts,
    handlesAfter,
    acknowledged: sender.acknowledged,
    arrived: (await nodeRed.messages('deliveries')).map(({ payload }) => Number(payload)),
    busy: sender.busy,
    failures: sender.failures,
    times: sender.times,
    readings: (await nodeRed.messages('readings')).length,
    points: (await nodeRed.messages('samples')).flatMap(({ payload }) => payload as number[]),
    delays: (await nodeRed.messages('delays')) as unknown as SoakResult['delays'],
    logLines: nodeRed.log.split('\n').length,
    warnings: nodeRed.log.split('\n').filter((line) => /MaxListeners|Unhandled|uncaught/i.test(line)),
  };
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
