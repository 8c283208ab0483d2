/** Fifty nodes that read one meter: triggered by one message, and each with its own interval. */
import { NodeRed, collector, tab, type FlowNode } from '../test/support/node-red/node-red';
import { startMonitors, type Monitors } from './support/monitor-process';
import { median } from './support/interleaved';
import type { Table } from './support/table';

const nodeCount = 50;
const rounds = 5;
const floorSeconds = 5;

export async function shared(): Promise<Table> {
  const monitors = await startMonitors(1);
  const nodeRed = await NodeRed.start({ flows: flows(monitors.hosts, 0) });
  try {
    const asked = await byMessage(nodeRed, monitors);
    await nodeRed.deploy(flows(monitors.hosts, floorSeconds));
    const polled = await byInterval(nodeRed, monitors);
    return {
      name: 'shared',
      rows: Object.entries({ 'one message to all': asked, 'an interval each': polled }).map(([what, requests]) => ({
        what,
        nodes: nodeCount,
        'answers per round': nodeCount,
        rounds: requests.length,
        'requests per round': median(requests),
        'in the worst round': Math.max(...requests),
      })),
      goals: [{ what: 'requests for 50 nodes', value: Math.max(...asked, ...polled), limit: 1 }],
    };
  } finally {
    await Promise.all([nodeRed.stop(), monitors.stop()]);
  }
}

async function byMessage(nodeRed: NodeRed, monitors: Monitors): Promise<number[]> {
  const requests: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const before = await requestsSoFar(monitors);
    await nodeRed.inject('go');
    await nodeRed.waitForMessages('out', round * nodeCount, 60_000);
    requests.push((await requestsSoFar(monitors)) - before);
  }
  return requests;
}

/** Requests sent while this number of responses reached the nodes. */
async function byInterval(nodeRed: NodeRed, monitors: Monitors): Promise<number[]> {
  const requests: number[] = [];
  let answered = rounds * nodeCount;
  let asked = rounds;
  for (let round = 0; round < rounds; round++) {
    answered += nodeCount;
    await nodeRed.waitForMessages('out', answered, 60_000);
    const now = await requestsSoFar(monitors);
    requests.push(now - asked);
    asked = now;
  }
  return requests;
}

function requestsSoFar(monitors: Monitors): Promise<number> {
  return monitors.asked().then(({ readings }) => readings.flat().length);
}

/** With an interval of 0 the nodes only answer messages. */
function flows([host = '']: readonly string[], interval: number): FlowNode[] {
  const ids = Array.from({ length: nodeCount }, (_, index) => `realtime-${index}`);
  return [
    tab(),
    { id: 'connection', type: 'cemm-connection', mode: 'local', host, timezone: 'Europe/Amsterdam' },
    { id: 'go', type: 'inject', z: 'flow', props: [], once: false, repeat: '', crontab: '', wires: [ids] },
    ...ids.map((id) => ({
      id,
      type: 'cemm-realtime',
      z: 'flow',
      connection: 'connection',
      alias: 'p1',
      interval,
      wires: [['out'], []],
    })),
    ...collector('out'),
  ];
}
