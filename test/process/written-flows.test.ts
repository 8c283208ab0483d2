/** Six flows that were written from docs/for-assistants.md alone: they are deployed as they are, and do what was asked for. */
import should from 'should';
import type { BalancePayload } from '../../src/model/payload';
import { findingsIn } from '../support/check-flow/checked-flows';
import { collector, NodeRed, type FlowNode } from '../support/node-red/node-red';
import { key } from '../support/webhook/flows';
import { delivery, post } from '../support/webhook/sending';
import { until } from '../support/until';

interface WrittenFlow {
  /** What the user asked for. */
  readonly task: string;
  readonly nodes: readonly FlowNode[];
}

const demo: FlowNode = { id: 'house', type: 'cemm-connection', version: 2, mode: 'demo' };

function inject(id: string, z: string, payload: string, payloadType: string, next: string): FlowNode {
  const repeated = { repeat: '', once: false, props: [{ p: 'payload' }] };
  return { id, type: 'inject', z, x: 140, y: 80, ...repeated, payload, payloadType, wires: [[next]] };
}

function debug(id: string, z: string): FlowNode {
  return { id, type: 'debug', z, x: 740, y: 80, active: true, tosidebar: true, complete: 'payload', wires: [] };
}

const bars: FlowNode[] = [
  { id: 'bars', type: 'tab', label: 'Bars of this month' },
  demo,
  { id: 'bars-base', type: 'ui-base', name: 'Dashboard', path: '/dashboard', navigationStyle: 'default' },
  {
    id: 'bars-theme',
    type: 'ui-theme',
    name: 'Theme',
    colors: { surface: '#0b4f4a', primary: '#0d9488', bgPage: '#f3f6f6', groupBg: '#ffffff', groupOutline: '#d5dedd' },
    sizes: { density: 'default', pagePadding: '12px', groupGap: '12px', groupBorderRadius: '8px', widgetGap: '12px' },
  },
  {
    id: 'bars-page',
    type: 'ui-page',
    name: 'Month',
    ui: 'bars-base',
    path: '/month',
    icon: 'home',
    layout: 'grid',
    theme: 'bars-theme',
    order: 1,
    visible: 'true',
    disabled: 'false',
  },
  {
    id: 'bars-group',
    type: 'ui-group',
    name: 'Month',
    page: 'bars-page',
    width: '12',
    height: '8',
    order: 1,
    showTitle: false,
    visible: 'true',
    disabled: 'false',
    groupType: 'default',
  },
  {
    id: 'bars-read',
    type: 'cemm-balance',
    version: 1,
    z: 'bars',
    x: 140,
    y: 80,
    connection: 'house',
    period: 'month',
    interval: 3600,
    wires: [['bars-format']],
  },
  {
    id: 'bars-format',
    type: 'cemm-format',
    version: 2,
    z: 'bars',
    x: 340,
    y: 80,
    format: 'chart',
    fields: 'energy_import_kwh, energy_export_kwh',
    wires: [['bars-chart', 'bars-seen']],
  },
  {
    id: 'bars-chart',
    type: 'ui-chart',
    z: 'bars',
    x: 540,
    y: 80,
    group: 'bars-group',
    name: 'Month',
    label: 'Month',
    order: 1,
    width: '12',
    height: '8',
    chartType: 'bar',
    category: 'series',
    categoryType: 'property',
    xAxisType: 'category',
    xAxisProperty: 'label',
    xAxisPropertyType: 'property',
    xAxisFormatType: 'auto',
    yAxisProperty: 'value',
    yAxisPropertyType: 'property',
    action: 'replace',
    showLegend: true,
    removeOlder: '0',
    removeOlderUnit: '86400',
    removeOlderPoints: '',
    interpolation: 'linear',
    colors: ['#d97706', '#0d9488', '#1f77b4', '#2ca02c', '#a347e1', '#d62728', '#ff9896', '#9467bd', '#c5b0d5'],
    wires: [[]],
  },
  debug('bars-seen', 'bars'),
];

const monthPrices = {
  currency: 'EUR',
  import: [
    { start: '2026-01-01', value: 0.28 },
    { start: '2026-07-01', value: 0.27 },
  ],
  export: 0.06,
  export_fee: 0.03,
  gas: 1.3,
  per_day: 0.35,
  per_year: -628.96,
  peak: { per_kw_year: 53.25, at_least_kw: 2.5 },
  example: true,
};

