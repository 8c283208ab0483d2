/** A thousand monitors polled every 10 s by one Node-RED; its time and memory are measured inside its process. */
import { setTimeout as pause } from 'node:timers/promises';
import { NodeRed, tab, type FlowNode, type ProcessLoad } from '../test/support/node-red/node-red';
import { until } from '../test/support/until';
import { startMonitors, type Monitors } from './support/monitor-process';
import { median } from './support/interleaved';
import { rounded, type Table } from './support/table';

const monitorCount = 1000;
const intervalMs = 10_000;
const rounds = 6;

export async function fleet(): Promise<Table> {
  const monitors = await startMonitors(monitorCount);
  const nodeRed = await NodeRed.start({ flows: [tab()] });
  try {
    const idle = await loads(nodeRed, 1);
    await nodeRed.deploy(flows(monitors.hosts));
    await until('the first reading of every monitor', () => everyMonitorWasAsked(monitors), 120_000);
    // The first polls start at once, because users wait for them; from the second on they are spread.
    await pause(2 * intervalMs);
    const { now: from } = await monitors.asked();
    const polling = await loads(nodeRed, rounds);
    const { now: to, readings } = await monitors.asked();
    return tableOf(
      idle,
      polling,
      readings.map((times) => times.filter((time) => time >= from && time < to)),
    );
  } finally {
    await Promise.all([nodeRed.stop(), monitors.stop()]);
  }
}

function tableOf(idle: readonly ProcessLoad[], polling: readonly ProcessLoad[], polls: readonly number[][]): Table {
  const share = (loads: readonly ProcessLoad[]): number => 100 * median(loads.map(({ cpuMs, ms }) => cpuMs / ms));
  const delay = (loads: readonly ProcessLoad[]): number => median(loads.map(({ delayP99Ms }) => delayP99Ms));
  const intervals = intervalsOf(polls);
  const row = (what: string, loads: readonly ProcessLoad[]): Table['rows'][number] => ({
    monitors: what,
    '% of a core': rounded(share(loads), 1),
    'event loop p99 ms': rounded(delay(loads), 1),
  });
  return {
    name: 'fleet',
    rows: [
      row('none', idle),
      {
        ...row(String(monitorCount), polling),
        'requests per second': rounded(polls.flat().length / (rounds * (intervalMs / 1000)), 0),
        'in the busiest second': busiestSecond(polls),
        intervals: intervals.length,
        'not one request': intervals.filter((requests) => requests !== 1).length,
      },
    ],
    goals: [
      { what: '% of a core', value: share(polling), limit: 25 },
      { what: 'event loop p99 in ms', value: delay(polling), limit: 50 },
      { what: 'most requests per meter and interval', value: Math.max(...intervals), limit: 1 },
      { what: 'least requests per meter and interval', value: Math.min(...intervals), limit: 1, atLeast: true },
    ],
  };
}

/**
 * Requests in each interval of each monitor's own grid. The distance of two requests identifies an interval: less than one
 * interval means two requests in it, two intervals mean one without a request.
 */
function intervalsOf(polls: readonly (readonly number[])[]): number[] {
  return polls.flatMap((times) => {
    if (times.length === 0) return [0];
    return times.slice(1).flatMap((time, index) => {
      const lasted = Math.round((time - (times[index] ?? NaN)) / intervalMs);
      return lasted === 0 ? [2] : [1, ...Array.from({ length: lasted - 1 }, () => 0)];
    });
  });
}

function busiestSecond(polls: readonly (readonly number[])[]): number {
  const seconds = new Map<number, number>();
  for (const time of polls.flat()) {
    const second = Math.floor(time / 1000);
    seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  return Math.max(...seconds.values());
}

async function loads(nodeRed: NodeRed, count: number): Promise<ProcessLoad[]> {
  const found: ProcessLoad[] = [];
  await nodeRed.ask('load');
  for (let round = 0; round < count; round++) {
    await pause(intervalMs);
    found.push(await nodeRed.ask('load'));
  }
  return found;
}

async function everyMonitorWasAsked(monitors: Monitors): Promise<boolean> {
  const { readings } = await monitors.asked();
  return readings.every((times) => times.length > 0);
}

function flows(hosts: readonly string[]): FlowNode[] {
  return [
    tab(),
    { id: 'sink', type: 'function', z: 'flow', func: 'return null;', outputs: 0, wires: [] },
    ...hosts.flatMap((host, index): FlowNode[] => [
      { id: `connection-${index}`, type: 'cemm-connection', mode: 'local', host, timezone: 'Europe/Amsterdam' },
      {
        id: `realtime-${index}`,
        type: 'cemm-realtime',
        z: 'flow',
        connection: `connection-${index}`,
        alias: 'p1',
        interval: intervalMs / 1000,
        wires: [['sink'], []],
      },
    ]),
  ];
}
