/** The buttons *Add a chart* and *Add a gauge*: from the dialog of a node to bars, curves and gauges on a page. */
import should from 'should';
import type { Page } from 'playwright-core';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { formatDefaults } from '../../nodes/cemm-format/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../nodes/cemm-series/config';
import { totalsDefaults } from '../../nodes/cemm-totals/config';
import { webhookInDefaults } from '../../nodes/cemm-webhook-in/config';
import { Browser } from '../support/browser/browser';
import { delivery, post } from '../support/webhook/sending';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const dashboard = '@flowfuse/node-red-dashboard';
/** The middle of a month, with import, export and sun in the demo house. */
const sunnyAfternoon = '2026-06-18T16:40:00+02:00';

interface EditorWindow {
  RED: {
    nodes: {
      node(id: string): unknown;
      createCompleteNodeSet(): FlowNode[];
    };
    editor: { edit(node: unknown): void };
    history: { depth(): number };
    actions: { invoke(name: string): void };
  };
}

const placed = { z: 'flow', x: 200, wires: [[], []] };
const p1 = { ...placed, connection: 'house', alias: 'p1' };
const month: FlowNode = { ...seriesDefaults, ...p1, id: 'month', type: 'cemm-series', y: 100, period: 'month' };
const yesterday: FlowNode = {
  ...seriesDefaults,
  ...p1,
  id: 'yesterday',
  type: 'cemm-series',
  y: 200,
  dateType: 'previous',
};
const realtime: FlowNode = { ...realtimeDefaults, ...p1, id: 'realtime', type: 'cemm-realtime', y: 300 };
const totals: FlowNode = { ...totalsDefaults, ...p1, id: 'totals', type: 'cemm-totals', y: 400 };
const format: FlowNode = { ...formatDefaults, ...placed, id: 'format', type: 'cemm-format', y: 500 };
const balance: FlowNode = {
  ...balanceDefaults,
  ...placed,
  connection: 'house',
  id: 'balance',
  type: 'cemm-balance',
  y: 600,
};
const deliveries: FlowNode = {
  ...webhookInDefaults,
  ...placed,
  id: 'deliveries',
  type: 'cemm-webhook-in',
  y: 700,
  open: true,
  hmac: false,
  maxAge: 0,
};
const flows: FlowNode[] = [
  tab('Flow 1'),
  { ...connectionDefaults, id: 'house', type: 'cemm-connection', mode: 'demo' },
  month,
  yesterday,
  realtime,
  totals,
  format,
  balance,
  deliveries,
];

/** Base, theme, page and group of a user. */
const ownPage: FlowNode[] = [
  { id: 'own-base', type: 'ui-base', name: 'Mine', path: '/dashboard' },
  {
    id: 'own-theme',
    type: 'ui-theme',
    name: 'Mine',
    colors: { surface: '#fcfcfd', primary: '#0d74ce', bgPage: '#f9f9fb', groupBg: '#ffffff', groupOutline: '#d9d9e0' },
    sizes: { density: 'default', pagePadding: '12px', groupGap: '12px', groupBorderRadius: '4px', widgetGap: '12px' },
  },
  { id: 'own-page', type: 'ui-page', name: 'Mine', ui: 'own-base', theme: 'own-theme', path: '/mine', layout: 'grid' },
  { id: 'own-group', type: 'ui-group', name: 'Mine', page: 'own-page', width: '6', height: '1', order: 1 },
];

const editorFlows = (page: Page): Promise<FlowNode[]> =>
  page.evaluate(() => (window as unknown as EditorWindow).RED.nodes.createCompleteNodeSet());

async function openEditor({ page }: Browser, nodeRed: NodeRed): Promise<void> {
  await page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-realtime"]', { state: 'attached' });
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
  await page.waitForFunction(() => (window as unknown as EditorWindow).RED.nodes.node('month') !== null);
}

