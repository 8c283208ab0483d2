/** A user's work in the editor: drag the nodes in, fill the forms, deploy, and see a value. */
import should from 'should';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { Browser } from '../support/browser/browser';
import { openDialog, openEditor } from '../support/browser/dialogs';
import { projectDir } from '../support/node-red/installed-package';
import { collector, NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const categoryNodes = '.red-ui-palette-node[data-palette-type^="cemm-"]';

/** The part of the editor's API that these tests use. */
interface EditorWindow {
  RED: {
    nodes: {
      filterNodes(filter: object): { id: string; type: string }[];
      node(id: string): { id: string } & Record<string, unknown>;
      createExportableNodeSet(nodes: unknown[]): Record<string, unknown>[];
      eachConfig(callback: (node: { id: string; type: string }) => void): void;
    };
    view: { importNodes(nodes: unknown[], options: object): void };
  };
}

describe('the editor @node-red-5-daily', function () {
  this.timeout(120_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: [tab()] });
  });

  beforeEach(async () => {
    browser = await Browser.open();
  });

  afterEach(async () => {
    await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('shows a reading after drag, form and deploy, without an error in the console', async () => {
    const page = await openEditor(browser, nodeRed.url);
    await page.fill('.red-ui-palette-search input[data-i18n$="palette.filter"]', 'cemm');
    await page.dragAndDrop('.red-ui-palette-node[data-palette-type="cemm-realtime"]', '#red-ui-workspace-chart', {
      targetPosition: { x: 200, y: 150 },
    });
    await page.fill('.red-ui-palette-search input[data-i18n$="palette.filter"]', 'debug');
    await page.dragAndDrop('.red-ui-palette-node[data-palette-type="debug"]', '#red-ui-workspace-chart', {
      targetPosition: { x: 500, y: 150 },
    });
    await page.dblclick('.red-ui-flow-node-group:has-text("realtime") .red-ui-flow-node');
    await page.click(
      '#node-input-lookup-connection, #node-input-btn-connection-add, .red-ui-editor-dialog #node-input-connection + a',
    );
    await page.selectOption('#node-config-input-mode', 'demo');
    await page.click('#node-config-dialog-ok');
    await page.locator('#dialog-form input.red-ui-typedInput-input').first().waitFor();
    await page.locator('#cemm-picks-alias .cemm-pick').first().waitFor();
    await browser.picture('realtime-dialog', '.red-ui-tray');
    await page.click('#node-dialog-ok');
    const ports = page.locator('.red-ui-flow-port-output .red-ui-flow-port');
    const target = page.locator('.red-ui-flow-port-input .red-ui-flow-port');
    await ports.first().dragTo(target.last());
    await page.click('#red-ui-header-button-deploy');
    await page.locator('.red-ui-flow-node-status-label', { hasText: /W/ }).first().waitFor({ timeout: 30_000 });
    // Dragging to the edge scrolls the canvas.
    await page.locator('#red-ui-workspace-chart').evaluate((canvas) => {
      canvas.scrollTo(0, 0);
    });
    await browser.picture('editor');
    await page.fill('.red-ui-palette-search input[data-i18n$="palette.filter"]', '');
    // The palette is filtered by key events, not by the value of the field.
    await page.locator('.red-ui-palette-search input[data-i18n$="palette.filter"]').pressSequentially('cemm');
    const types = await typesInPalette();
    await until(`${types.join(', ')} in the palette`, async () => (await shownWhole(page)).join() === types.join());
    await browser.picture('palette', '.red-ui-palette-category:has([data-palette-type="cemm-realtime"])');
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });

  it('leaves every node as it was stored when its dialog is closed with Done', async () => {
    const stored = storedNodes();
    await nodeRed.deploy([tab(), ...stored, ...collector('out')]);
    const page = await openEditor(browser, nodeRed.url);
    for (const node of stored) {
      const before = await exported(page, node.id);
      await openDialog(page, node);
      const config = node['z'] === undefined;
      await page.click(config ? '#node-config-dialog-ok' : '#node-dialog-ok');
      await page.waitForSelector('.red-ui-tray', { state: 'detached' });
      should(await exported(page, node.id)).eql(before, node.type);
      // Node-RED itself considers a node with a credential that was never set as changed, whatever its form.
      const unchanged = await page.locator('#red-ui-header-button-deploy.disabled').count();
      const hasCredentials = config || node.type === 'cemm-webhook-in';
      if (!hasCredentials) unchanged.should.equal(1, `${node.type} is marked as changed`);
      else await nodeRed.deploy([tab(), ...stored, ...collector('out')]).then(() => openEditor(browser, nodeRed.url));
    }
    browser.errors.should.be.empty();
  });
});

