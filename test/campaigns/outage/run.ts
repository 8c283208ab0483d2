/**
 * `npm run campaign -- outage --minutes N [--monitors N]`: monitors polled every ten seconds fail at once, half of them refusing
 * connections and half of them silent, and return after N minutes. Goals: at most five lines of log per monitor; at most twice
 * the usual requests in the first minute of polling again; every monitor is reported online. Node-RED has 128 MB of heap. Exit
 * code 1: a goal is missed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { startSimulator } from '../../../src/simulator/start-simulator';
import { loopbackOnly } from '../../support/network/discoverable';
import { collector, NodeRed, tab, type FlowNode } from '../../support/node-red/node-red';
import { until } from '../../support/until';
import { startProxy } from '../soak/proxy';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, monitors: { type: 'string', default: '20' } },
});
const [minutes, count] = [Number(values.minutes), Number(values.monitors)];
const mostLines = 5;
const mostTimes = 2;
const minute = 60_000;
/** Longest pause of the circuit breaker. */
const longestPause = 5 * minute;

function polled(host: string, index: number): FlowNode[] {
  const connection = `connection-${index}`;
  return [
    { ...connectionDefaults, id: connection, type: 'cemm-connection', name: `monitor ${index}`, host },
    {
      ...realtimeDefaults,
      id: `realtime-${index}`,
      type: 'cemm-realtime',
      z: 'flow',
      name: `reading ${index}`,
      connection,
      alias: 'p1',
      wires: [['readings'], ['availability']],
    },
  ];
}

async function main(): Promise<void> {
  const simulator = await startSimulator({ localPort: 0 });
  const proxies = await Promise.all(Array.from({ length: count }, () => startProxy(simulator.local ?? '')));
  const nodeRed = await NodeRed.start({
    flows: [
      tab(),
      ...proxies.flatMap(({ host }, index) => polled(host, index)),
      ...collector('readings'),
      ...collector('availability'),
    ],
    nodeOptions: ['--max-old-space-size=128', ...loopbackOnly],
  });
  const requests = (): number => [...simulator.requests.values()].reduce((sum, calls) => sum + calls, 0);
  const changes = async (state: string): Promise<number> =>
    (await nodeRed.messages('availability')).filter(({ payload }) => JSON.stringify(payload).includes(`"${state}"`))
      .length;
  try {
    await nodeRed.waitForMessages('readings', 2 * count, 120_000);
    const beforeUsual = requests();
    await sleep(minute);
    const usual = requests() - beforeUsual;

    const lines = (): number => nodeRed.log.split('\n').length;
    const [linesBefore, before] = [lines(), requests()];
    proxies.forEach((proxy, index) => {
      proxy.set(index % 2 === 0 ? 'refuses' : 'swallows');
    });
    await sleep(minutes * minute);
    const [written, passed] = [lines() - linesBefore, requests() - before];
    const gone = await changes('offline');

    const atReturn = requests();
    const returned = performance.now();
    for (const proxy of proxies) proxy.set('through');
    // The circuit breaker allows no request before its pause is over.
    await until('the first request after the outage', () => requests() > atReturn, longestPause + minute);
    const waited = (performance.now() - returned) / 1000;
    await sleep(minute);
    const after = requests() - atReturn;
    const back = await until(
      'every monitor to be reported online',
      async () => {
        const known = await changes('online');
        return known >= count && known;
      },
      longestPause + minute,
    ).catch(() => changes('online'));

    const perMonitor = written / count;
    const times = after / usual;
    process.stdout.write(
      `${count} monitors offline for ${minutes} minutes: ${perMonitor.toFixed(2)} lines of log each, ${gone} reported offline\n` +
        `polled again after ${waited.toFixed(0)} s: ${after} requests in the first minute then, ${times.toFixed(2)} times the usual ` +
        `${usual}; ${back} reported online\n`,
    );
    const problems: string[] = [];
    if (usual === 0 || passed > usual) problems.push('nothing was measured');
    if (gone < count) problems.push('not every outage was reported');
    if (back < count) problems.push('not every return was reported');
    if (perMonitor > mostLines) problems.push(`more than ${mostLines} lines of log per monitor`);
    if (times > mostTimes) problems.push(`more than ${mostTimes} times the usual requests`);
    for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await nodeRed.stop();
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await simulator.close();
  }
}

void main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
