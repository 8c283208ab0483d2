// The flows of docs/for-assistants.md: small, complete, on the demo monitor. Every node has all properties of its type.
// test/process/for-assistants.test.ts deploys each of them.
import { nodeTypes } from '../nodes/check-flow/node-types';

export interface FlowNode {
  readonly id: string;
  readonly type: string;
  readonly [property: string]: unknown;
}

export interface AssistantFlow {
  readonly title: string;
  readonly nodes: readonly FlowNode[];
  /** Kind of a payload in the flow, and the id of the node that sends it. */
  readonly kind: string;
  readonly from: string;
  /** Content of the debug node at the end. */
  readonly ends: 'payload' | 'list' | 'object' | 'number';
}

const connection = { ...ofType('cemm-connection', 'cemm-demo'), mode: 'demo' };

function ofType(type: string, id: string): FlowNode {
  const { defaults = {}, outputs } = nodeTypes[type] ?? {};
  const wires = (outputs ?? []).map(() => []);
  return { id, type, ...defaults, ...(outputs !== null && { wires }) };
}

type Properties = Readonly<Record<string, unknown>>;

interface Parts {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly ends?: AssistantFlow['ends'];
  /** In the order of the wires; the first node of this package follows the inject node, if there is one. */
  readonly steps: readonly (readonly [type: string, properties: Properties])[];
  /** True if a message starts it. */
  readonly isStarted?: boolean;
}

/** Nodes in a row, each connected to the next, with a debug node at the end. */
function flow({ id, title, kind, ends = 'payload', steps, isStarted = false }: Parts): AssistantFlow {
  const tab: FlowNode = { id, type: 'tab', label: title };
  const place = (index: number): Properties => ({ z: id, x: 140 + index * 200, y: 80 });
  const inject = { type: 'inject', props: [{ p: 'payload' }], payloadType: 'date', repeat: '', once: false };
  const row: (readonly [string, Properties])[] = [
    ...(isStarted ? [['inject', inject] as const] : []),
    ...steps,
    ['debug', { active: true, tosidebar: true, complete: 'payload' }],
  ];
  const nodes = row.map(([type, properties], index): FlowNode => {
    const name = `${id}-${index + 1}`;
    const { wires = [[]], ...own } = type in nodeTypes ? ofType(type, name) : { id: name, type };
    const outputs = (wires as string[][]).map((ids, output) =>
      output === 0 && index < row.length - 1 ? [`${id}-${index + 2}`] : ids,
    );
    return { ...own, ...place(index), ...properties, id: name, type, wires: type === 'debug' ? [] : outputs };
  });
  const from = nodes.find(({ type }) => type in nodeTypes && type !== 'cemm-format')?.id ?? '';
  const uses = steps.some(([, { connection: used }]) => used === connection.id);
  return { title, kind, from, ends, nodes: [tab, ...(uses ? [connection] : []), ...nodes] };
}

const demo = { connection: connection.id };
const grid = { ...demo, alias: 'p1' };
const housePrices =
  '{"currency":"EUR","import":{"t1":0.24,"t2":0.28},"export":0.05,"export_fee":0.03,"gas":1.3,"per_day":0.35,"per_year":-628.96}';

export const assistantFlows: readonly AssistantFlow[] = [
  flow({
    id: 'now',
    title: 'Current values of the smart meter every 10 seconds',
    kind: 'realtime',
    steps: [['cemm-realtime', grid]],
  }),
  flow({
    ...{
      id: 'every',
      title: 'All meters, one message each, when a message arrives',
      kind: 'realtime',
      isStarted: true,
    },
    steps: [['cemm-realtime', { ...demo, interval: 0 }]],
  }),
  flow({
    ...{
      id: 'power',
      title: 'Only the power, for a gauge: a change node takes one field out',
      kind: 'realtime',
      ends: 'number',
    },
    steps: [
      ['cemm-realtime', grid],
      ['change', { rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'payload.values.power_w', tot: 'msg' }] }],
    ],
  }),
  flow({
    ...{
      id: 'chart',
      title: 'Today as a line, for the chart of Dashboard 2',
      kind: 'series',
      ends: 'list',
      isStarted: true,
    },
    steps: [
      ['cemm-series', grid],
      ['cemm-format', { format: 'chart' }],
    ],
  }),
  flow({
    ...{ id: 'days', title: 'The days of this month', kind: 'series', isStarted: true },
    steps: [['cemm-series', { ...grid, period: 'month' }]],
  }),
  flow({
    ...{ id: 'readings', title: 'Meter readings of today', kind: 'totals', isStarted: true },
    steps: [['cemm-totals', grid]],
  }),
  flow({
    ...{ id: 'house', title: 'The house today, with costs', kind: 'balance', isStarted: true },
    steps: [['cemm-balance', { ...demo, interval: 0, prices: housePrices, pricesType: 'json' }]],
  }),
  flow({
    ...{ id: 'influx', title: 'Points for InfluxDB, every 10 seconds', kind: 'realtime', ends: 'list' },
    steps: [
      ['cemm-realtime', grid],
      ['cemm-format', { format: 'influx' }],
    ],
  }),
  flow({
    ...{ id: 'meters', title: 'Which meters are there', kind: 'meter', isStarted: true },
    steps: [['cemm-discovery', { ...demo, scope: 'meters' }]],
  }),
  flow({
    ...{
      id: 'hook',
      title: 'What a monitor pushes, signed with the key in the variable CEMM_HMAC_KEY',
      kind: 'webhook',
    },
    steps: [['cemm-webhook-in', { path: '/cemm/push', hmacKeyFrom: 'CEMM_HMAC_KEY', hmacKeyFromType: 'env' }]],
  }),
];
