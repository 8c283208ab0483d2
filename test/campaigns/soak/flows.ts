/** The flow of a soak: a webhook node, polled monitors behind a proxy, and an incremental series. */
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { collector, tab, type FlowNode } from '../../support/node-red/node-red';
import { webhookNode } from '../../support/webhook/flows';

export interface SoakFlow {
  /** `host:port` of each monitor. */
  readonly monitors: readonly string[];
  /** Changes with every deploy, so that every node restarts. */
  readonly round: number;
}

export function soakFlow({ monitors, round }: SoakFlow): FlowNode[] {
  const polled = monitors.flatMap((host, index): FlowNode[] => [
    {
      id: `connection-${index}`,
      type: 'cemm-connection',
      name: `round ${round}`,
      mode: 'local',
      host,
      timezone: 'Europe/Amsterdam',
      deadline: 5,
    },
    {
      ...realtimeDefaults,
      id: `realtime-${index}`,
      type: 'cemm-realtime',
      z: 'flow',
      connection: `connection-${index}`,
      alias: 'p1',
      interval: 10,
      wires: [['short'], ['availability']],
    },
  ]);
  return [
    tab(),
    webhookNode({ name: `round ${round}`, wires: [['delivered'], ['problems']] }),
    {
      id: 'delivered',
      type: 'function',
      z: 'flow',
      func: 'return { payload: msg.payload.readings[0].value };',
      outputs: 1,
      wires: [['deliveries']],
    },
    ...polled,
    {
      id: 'short',
      type: 'function',
      z: 'flow',
      func: 'return { payload: msg.payload.id };',
      outputs: 1,
      wires: [['readings']],
    },
    {
      ...seriesDefaults,
      id: 'series',
      type: 'cemm-series',
      z: 'flow',
      name: `round ${round}`,
      connection: 'connection-0',
      alias: 'p1',
      period: 'day',
      span: 'new',
      interval: 5,
      wires: [['points']],
    },
    {
      id: 'points',
      type: 'function',
      z: 'flow',
      func: 'return { payload: msg.payload.points.map(({ ts }) => ts) };',
      outputs: 1,
      wires: [['samples']],
    },
    ...['deliveries', 'problems', 'availability', 'readings', 'samples'].flatMap((name) => collector(name)),
  ];
}