/** The node types of the package without the configuration node, which is not in the palette. */
async function typesInPalette(): Promise<string[]> {
  const { 'node-red': nodeRed } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as {
    'node-red': { nodes: Record<string, string> };
  };
  return Object.keys(nodeRed.nodes)
    .filter((type) => type !== 'cemm-connection')
    .sort();
}

/** The types whose palette node is completely visible without scrolling. */
async function shownWhole(page: Page): Promise<string[]> {
  return page.locator(categoryNodes).evaluateAll((found) =>
    found
      .filter((node) => {
        const { top, bottom, left, right } = node.getBoundingClientRect();
        const middle = (left + right) / 2;
        return [top + 2, bottom - 2].every((y) => node.contains(document.elementFromPoint(middle, y)));
      })
      .map((node) => node.getAttribute('data-palette-type') ?? '')
      .sort(),
  );
}

async function exported(page: Page, id: string): Promise<Record<string, unknown> | undefined> {
  return page.evaluate((nodeId) => {
    const { RED } = window as unknown as EditorWindow;
    return RED.nodes.createExportableNodeSet([RED.nodes.node(nodeId)])[0];
  }, id);
}

/** Nodes with every property different from its default, to catch a form that resets one. */
function storedNodes(): FlowNode[] {
  const meter = {
    z: 'flow',
    connection: 'connection-demo',
    monitor: 'monitor',
    monitorType: 'msg',
    alias: 'p1',
    aliasType: 'str',
    role: 'grid',
    x: 200,
    wires: [['out'], []],
  };
  /** Properties for a public connection only. */
  const unused = {
    meter: '',
    meterType: 'str',
    channel: '',
    channelType: 'str',
    resolution: 'day',
    count: 7,
    include: 'cemm',
  };
  const placed = { x: 200, y: 580, wires: [['out']] };
  const balance = { ...balanceDefaults, ...placed, type: 'cemm-balance', z: 'flow', connection: 'connection-demo' };
  return [
    {
      id: 'connection-demo',
      type: 'cemm-connection',
      name: '',
      mode: 'demo',
      baseUrl: 'https://open-api.cemm.nl/v1/',
      host: '',
      mac: '',
      timezone: 'Europe/Brussels',
      deadline: 10,
      // No shard, as in an earlier release.
    },
    {
      id: 'connection-local',
      type: 'cemm-connection',
      name: 'meter cupboard',
      mode: 'local',
      baseUrl: 'https://open-api.cemm.nl/v1/',
      host: '192.168.1.20:8080',
      mac: '00:1E:C0:85:96:CC',
      timezone: 'Europe/Amsterdam',
      deadline: 25,
      shard: '',
    },
    {
      id: 'connection-remote',
      type: 'cemm-connection',
      name: 'service',
      mode: 'remote',
      baseUrl: 'https://example.invalid/v1/',
      host: '',
      mac: '',
      timezone: 'Europe/Amsterdam',
      deadline: 60,
      shard: '2/4',
      // As by hand: the members in the order of the documentation, prices as an object.
      meters: [{ monitor: '001122334455', meter: 's01', name: 'Dryer', role: 'consumption', within: 'p1' }],
      contracts: [
        { name: 'now', from: '2026-01-01', prices: '{"currency":"EUR","import":0.25}', pricesType: 'json' },
        { name: 'offer', prices: { currency: 'EUR', import: { t1: 0.2, t2: 0.3 } } },
      ],
    },
    {
      id: 'connection-today',
      type: 'cemm-connection',
      name: '',
      mode: 'public',
      baseUrl: 'https://open-api.cemm.nl/v1/',
      host: '192.168.1.21',
      mac: '',
      // Set explicitly, although it is the default: it must not count as unset.
      timezone: 'Europe/Amsterdam',
      deadline: 25,
      shard: '',
    },
    {
      id: 'connection-zoneless',
      type: 'cemm-connection',
      name: 'zone of the monitor',
      mode: 'public',
      baseUrl: 'https://open-api.cemm.nl/v1/',
      host: '192.168.1.22',
      mac: '80:1F:12:47:06:B0',
      timezone: '',
      deadline: 25,
      shard: '',
    },
    { id: 'realtime-stored', type: 'cemm-realtime', name: '', interval: 30, onlyChanges: true, y: 100, ...meter },
    {
      id: 'series-stored',
      type: 'cemm-series',
      name: 'a month',
      interval: 300,
      period: 'month',
      // No periodType, as in an earlier release.
      span: 'range',
      date: '',
      dateType: 'current',
      from: '2026-01',
      fromType: 'str',
      to: 'to',
      toType: 'msg',
      ...unused,
      y: 160,
      ...meter,
      wires: [['out']],
    },
    {
      id: 'series-job',
      type: 'cemm-series',
      name: '',
      interval: 0,
      period: 'payload.period',
      periodType: 'msg',
      span: 'one',
      date: 'payload.date',
      dateType: 'msg',
      from: '',
      fromType: 'previous',
      to: '',
      toType: 'current',
      ...unused,
      y: 175,
      ...meter,
      wires: [['out']],
    },
    {
      id: 'series-today',
      type: 'cemm-series',
      name: '',
      interval: 600,
      period: 'month',
      periodType: 'str',
      span: 'new',
      date: '',
      dateType: 'current',
      from: '',
      fromType: 'previous',
      to: '',
      toType: 'current',
      y: 190,
      ...meter,
      connection: 'connection-zoneless',
      alias: '',
      meter: 'hoofdmeter',
      meterType: 'str',
      channel: 'CHANNEL',
      channelType: 'env',
      resolution: 'hour',
      count: 48,
      include: '',
      wires: [['out']],
    },
    {
      id: 'totals-stored',
      type: 'cemm-totals',
      name: '',
      interval: 0,
      date: 'day',
      dateType: 'flow',
      y: 220,
      ...meter,
      wires: [['out']],
    },
    {
      id: 'discovery-stored',
      type: 'cemm-discovery',
      z: 'flow',
      name: '',
      scope: 'meters',
      connection: 'connection-demo',
      monitor: 'monitor',
      monitorType: 'global',
      interval: 600,
      emit: 'list',
      broadcast: '192.168.1.255',
      host: '192.168.1.21',
      wait: 8,
      x: 200,
      y: 280,
      wires: [['out']],
    },
    {
      id: 'webhook-stored',
      type: 'cemm-webhook-in',
      z: 'flow',
      name: 'front door',
      path: '/cemm-door',
      hmac: true,
      header: true,
      query: true,
      headerName: 'X-Door',
      queryName: 'door',
      open: false,
      maxAge: 0,
      monitors: '24000001, 24000002',
      expected: '15m',
      meter: 'hoofdmeter',
      channel: 'electric_power_import',
      connection: 'connection-local',
      x: 200,
      y: 340,
      wires: [['out'], []],
    },
    // Intervals that the dialog would propose for another period.
    { ...balance, id: 'balance-now', period: 'now', interval: 900, y: 460 },
    { ...balance, id: 'balance-day', period: 'day', interval: 60, y: 520 },
    // As by hand, without an interval: it reads every 900 seconds.
    { id: 'balance-short', type: 'cemm-balance', z: 'flow', connection: 'connection-demo', period: 'now', ...placed },
    {
      id: 'page-stored',
      type: 'cemm-page',
      z: 'flow',
      name: '',
      views: 'now, day',
      language: 'nl',
      readings: false,
      changePrices: true,
      x: 200,
      y: 640,
      wires: [['out'], []],
    },
    {
      id: 'format-stored',
      type: 'cemm-format',
      z: 'flow',
      name: '',
      format: 'homeassistant',
      x: 200,
      y: 400,
      wires: [['out']],
    },
  ];
}
