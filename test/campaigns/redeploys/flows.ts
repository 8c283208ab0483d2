/** Two flows of about the same size: one with every node of the package at work, one with Node-RED's own nodes instead. */
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { discoveryDefaults } from '../../../nodes/cemm-discovery/config';
import { formatDefaults } from '../../../nodes/cemm-format/config';
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { totalsDefaults } from '../../../nodes/cemm-totals/config';
import { tab, type FlowNode } from '../../support/node-red/node-red';
import { webhookNode } from '../../support/webhook/flows';

/** Every deploy changes the name of every node, so that all of them restart. */
export type Flow = (round: number) => FlowNode[];

const path = '/cemm';
const name = (round: number): string => `round ${round}`;

/** Discards every message. */
const sink = (round: number): FlowNode => ({
  id: 'sink',
  type: 'function',
  z: 'flow',
  name: name(round),
  func: 'return null;',
  outputs: 1,
  wires: [[]],
});

const asking = (round: number, to: readonly string[]): FlowNode => ({
  id: 'ask',
  type: 'inject',
  z: 'flow',
  name: name(round),
  props: [],
  once: true,
  onceDelay: 0.01,
  repeat: '0.1',
  wires: [to],
});

/** @param host of a monitor with both generations of interfaces */
export function ourFlow(host: string): Flow {
  return (round) => {
    const connection = { ...connectionDefaults, type: 'cemm-connection', name: name(round), host };
    const placed = { z: 'flow', name: name(round), connection: 'local-house' };
    const toFormat = { wires: [['format'], ['sink']] };
    return [
      tab(),
      { ...connection, id: 'local-house' },
      { ...connection, id: 'today', mode: 'public', timezone: '' },
      { ...connection, id: 'demo-house', mode: 'demo' },
      asking(round, ['realtime', 'series', 'public', 'totals', 'discovery']),
      { ...realtimeDefaults, ...placed, ...toFormat, id: 'realtime', type: 'cemm-realtime', interval: 5 },
      { ...realtimeDefaults, ...placed, ...toFormat, id: 'demo-now', type: 'cemm-realtime', connection: 'demo-house' },
      {
        ...seriesDefaults,
        ...placed,
        ...toFormat,
        id: 'series',
        type: 'cemm-series',
        alias: 'p1',
        period: 'month',
        span: 'new',
      },
      {
        ...seriesDefaults,
        ...placed,
        ...toFormat,
        id: 'public',
        type: 'cemm-series',
        connection: 'today',
        channel: 'water:volume',
      },
      { ...totalsDefaults, ...placed, ...toFormat, id: 'totals', type: 'cemm-totals', alias: 'p1' },
      { ...discoveryDefaults, ...placed, id: 'discovery', type: 'cemm-discovery', scope: 'meters', wires: [['sink']] },
      webhookNode({ name: name(round), path, expected: '1m', connection: 'today', ...toFormat }),
      { ...formatDefaults, id: 'format', type: 'cemm-format', z: 'flow', name: name(round), wires: [['sink']] },
      sink(round),
    ];
  };
}

export const controlFlow: Flow = (round) => {
  const change = (id: string): FlowNode => ({
    id,
    type: 'change',
    z: 'flow',
    name: name(round),
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: '', tot: 'date' }],
    wires: [['sink']],
  });
  const changes = Array.from({ length: 8 }, (_, index) => change(`change-${index}`));
  return [
    tab(),
    asking(
      round,
      changes.map(({ id }) => id),
    ),
    ...changes,
    {
      id: 'in',
      type: 'http in',
      z: 'flow',
      name: name(round),
      url: path,
      method: 'post',
      upload: false,
      wires: [['out', 'sink']],
    },
    { id: 'out', type: 'http response', z: 'flow', name: name(round), statusCode: '200', headers: {}, wires: [] },
    sink(round),
  ];
};