const bill: FlowNode[] = [
  { id: 'bill', type: 'tab', label: 'Cost and peak of this month as a text' },
  { ...demo, id: 'priced', prices: JSON.stringify(monthPrices), pricesType: 'json' },
  inject('bill-start', 'bill', '', 'date', 'bill-balance'),
  {
    id: 'bill-balance',
    type: 'cemm-balance',
    version: 1,
    z: 'bill',
    x: 340,
    y: 80,
    connection: 'priced',
    period: 'month',
    peak: true,
    pricesType: 'connection',
    interval: 0,
    wires: [['bill-text']],
  },
  {
    id: 'bill-text',
    type: 'function',
    z: 'bill',
    x: 540,
    y: 80,
    outputs: 1,
    func: `const { cost, peak, period } = msg.payload;
const total = cost.total === null ? 'unknown' : cost.total.toFixed(2) + ' ' + cost.currency;
const kw = peak === null ? 'unknown' : (peak.power_w / 1000).toFixed(1) + ' kW';
msg.payload = period.label + ': ' + total + ', peak ' + kw;
return msg;`,
    wires: [['bill-seen']],
  },
  debug('bill-seen', 'bill'),
];

const table: FlowNode[] = [
  { id: 'table', type: 'tab', label: 'A month by its date, as CSV' },
  demo,
  inject('table-start', 'table', '2026-05', 'str', 'table-read'),
  {
    id: 'table-read',
    type: 'cemm-series',
    version: 2,
    z: 'table',
    x: 340,
    y: 80,
    connection: 'house',
    alias: 'p1',
    period: 'month',
    date: 'payload',
    dateType: 'msg',
    interval: 0,
    wires: [['table-rows']],
  },
  {
    id: 'table-rows',
    type: 'cemm-format',
    version: 2,
    z: 'table',
    x: 540,
    y: 80,
    format: 'rows',
    wires: [['table-csv']],
  },
  {
    id: 'table-csv',
    type: 'csv',
    z: 'table',
    x: 640,
    y: 80,
    sep: ',',
    hdrout: 'once',
    multi: 'one',
    ret: '\\n',
    temp: 'ts,meter,field,value,unit',
    skip: '0',
    strings: true,
    wires: [['table-seen']],
  },
  debug('table-seen', 'table'),
];

const fleet: FlowNode[] = [
  { id: 'fleet', type: 'tab', label: 'Webhooks of many installations, each with its key' },
  {
    id: 'fleet-in',
    type: 'cemm-webhook-in',
    version: 2,
    z: 'fleet',
    x: 140,
    y: 80,
    path: '/cemm/:installation',
    hmacKeyFrom: 'CEMM_KEY_${installation}',
    hmacKeyFromType: 'env',
    wires: [['fleet-change'], ['fleet-problem']],
  },
  {
    id: 'fleet-change',
    type: 'change',
    z: 'fleet',
    x: 340,
    y: 80,
    rules: [{ t: 'set', p: 'payload', pt: 'msg', to: 'payload.installation', tot: 'msg' }],
    wires: [['fleet-seen']],
  },
  debug('fleet-seen', 'fleet'),
  debug('fleet-problem', 'fleet'),
];

const metrics: FlowNode[] = [
  { id: 'metrics', type: 'tab', label: 'The smart meter at /p1-metrics, for Prometheus' },
  demo,
  {
    id: 'metrics-in',
    type: 'http in',
    z: 'metrics',
    x: 140,
    y: 80,
    url: '/p1-metrics',
    method: 'get',
    wires: [['metrics-read']],
  },
  {
    id: 'metrics-read',
    type: 'cemm-realtime',
    version: 1,
    z: 'metrics',
    x: 340,
    y: 80,
    connection: 'house',
    alias: 'p1',
    interval: 0,
    wires: [['metrics-format'], []],
  },
  {
    id: 'metrics-format',
    type: 'cemm-format',
    version: 2,
    z: 'metrics',
    x: 540,
    y: 80,
    format: 'openmetrics',
    wires: [['metrics-out']],
  },
  { id: 'metrics-out', type: 'http response', z: 'metrics', x: 740, y: 80, statusCode: '', headers: {}, wires: [] },
];

