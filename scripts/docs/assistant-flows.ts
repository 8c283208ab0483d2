// The flows of docs/for-assistants.md: small, complete, on the demo monitor. A property that is left out has its default.
// test/process/for-assistants.test.ts deploys each of them.
import { nodeTypes } from '../../nodes/check-flow/node-types';

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
  /** Content of the node at the end: a debug node or a chart. */
  readonly ends: 'payload' | 'list' | 'object' | 'number';
}

const connection = { ...ofType('cemm-connection', 'cemm-demo'), mode: 'demo' };

function ofType(type: string, id: string): FlowNode {
  const { defaults = {}, outputs } = nodeTypes[type] ?? {};
  const wires = (outputs ?? []).map(() => []);
  return { id, type, version: defaults['version'], ...(outputs !== null && { wires }) };
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
  /** In place of the debug node, and the configuration nodes that it needs. */
  readonly end?: readonly [type: string, properties: Properties];
  readonly page?: readonly FlowNode[];
}

const debug = ['debug', { active: true, tosidebar: true, complete: 'payload' }] as const;

/** Nodes in a row, each connected to the next, with a debug node at the end. */
function flow({
  id,
  title,
  kind,
  ends = 'payload',
  steps,
  isStarted = false,
  end = debug,
  page = [],
}: Parts): AssistantFlow {
  const tab: FlowNode = { id, type: 'tab', label: title };
  const place = (index: number): Properties => ({ z: id, x: 140 + index * 200, y: 80 });
  const inject = { type: 'inject', props: [{ p: 'payload' }], payloadType: 'date', repeat: '', once: false };
  const row: (readonly [string, Properties])[] = [...(isStarted ? [['inject', inject] as const] : []), ...steps, end];
  const nodes = row.map(([type, properties], index): FlowNode => {
    const name = `${id}-${index + 1}`;
    const { wires = [[]], ...own } = type in nodeTypes ? ofType(type, name) : { id: name, type };
    const outputs = (wires as string[][]).map((ids, output) =>
      output === 0 && index < row.length - 1 ? [`${id}-${index + 2}`] : ids,
    );
    return { ...own, ...place(index), ...properties, id: name, type, wires: type === end[0] ? [] : outputs };
  });
  const from = nodes.find(({ type }) => type in nodeTypes && type !== 'cemm-format')?.id ?? '';
  const uses = steps.some(([, { connection: used }]) => used === connection.id);
  return { title, kind, from, ends, nodes: [tab, ...(uses ? [connection] : []), ...page, ...nodes] };
}

const demo = { connection: connection.id };
const grid = { ...demo, alias: 'p1' };
const housePrices =
  '{"currency":"EUR","import":{"t1":0.24,"t2":0.28},"export":0.05,"export_fee":0.03,"gas":1.3,"per_day":0.35,"per_year":-628.96}';

/** Base, theme, page and group of a Dashboard 2 widget. */
const dashboardNodes: readonly FlowNode[] = [
  {
    id: 'today-base',
    type: 'ui-base',
    name: 'Dashboard',
    path: '/dashboard',
    includeClientData: true,
    acceptsClientConfig: ['ui-notification', 'ui-control', 'ui-template'],
    navigationStyle: 'default',
    titleBarStyle: 'default',
  },
  {
    id: 'today-theme',
    type: 'ui-theme',
    name: 'Theme',
    colors: { surface: '#0b4f4a', primary: '#0d9488', bgPage: '#f3f6f6', groupBg: '#ffffff', groupOutline: '#d5dedd' },
    sizes: { density: 'default', pagePadding: '12px', groupGap: '12px', groupBorderRadius: '8px', widgetGap: '12px' },
  },
  {
    id: 'today-page',
    type: 'ui-page',
    name: 'Today',
    ui: 'today-base',
    path: '/today',
    icon: 'home',
    layout: 'grid',
    theme: 'today-theme',
    order: 1,
    visible: 'true',
    disabled: 'false',
  },
  {
    id: 'today-group',
    type: 'ui-group',
    name: 'Today',
    page: 'today-page',
    width: '12',
    height: '8',
    order: 1,
    showTitle: false,
    visible: 'true',
    disabled: 'false',
    groupType: 'default',
  },
];