async function openDialog(page: Page, id: string): Promise<void> {
  await page.evaluate((nodeId) => {
    const { RED } = window as unknown as EditorWindow;
    RED.editor.edit(RED.nodes.node(nodeId));
  }, id);
  await page.waitForSelector('#node-dialog-ok');
}

/** Presses the button in the dialog of the node. Returns the new nodes in the editor. */
async function add(page: Page, id: string, kind: 'chart' | 'gauge'): Promise<FlowNode[]> {
  const before = new Set((await editorFlows(page)).map((node) => node.id));
  await openDialog(page, id);
  // The role comes from the list of meters.
  if ((await page.locator('#cemm-picks-alias').count()) > 0) await page.waitForSelector('#cemm-picks-alias .cemm-pick');
  await page.click(`#cemm-add-${kind}`);
  await page.waitForSelector('#node-dialog-ok', { state: 'detached' });
  return (await editorFlows(page)).filter((node) => !before.has(node.id));
}

async function deploy(page: Page, nodeRed: NodeRed): Promise<void> {
  const starts = () => nodeRed.log.split('Started flows').length;
  const before = starts();
  await page.click('#red-ui-header-button-deploy');
  await until('the started flows', () => starts() > before);
  await page.locator('#red-ui-header-button-deploy.disabled').waitFor();
}

/** Coloured share of a canvas: the columns below the legend with a colourful pixel. */
function colouredShare(page: Page, index: number): Promise<number> {
  return page.evaluate((at) => {
    const canvas = document.querySelectorAll('canvas')[at];
    const context = canvas?.getContext('2d');
    if (!canvas || !context || canvas.width === 0) return 0;
    const top = Math.round(canvas.height / 4);
    const { data, width, height } = context.getImageData(0, top, canvas.width, canvas.height - top);
    let columns = 0;
    for (let x = 0; x < width; x += 1) {
      for (let y = 0; y < height; y += 1) {
        const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice((y * width + x) * 4, (y * width + x) * 4 + 4);
        if (alpha > 0 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60) {
          columns += 1;
          break;
        }
      }
    }
    return columns / width;
  }, index);
}

const typesOf = (nodes: readonly FlowNode[]): string[] => nodes.map(({ type }) => type).sort();
const oneOf = (nodes: readonly FlowNode[], type: string): FlowNode => {
  const found = nodes.find((node) => node.type === type);
  if (found === undefined) throw new Error(`no ${type}`);
  return found;
};

/** Nodes of every kind, and the nodes added behind them. */
interface Case {
  readonly node: FlowNode;
  readonly kind: 'chart' | 'gauge';
  readonly widget: Readonly<Record<string, unknown>>;
  /** Null: no format node is needed. */
  readonly format: Readonly<Record<string, unknown>> | null;
  /** Seconds; absent: unchanged. */
  readonly interval?: number;
}

const chartFormat = { format: 'chart', fields: '' };
const series = (id: string, more: object): FlowNode => ({
  ...seriesDefaults,
  ...p1,
  id,
  type: 'cemm-series',
  y: 0,
  ...more,
});
const line = { chartType: 'line', xAxisType: 'time', xAxisProperty: 'ts', yAxisProperty: 'value', category: 'series' };
const bars = {
  chartType: 'bar',
  xAxisType: 'category',
  xAxisProperty: 'label',
  yAxisProperty: 'value',
  category: 'series',
};