const question: FlowNode[] = [
  { id: 'question', type: 'tab', label: 'How self-sufficient was a day, by a question' },
  demo,
  inject(
    'question-start',
    'question',
    '{"balance":"day","date":"2026-06-17","question":"yesterday"}',
    'json',
    'question-house',
  ),
  {
    id: 'question-house',
    type: 'cemm-balance',
    version: 1,
    z: 'question',
    x: 340,
    y: 80,
    connection: 'house',
    period: 'now',
    interval: 0,
    wires: [['question-seen']],
  },
  debug('question-seen', 'question'),
];

const writtenFlows: Readonly<Record<'bars' | 'bill' | 'table' | 'fleet' | 'metrics' | 'question', WrittenFlow>> = {
  bars: { task: 'A page with bars of import and export of each day of this month', nodes: bars },
  bill: { task: 'What does this month cost, and what is the peak? My prices changed in July', nodes: bill },
  table: { task: 'May 2026 as a CSV file for my spreadsheet', nodes: table },
  fleet: { task: 'Receive the webhooks of all my customers, each with a key of its own', nodes: fleet },
  metrics: { task: 'Prometheus should read the smart meter', nodes: metrics },
  question: { task: 'A flow asks for the self-sufficiency of a day that it names', nodes: question },
};

const flows = Object.values(writtenFlows);
/** Node-RED's clock at its start. */
const afternoon = '2026-06-18T16:40:00+02:00';

const signedNow = (): Buffer => delivery({ time: Date.parse(afternoon) / 1000 });

/** With a collector in place of each debug node. */
function watched(node: FlowNode): FlowNode[] {
  return node.type === 'debug' ? collector(node.id, String(node['z'])) : [node];
}

describe('flows written from the page for language models', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;

  before(async () => {
    nodeRed = await NodeRed.start({
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: afternoon, 'CEMM_KEY_house-1': key },
    });
    const nodes = new Map(flows.flatMap(({ nodes }) => nodes.flatMap(watched)).map((node) => [node.id, node]));
    await nodeRed.deploy([...nodes.values()]);
  });

  after(async () => {
    await nodeRed.stop();
  });

  async function answer(id: string, start?: string): Promise<unknown> {
    if (start !== undefined) await nodeRed.inject(start);
    const [message] = await nodeRed.waitForMessages(id, 1);
    return message?.payload;
  }

  it('are six, and cemm-check-flow finds nothing in them', () => {
    flows.should.have.length(6);
    for (const { task, nodes } of flows) findingsIn(nodes).should.eql([], task);
  });

  it(writtenFlows.bars.task, async () => {
    const points = (await answer('bars-seen')) as { series: string; label: string; value: number }[];
    should(new Set(points.map(({ series }) => series)).size).equal(2);
    should(points.filter(({ label, value }) => label.endsWith('Jun') && value > 0).length).be.above(15);
  });

  it(writtenFlows.bill.task, async () => {
    should(await answer('bill-seen', 'bill-start')).match(/^2026-06: -?\d+\.\d\d EUR, peak \d+\.\d kW$/);
  });

  it(writtenFlows.table.task, async () => {
    const lines = String(await answer('table-seen', 'table-start'))
      .trim()
      .split('\n');
    should(lines[0]).equal('ts,meter,field,value,unit');
    should(lines.filter((line) => /^\d+,p1,energy_net_kwh,-?\d+(?:\.\d+)?,kWh$/.test(line)).length).equal(31);
  });

  it(writtenFlows.fleet.task, async () => {
    const url = `${nodeRed.url}/cemm/house-1`;
    await until('the route', async () => (await post({ url, key }, signedNow())).status === 200);
    should(await answer('fleet-seen')).equal('house-1');
    (await post({ url: `${nodeRed.url}/cemm/house-2`, key }, signedNow())).status.should.equal(401);
    should(await answer('fleet-problem')).have.property('reason', 'bad_signature');
  });

  it(writtenFlows.metrics.task, async () => {
    const response = await fetch(`${nodeRed.url}/p1-metrics`);
    response.status.should.equal(200);
    (await response.text()).should.match(/^cemm_power_w\{monitor="[0-9a-f]{12}",meter="p1"\} -?\d/m);
  });

  it(writtenFlows.question.task, async () => {
    const payload = (await answer('question-seen', 'question-start')) as BalancePayload & { question?: unknown };
    should(payload.question).equal('yesterday');
    should(payload.period?.label).equal('2026-06-17');
    should(payload.values['self_sufficiency']).be.within(0.05, 1);
  });

  it('cause no error', () => {
    nodeRed.log.should.not.match(/\[error\]/);
  });
});