const todayChart = {
  group: 'today-group',
  name: 'Today',
  label: 'Today',
  order: 1,
  width: '12',
  height: '8',
  chartType: 'line',
  category: 'series',
  categoryType: 'property',
  xAxisType: 'time',
  xAxisProperty: 'ts',
  xAxisPropertyType: 'property',
  xAxisFormatType: 'auto',
  yAxisProperty: 'value',
  yAxisPropertyType: 'property',
  action: 'replace',
  interpolation: 'linear',
  pointShape: 'false',
  pointRadius: 0,
  showLegend: true,
  removeOlder: '1',
  removeOlderUnit: '86400',
  removeOlderPoints: '',
  colors: ['#d97706', '#0d9488', '#1f77b4', '#2ca02c', '#a347e1', '#d62728', '#ff9896', '#9467bd', '#c5b0d5'],
};

export const assistantFlows: readonly AssistantFlow[] = [
  flow({
    id: 'now',
    title: 'Current values of the smart meter every 10 seconds',
    kind: 'realtime',
    steps: [['cemm-realtime', { ...grid, interval: 10 }]],
  }),
  flow({
    id: 'every',
    title: 'All meters, one message each, when a message arrives',
    kind: 'realtime',
    isStarted: true,
    steps: [['cemm-realtime', { ...demo, interval: 0 }]],
  }),
  flow({
    id: 'power',
    title: 'Only the power, for a gauge: a change node takes one field out',
    kind: 'realtime',
    ends: 'number',
    steps: [
      ['cemm-realtime', { ...grid, interval: 10 }],
      ['change', { rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'payload.values.power_w', tot: 'msg' }] }],
    ],
  }),
  flow({
    id: 'chart',
    title: 'A finished page with a chart: today as a line, every 15 minutes, at /dashboard/today',
    kind: 'series',
    ends: 'list',
    end: ['ui-chart', todayChart],
    page: dashboardNodes,
    steps: [
      ['cemm-series', { ...grid, interval: 900 }],
      ['cemm-format', { format: 'chart' }],
    ],
  }),
  flow({
    id: 'days',
    title: 'The days of this month',
    kind: 'series',
    isStarted: true,
    steps: [['cemm-series', { ...grid, period: 'month', interval: 0 }]],
  }),
  flow({
    id: 'readings',
    title: 'Meter readings of today',
    kind: 'totals',
    isStarted: true,
    steps: [['cemm-totals', { ...grid, interval: 0 }]],
  }),
  flow({
    id: 'house',
    title: 'The house today, with costs',
    kind: 'balance',
    isStarted: true,
    steps: [['cemm-balance', { ...demo, interval: 0, prices: housePrices, pricesType: 'json' }]],
  }),
  flow({
    id: 'influx',
    title: 'Points for InfluxDB, every 10 seconds',
    kind: 'realtime',
    ends: 'list',
    steps: [
      ['cemm-realtime', { ...grid, interval: 10 }],
      ['cemm-format', { format: 'influx' }],
    ],
  }),
  flow({
    id: 'meters',
    title: 'Which meters are there',
    kind: 'meter',
    isStarted: true,
    steps: [['cemm-discovery', { ...demo, scope: 'meters' }]],
  }),
  flow({
    id: 'hook',
    title: 'What a monitor pushes, signed with the key in the variable CEMM_HMAC_KEY',
    kind: 'webhook',
    steps: [['cemm-webhook-in', { path: '/cemm/push', hmacKeyFrom: 'CEMM_HMAC_KEY', hmacKeyFromType: 'env' }]],
  }),
];
