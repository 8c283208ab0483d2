/** What a dialog does by itself: the only connection is chosen, a failed address is replaced, a key is copied, a gauge is placed. */
import should from 'should';
import type { Page } from 'playwright-core';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { formatDefaults } from '../../nodes/cemm-format/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { webhookInDefaults } from '../../nodes/cemm-webhook-in/config';
import { Browser } from '../support/browser/browser';
import { cancelDialog, dialogNodes, openDialog, openEditor } from '../support/browser/dialogs';
import { loopbackOnly, startDiscoverable } from '../support/network/discoverable';
import { longestTurnMs } from '../support/network/only-network';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';
import { weeksAgo } from '../support/time/recent';

interface EditorNode {
  readonly id: string;
  readonly type: string;
  readonly connection?: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

interface EditorWindow {
  RED: {
    nodes: {
      filterNodes(filter: object): EditorNode[];
      node(id: string): { users: unknown[] };
    };
    actions: { invoke(name: string): void };
  };
}

const connection: FlowNode = { ...connectionDefaults, id: 'house', type: 'cemm-connection', mode: 'demo' };

/** The nodes on the canvas. */
const nodesOf = (page: Page): Promise<EditorNode[]> =>
  page.evaluate(() =>
    (window as unknown as EditorWindow).RED.nodes.filterNodes({}).map(({ id, type, connection, x, y, w, h }) => ({
      id,
      type,
      ...(connection !== undefined && { connection }),
      x,
      y,
      w,
      h,
    })),
  );

async function drag(page: Page, type: string, y: number): Promise<EditorNode> {
  const entry = page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`);
  await entry.scrollIntoViewIfNeeded();
  const before = new Set((await nodesOf(page)).map(({ id }) => id));
  await entry.dragTo(page.locator('#red-ui-workspace-chart'), { targetPosition: { x: 250, y } });
  return until('the new node', async () => (await nodesOf(page)).find(({ id }) => !before.has(id)) ?? null);
}

/** Text that the page puts on the clipboard when the button is pressed. */
async function copiedBy(page: Page, button: string): Promise<string> {
  await page.evaluate(() => {
    document.addEventListener('copy', () => {
      const { activeElement: field } = document;
      const isField = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
      document.body.dataset['copied'] = isField ? field.value : (getSelection()?.toString() ?? '');
    });
  });
  await page.click(button);
  return page.evaluate(() => document.body.dataset['copied'] ?? '');
}

function overlapping(nodes: readonly EditorNode[]): string[] {
  return nodes.flatMap((one, index) =>
    nodes
      .slice(index + 1)
      .filter(
        (other) =>
          Math.abs(one.x - other.x) < (one.w + other.w) / 2 && Math.abs(one.y - other.y) < (one.h + other.h) / 2,
      )
      .map((other) => `${one.type} ${one.id} and ${other.type} ${other.id}`),
  );
}

describe('the dialogs of nodes @node-red-5-daily', function () {
  this.timeout(180_000 + longestTurnMs);
  let nodeRed: NodeRed;
  let browser: Browser;

  async function start(flows: readonly FlowNode[], options: object = {}): Promise<Page> {
    nodeRed = await NodeRed.start({ flows: [tab(), ...flows], ...options });
    browser = await Browser.open({ width: 1366, height: 900 });
    return openEditor(browser, nodeRed.url);
  }

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
    await nodeRed.stop();
  });

  it('have the only connection, which a new node takes without a dialog if it needs one', async () => {
    const page = await start([connection]);
    for (const [index, type] of ['cemm-realtime', 'cemm-series', 'cemm-totals', 'cemm-balance'].entries()) {
      should((await drag(page, type, 80 + index * 60)).connection).equal('house', type);
    }
    const discovery = await drag(page, 'cemm-discovery', 400);
    should(discovery.connection).equal('');
    const users = await page.evaluate(() => (window as unknown as EditorWindow).RED.nodes.node('house').users.length);
    should(users).equal(4);
    await page.evaluate(() => {
      (window as unknown as EditorWindow).RED.actions.invoke('core:undo');
    });
    await until('no discovery node', async () => (await nodesOf(page)).every(({ type }) => type !== 'cemm-discovery'));
  });

  it('choose no connection where there are several, or where the only one is out of use', async () => {
    const off = { ...connection, id: 'off', d: true };
    const page = await start([off]);
    should((await drag(page, 'cemm-realtime', 80)).connection).equal('');
    await nodeRed.deploy([tab(), connection, { ...connection, id: 'other' }]);
    await openEditor(browser, nodeRed.url);
    should((await drag(page, 'cemm-realtime', 80)).connection).equal('');
  });

  it('show the connection second', async () => {
    const nodes = dialogNodes('127.0.0.1:9');
    const page = await start(nodes, { nodeOptions: loopbackOnly });
    const withConnection = ['discovery-monitors', 'realtime', 'series-one', 'series-public', 'totals', 'balance-day'];
    for (const node of nodes.filter(({ id }) => withConnection.includes(id))) {
      await openDialog(page, node);
      const rows = await page
        .locator('.cemm-form .form-row:visible')
        .evaluateAll((found) =>
          found.map((row) => row.querySelector('[id^="node-input-"]')?.id.replace('node-input-', '') ?? ''),
        );
      should(rows.slice(0, 2).map((row) => row.replace(/^lookup-|^btn-/, ''))).eql(['name', 'connection'], node.id);
      await cancelDialog(page);
    }
    browser.errors.splice(0);
  });

  it('replace an address at which no monitor was found, and leave one that was not tried', async () => {
    const monitor = await startDiscoverable('127.0.0.54', { since: weeksAgo(5) });
    try {
      const wrong = {
        ...connectionDefaults,
        id: 'house',
        type: 'cemm-connection',
        mode: 'local',
        host: '127.0.0.1:9',
        allowLoopback: true,
      };
      const page = await start([wrong], { nodeOptions: loopbackOnly });
      await openDialog(page, wrong);
      const host = page.locator('#node-config-input-host');
      await page.click('#cemm-find');
      await page.locator('#cemm-found .cemm-found').waitFor();
      should(await host.inputValue()).equal('127.0.0.1:9');
      await page.click('#cemm-check');
      await page.locator('.cemm-step-failed').first().waitFor();
      await page.locator('.cemm-step:has-text("Look up the address")').waitFor();
      await page.click('#cemm-find');
      await page.locator('#cemm-found .cemm-picked').waitFor();
      should(await host.inputValue()).equal(monitor.address);
      await page.locator('.cemm-step-ok:has-text("Clock")').waitFor();
    } finally {
      await monitor.close();
    }
  });

  it('copy the generated key, and offer no copy of a stored one', async () => {
    const hook = {
      ...webhookInDefaults,
      id: 'hook',
      type: 'cemm-webhook-in',
      z: 'flow',
      path: '/hook',
      wires: [[], []],
    };
    const page = await start([hook], { credentials: { hook: { hmacKey: 'a key that is long enough for all of us' } } });
    await openDialog(page, hook);
    should(await page.isVisible('#cemm-webhook-copy-key')).be.false();
    await page.click('#cemm-webhook-generate');
    const copied = await copiedBy(page, '#cemm-webhook-copy-key');
    copied.should.match(/^[0-9a-f]{64}$/);
    should(copied).equal(await page.inputValue('#node-input-hmacKey'));
    await page.locator('.red-ui-notification', { hasText: 'Key copied' }).waitFor();
  });

  it('add no gauge from a dialog that is not valid, and none over another node', async () => {
    const placed = { z: 'flow', wires: [[], []], connection: 'house', alias: 'p1' };
    const long = 'a node with a name that is so long that it is wider than any other one here';
    const reader = { ...realtimeDefaults, ...placed, id: 'reader', type: 'cemm-realtime', name: long, x: 300, y: 100 };
    const beside = {
      ...formatDefaults,
      z: 'flow',
      wires: [[]],
      id: 'beside',
      type: 'cemm-format',
      name: long,
      x: 900,
      y: 130,
    };
    const page = await start([connection, reader, beside], { modules: ['@flowfuse/node-red-dashboard'] });
    await openDialog(page, reader);
    const unit = page.locator('#node-input-interval ~ span').first();
    await page.locator('#node-input-interval').fill('0');
    should(await unit.textContent()).equal('only when a message arrives');
    await page.locator('#node-input-interval').fill('1');
    should(await unit.textContent()).equal('seconds');
    const before = (await nodesOf(page)).length;
    await page.click('#cemm-add-gauge');
    await page.locator('.red-ui-notification', { hasText: 'Nothing is added' }).waitFor();
    should(await page.isVisible('#node-dialog-ok')).be.true();
    await page.locator('.cemm-problem').first().waitFor();
    should((await nodesOf(page)).length).equal(before);
    await page.locator('#node-input-interval').fill('10');
    for (const kind of ['gauge', 'chart', 'gauge']) {
      if (!(await page.isVisible('#node-dialog-ok'))) await openDialog(page, reader);
      await page.click(`#cemm-add-${kind}`);
      await page.waitForSelector('#node-dialog-ok', { state: 'detached' });
    }
    const nodes = await until('six new nodes', async () => {
      const all = await nodesOf(page);
      return all.length >= before + 6 && all.every(({ w }) => w > 0) ? all : null;
    });
    overlapping(nodes).should.eql([]);
  });
});