const cases: readonly Case[] = [
  {
    node: series('today', {}),
    kind: 'chart',
    widget: { ...line, label: 'Net: vandaag', removeOlder: '3', removeOlderUnit: '86400', yAxisLabel: 'W' },
    format: chartFormat,
    interval: 60,
  },
  {
    node: series('range', { span: 'range', alias: 'p1-gas' }),
    kind: 'chart',
    widget: { ...line, label: 'Gas: dag', removeOlder: '0', yAxisLabel: 'L/min', action: 'replace' },
    format: chartFormat,
    interval: 3600,
  },
  {
    node: series('year', { period: 'year', alias: 's01', dateType: 'previous', interval: 900 }),
    kind: 'chart',
    widget: { ...bars, label: 'Opwek: vorig jaar', ymin: '0', stackSeries: false },
    format: chartFormat,
  },
  {
    node: series('month-sum', { period: 'month' }),
    kind: 'gauge',
    widget: {
      units: 'kWh',
      title: 'Net: deze maand',
    },
    format: null,
    interval: 3600,
  },
  {
    node: series('sun-today', { alias: 's01' }),
    kind: 'gauge',
    widget: { units: 'W', title: 'Opwek: vandaag', max: 6000 },
    format: null,
    interval: 60,
  },
  {
    node: { ...realtimeDefaults, ...p1, id: 'live', type: 'cemm-realtime', y: 0 },
    kind: 'chart',
    widget: { ...line, label: 'Net: nu', removeOlder: '8', removeOlderUnit: '3600', action: 'append' },
    format: chartFormat,
  },
  {
    node: { ...realtimeDefaults, ...p1, alias: 's01', id: 'sun', type: 'cemm-realtime', y: 0 },
    kind: 'gauge',
    widget: { title: 'Opwek', max: 6000, gtype: 'gauge-half' },
    format: { format: 'values', fields: 'power_production_w' },
  },
  {
    node: { ...totalsDefaults, ...p1, alias: 'p1-gas', id: 'gas', type: 'cemm-totals', y: 0 },
    kind: 'gauge',
    widget: { title: 'Gas (m³)', units: 'm³', gtype: 'gauge-tile' },
    format: { format: 'values', fields: 'gas_m3' },
    interval: 3600,
  },
  {
    node: { ...balanceDefaults, ...placed, connection: 'house', id: 'house-day', type: 'cemm-balance', y: 0 },
    kind: 'chart',
    widget: { ...bars, label: 'Huis: vandaag', stackSeries: true, ymin: '' },
    format: chartFormat,
  },
  {
    node: {
      ...balanceDefaults,
      ...placed,
      connection: 'house',
      id: 'house-now',
      type: 'cemm-balance',
      period: 'now',
      interval: 10,
      y: 0,
    },
    kind: 'gauge',
    widget: { title: 'Huis', units: 'W' },
    format: null,
  },
];

describe('the buttons for a chart and a gauge', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  afterEach(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  async function start(more: readonly FlowNode[], { settings = '', language = 'en-US' } = {}): Promise<Page> {
    nodeRed = await NodeRed.start({
      flows: [...flows, ...more],
      modules: [dashboard],
      settings,
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
    });
    browser = await Browser.open({ width: 1366, height: 900, language, clock: sunnyAfternoon });
    await openEditor(browser, nodeRed);
    return browser.page;
  }

  it('put bars of this month on a page of their own, which one undo removes @node-red-5-daily', async () => {
    const page = await start([]);
    const before = await editorFlows(page);
    const added = await add(page, 'month', 'chart');
    typesOf(added).should.eql(['cemm-format', 'ui-base', 'ui-chart', 'ui-group', 'ui-page', 'ui-theme']);
    const [chart, points] = [oneOf(added, 'ui-chart'), oneOf(added, 'cemm-format')];
    chart.should.containEql({
      chartType: 'bar',
      xAxisProperty: 'label',
      xAxisType: 'category',
      label: 'Grid: this month',
    });
    should(points['wires']).eql([[chart.id]]);
    await browser.picture('add-chart-flow');

    await page.evaluate(() => {
      (window as unknown as EditorWindow).RED.actions.invoke('core:undo');
    });
    should(await editorFlows(page)).eql(before);

    await add(page, 'month', 'chart');
    await deploy(page, nodeRed);
    await page.goto(`${nodeRed.url}/dashboard/energy`);
    await until('painted bars', async () => (await colouredShare(page, 0)) > 0.2);
    await browser.picture('add-chart-month', '.nrdb-ui-group');
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });

  it('use the page and the group that are there, and draw yesterday, the power of now and the house of today', async () => {
    const page = await start(ownPage);
    const day = await add(page, 'yesterday', 'chart');
    typesOf(day).should.eql(['cemm-format', 'ui-chart']);
    oneOf(day, 'ui-chart').should.containEql({
      group: 'own-group',
      width: '6',
      removeOlder: '3',
      removeOlderUnit: '86400',
    });
    const gauge = await add(page, 'realtime', 'gauge');
    typesOf(gauge).should.eql(['cemm-format', 'ui-gauge']);
    oneOf(gauge, 'ui-gauge').should.containEql({ title: 'Import', order: 2 });
    const house = await add(page, 'balance', 'chart');
    const places = [...day, ...gauge, ...house].map(({ x, y }) => `${String(x)} ${String(y)}`);
    new Set(places).size.should.equal(6, 'no two nodes at one place');
    await browser.picture('add-chart-day-flow');

    await deploy(page, nodeRed);
    await page.goto(`${nodeRed.url}/dashboard/mine`);
    await until('a painted curve', async () => (await colouredShare(page, 0)) > 0.5);
    await until('painted bars', async () => (await colouredShare(page, 1)) > 0.2);
    await page.locator('.nrdb-ui-gauge', { hasText: 'Import' }).waitFor();
    await browser.picture('add-chart-day');
    browser.errors.should.be.empty();
  });

  it('set up what fits period, meter and interval, in the language of the editor', async () => {
    const ownTab = { ...tab('Flow 2'), id: 'cases' };
    const nodes = cases.map(({ node }, index) => ({ ...node, z: 'cases', y: 100 + 120 * index }));
    const page = await start([ownTab, ...nodes, ...ownPage], { language: 'nl' });
    for (const { node, kind, widget, format: wanted, interval } of cases) {
      const added = await add(page, node.id, kind);
      oneOf(added, `ui-${kind}`).should.containEql(widget);
      if (wanted === null) added.should.have.length(1);
      else oneOf(added, 'cemm-format').should.containEql(wanted);
      const stored = (await editorFlows(page)).find(({ id }) => id === node.id);
      should(stored?.['interval']).equal(interval ?? node['interval'], node.id);
    }
    await deploy(page, nodeRed);
    await page.goto(`${nodeRed.url}/dashboard/mine`);
    // A number other than 0, the initial value of a gauge.
    for (const title of [/Net: deze maand/, /Opwek: vandaag/, /^\s*Opwek\s*\d/, /Gas/, /^\s*Huis\s*\d/]) {
      const gauge = page.locator('.nrdb-ui-gauge', { hasText: title });
      await until(`a value of ${String(title)}`, async () =>
        /[1-9]\d/.test((await gauge.innerText()).replace(/\b(8000|6000|600)\b/g, '')),
      );
    }
    for (const [index, share] of [0.1, 0.1, 0.2].entries()) {
      await until(`chart ${index}`, async () => (await colouredShare(page, index)) > share);
    }
    await browser.picture('add-chart-all');
    browser.errors.should.be.empty();
  });

  it('take the format that is open, and leave a node that waits for messages as it is', async () => {
    const inject: FlowNode = { id: 'inject', type: 'inject', z: 'flow', x: 60, y: 700, props: [], wires: [['asked']] };
    const asked = series('asked', { y: 700, period: 'year', wires: [['points']] });
    const points: FlowNode = { ...format, id: 'points', y: 700, x: 400, format: 'chart' };
    const template: FlowNode = { id: 'template', type: 'subflow', name: 'Template', in: [], out: [] };
    const inside: FlowNode = { ...series('inside', {}), z: 'template' };
    const page = await start([inject, asked, points, template, inside, ...ownPage]);
    await openDialog(page, 'format');
    (await page.locator('#cemm-add-chart').isVisible()).should.equal(false, 'values have no chart');
    await page.selectOption('#node-input-format', 'influx');
    (await page.locator('.cemm-dashboard').isVisible()).should.equal(false, 'InfluxDB is not for a dashboard');
    await page.click('#node-dialog-cancel');
    await page.waitForSelector('#node-dialog-ok', { state: 'detached' });

    await openDialog(page, 'points');
    for (const field of ['energy_net_kwh', 'energy_import_kwh', 'energy_import_kwh']) {
      await page.click(`.cemm-pick[title="${field}"]`);
    }
    await page.fill('#node-input-fields', `${await page.inputValue('#node-input-fields')}, energy_net_t1_kwh`);
    await page.locator('.cemm-pick[title="energy_net_kwh"][aria-pressed="true"]').waitFor();
    await browser.picture('format-fields', '.red-ui-tray');
    await page.click('#node-dialog-ok');
    await page.waitForSelector('#node-dialog-ok', { state: 'detached' });

    await openDialog(page, 'inside');
    (await page.locator('.cemm-dashboard').isVisible()).should.equal(false, 'a subflow has no group');
    await page.click('#node-dialog-cancel');
    await page.waitForSelector('#node-dialog-ok', { state: 'detached' });

    const [chart, ...others] = await add(page, 'points', 'chart');
    others.should.have.length(0);
    should(chart).containEql({ ...bars, label: 'Grid: this year' });
    const stored = await editorFlows(page);
    should(stored.find(({ id }) => id === 'points')).containEql({
      fields: 'energy_net_kwh, energy_net_t1_kwh',
      wires: [[chart?.id]],
    });
    should(stored.find(({ id }) => id === 'asked')?.['interval']).equal(0);
  });

  it('draw what a webhook delivers', async () => {
    const page = await start(ownPage);
    const [chart, gauge] = [await add(page, 'deliveries', 'chart'), await add(page, 'deliveries', 'gauge')];
    const [points, values] = [oneOf(chart, 'cemm-format'), oneOf(gauge, 'cemm-format')];
    points.should.containEql(chartFormat);
    values.should.containEql({ format: 'values', fields: 'power_import_w' });
    oneOf(gauge, 'ui-gauge').should.containEql({ title: 'Import', units: 'W' });
    const stored = (await editorFlows(page)).find(({ id }) => id === 'deliveries');
    should(stored?.['wires']).eql([[points.id, values.id], []]);
    await deploy(page, nodeRed);
    const time = Date.parse(sunnyAfternoon) / 1000;
    const data = { p1: { electric_power_import: { realtime: { time, value: 512 } } } };
    const answer = await post(
      { url: `${nodeRed.url}${webhookInDefaults.path}`, key: 'none' },
      delivery({ time, data }),
    );
    answer.status.should.equal(200);
    await page.goto(`${nodeRed.url}/dashboard/mine`);
    await until('the delivered power', async () => (await page.innerText('.nrdb-ui-gauge')).includes('512'));
    browser.errors.should.be.empty();
  });

  it('say without Dashboard 2 that it is missing, and open the palette manager @node-red-5-daily', async () => {
    // Node-RED also finds the package in the project that it runs from, so it is forbidden by name.
    const page = await start([], { settings: `externalModules: { palette: { denyList: ['${dashboard}'] } },` });
    for (const { id } of [month, realtime, totals, balance, deliveries]) {
      await openDialog(page, id);
      (await page.locator('.cemm-dashboard').isVisible()).should.equal(false, id);
      (await page.locator('.cemm-no-dashboard').innerText()).should.match(/Dashboard 2 .* not installed/);
      if (id === deliveries.id) break;
      await page.click('#node-dialog-cancel');
      await page.waitForSelector('#node-dialog-ok', { state: 'detached' });
    }
    should((await page.innerText('#cemm-install-dashboard')).trim()).equal('Manage palette');
    await page.click('#cemm-install-dashboard');
    await page.locator('#red-ui-settings-tab-palette').waitFor();
    browser.errors.should.be.empty();
  });
});
