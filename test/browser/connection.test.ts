/** From an empty flow to a value: find a monitor, choose it, have it checked, pick a meter, deploy. */
import should from 'should';
import type { Locator, Page } from 'playwright-core';
import { adminAuth, password, tokenFor } from '../support/node-red/admin-auth';
import { Browser } from '../support/browser/browser';
import { openDialog } from '../support/browser/dialogs';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { discoveryDefaults } from '../../nodes/cemm-discovery/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { startSimulator } from '../../src/simulator/start-simulator';
import { loopbackOnly, startDiscoverable, type Discoverable } from '../support/network/discoverable';
import { longestTurnMs } from '../support/network/only-network';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';
import { until } from '../support/until';

/** Performs and counts the actions of a user. */
class Person {
  actions = 0;

  constructor(private readonly page: Page) {}

  async drag(selector: string, x: number, y: number): Promise<void> {
    this.actions += 1;
    await this.page.dragAndDrop(selector, '#red-ui-workspace-chart', { targetPosition: { x, y } });
  }

  async click(what: string | Locator): Promise<void> {
    this.actions += 1;
    await (typeof what === 'string' ? this.page.locator(what) : what).click();
  }

  async doubleClick(selector: string): Promise<void> {
    this.actions += 1;
    await this.page.dblclick(selector);
  }
}

async function openEditor(browser: Browser, url: string, login = false): Promise<void> {
  const { page } = browser;
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  if (login) await logIn(browser);
  await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-realtime"]', { state: 'attached' });
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
  // Not an action: in a small window the categories above may fill the whole palette.
  await page.locator('.red-ui-palette-node[data-palette-type="cemm-realtime"]').scrollIntoViewIfNeeded();
}

const variants = [
  { name: 'with default settings', settings: '', root: '', login: false },
  { name: 'with a log-in and httpAdminRoot moved', settings: adminAuth, root: '/admin/red', login: true },
] as const;

/** Not counted: it happens before the empty flow. */
async function logIn({ page }: Browser): Promise<void> {
  await page.fill('#node-dialog-login-username', 'admin');
  await page.fill('#node-dialog-login-password', password);
  await page.click('#node-dialog-login-submit');
}

describe('from an empty flow to a value @node-red-5-daily', function () {
  this.timeout(115_000 + longestTurnMs);
  let monitor: Discoverable;

  before(async () => {
    monitor = await startDiscoverable('127.0.0.53', { since: weeksAgo(5) });
  });

  after(async () => {
    await monitor.close();
  });

  for (const { name, settings, root, login } of variants) {
    describe(name, () => {
      let nodeRed: NodeRed;
      let browser: Browser;

      before(async () => {
        nodeRed = await NodeRed.start({
          settings: root === '' ? settings : `httpAdminRoot: '${root}', ${settings}`,
          adminRoot: root,
          nodeOptions: loopbackOnly,
        });
        if (login) nodeRed.useToken(await tokenFor(nodeRed, 'admin'));
        await nodeRed.deploy([tab()]);
        browser = await Browser.open();
      });

      after(async () => {
        await browser.close();
        await nodeRed.stop();
      });

      it('takes at most 8 actions: find, choose, check, pick a meter, deploy', async () => {
        const { page } = browser;
        const person = new Person(page);
        await openEditor(browser, `${nodeRed.url}${root}/`, login);
        await person.drag('.red-ui-palette-node[data-palette-type="cemm-realtime"]', 250, 150);
        await person.doubleClick('.red-ui-flow-node-group:has-text("realtime") .red-ui-flow-node');
        await person.click('#node-input-btn-connection-add');
        await person.click('#cemm-find');
        // A single monitor is filled in and checked automatically.
        await page.locator('#cemm-found .cemm-picked').waitFor();
        await page.locator('.cemm-step-ok:has-text("Clock")').waitFor();
        should(await page.inputValue('#node-config-input-host')).equal(monitor.address);
        should(await page.inputValue('#node-config-input-mac')).equal(monitor.mac);
        should(await page.locator('.cemm-step-failed').count()).equal(0);
        await browser.picture(`connection-check${root.replaceAll('/', '-')}`, '.red-ui-tray:last-child');
        await person.click('#node-config-dialog-ok');
        const pick = page.locator('#cemm-picks-alias .cemm-pick', { hasText: /^p1\D.*W/ });
        await pick.waitFor();
        // Half-typed text does not swallow the first click on a meter.
        await page.locator('#node-input-alias + .red-ui-typedInput-container .red-ui-typedInput-input').fill('p');
        await person.click(pick);
        await page.locator('#cemm-picks-alias .cemm-picked', { hasText: /^p1\D/ }).waitFor();
        await browser.picture(`pick-list${root.replaceAll('/', '-')}`, '.red-ui-tray');
        await person.click('#node-dialog-ok');
        await person.click('#red-ui-header-button-deploy');
        await page.locator('.red-ui-flow-node-status-label', { hasText: /kW/ }).first().waitFor();
        person.actions.should.be.belowOrEqual(8);
        // The editor sends one request without a token before it shows the login.
        browser.errors.filter((error) => !(login && error.includes('401'))).should.be.empty();
        browser.outside.should.be.empty();
      });
    });
  }
});

interface EditorWindow {
  RED: {
    nodes: { node(id: string): unknown; createExportableNodeSet(nodes: unknown[]): Record<string, unknown>[] };
  };
}

function exported(page: Page, id: string): Promise<Record<string, unknown> | undefined> {
  return page.evaluate((nodeId) => {
    const { RED } = window as unknown as EditorWindow;
    return RED.nodes.createExportableNodeSet([RED.nodes.node(nodeId)])[0];
  }, id);
}

describe('dialogs around a connection @node-red-5-daily', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let host = '';
  let end: () => Promise<void>;
  const connection: FlowNode = { ...connectionDefaults, id: 'cupboard', type: 'cemm-connection' };
  const realtime: FlowNode = {
    ...realtimeDefaults,
    id: 'realtime',
    type: 'cemm-realtime',
    z: 'flow',
    connection: 'cupboard',
    monitor: '001122334455',
    alias: 'gone-9',
    interval: 0,
    wires: [[], []],
  };
  const looks = (['network', 'monitors', 'meters'] as const).map((scope): FlowNode => ({
    ...discoveryDefaults,
    id: `look-${scope}`,
    type: 'cemm-discovery',
    z: 'flow',
    scope,
    connection: scope === 'network' ? '' : 'cupboard',
    monitor: scope === 'meters' ? '00:11:22:33:44:55' : '',
    interval: scope === 'network' ? 120 : 30,
    emit: 'list',
    broadcast: scope === 'network' ? '127.255.255.255' : '',
    wait: 4,
    wires: [[]],
  }));

  before(async () => {
    const simulator = await startSimulator({ localPort: 0, since: weeksAgo(5) });
    end = () => simulator.close();
    host = simulator.local?.replace('http://', '') ?? '';
    nodeRed = await NodeRed.start({
      flows: [
        tab(),
        { ...connection, host },
        realtime,
        { ...realtime, id: 'any-meter', monitor: '', alias: '' },
        ...looks,
      ],
      nodeOptions: loopbackOnly,
    });
  });

  after(async () => {
    await nodeRed.stop();
    await end();
  });

  it('keep what is away now, show that it is, and leave every node as it was stored', async () => {
    const browser = await Browser.open();
    const { page } = browser;
    await openEditor(browser, `${nodeRed.url}/`);
    for (const node of [realtime, ...looks]) {
      const before = await exported(page, node.id);
      await openDialog(page, node);
      if (node === realtime) {
        // Without a known monitor the meters are unknown.
        await page.locator('#cemm-picks-monitor .cemm-away', { hasText: '001122334455' }).waitFor();
        await page.locator('#cemm-picks-alias', { hasText: 'First choose a monitor' }).waitFor();
        const monitor = page.locator('#node-input-monitor + .red-ui-typedInput-container .red-ui-typedInput-input');
        // To empty a field is two steps, a selection and a key; on a busy machine the text was once still there.
        await until('no monitor', async () => {
          await monitor.fill('');
          await monitor.press('Tab');
          return (await monitor.inputValue()) === '';
        });
        await page.locator('#cemm-picks-alias .cemm-away', { hasText: 'gone-9' }).waitFor();
        should(await page.locator('#cemm-picks-alias .cemm-pick').count()).be.aboveOrEqual(5);
        await monitor.fill('001122334455');
        await monitor.press('Tab');
      }
      await page.click('#node-dialog-ok');
      await page.waitForSelector('.red-ui-tray', { state: 'detached' });
      should(await exported(page, node.id)).eql(before, node.id);
      should(await page.locator('#red-ui-header-button-deploy.disabled').count()).equal(1, node.id);
    }
    browser.errors.should.be.empty();
    await browser.close();
  });

  it('ask again for the meters that they could not get, with the next change', async () => {
    const browser = await Browser.open();
    const { page } = browser;
    await openEditor(browser, `${nodeRed.url}/`);
    const noAnswer = { meters: [], error: 'NETWORK' };
    let isAway = true;
    await page.route('**/cemm-connection/meters', (route) =>
      isAway ? route.fulfill({ json: noAnswer }) : route.continue(),
    );
    await openDialog(page, { ...realtime, id: 'any-meter' });
    await page.locator('#cemm-picks-alias', { hasText: 'The network connection failed' }).waitFor({ timeout: 10_000 });
    isAway = false;
    // The request is unchanged.
    await page.locator('#node-input-connection').dispatchEvent('change');
    await page.locator('#cemm-picks-alias .cemm-pick').first().waitFor({ timeout: 30_000 });
    await browser.close();
  });

  it('copy a report without address, name or key', async () => {
    const browser = await Browser.open();
    const { page } = browser;
    await openEditor(browser, `${nodeRed.url}/`);
    await openDialog(page, connection);
    await page.click('#cemm-check');
    await page.locator('.cemm-step-ok:has-text("Clock")').waitFor();
    await page.evaluate(() => {
      document.addEventListener('copy', () => {
        document.body.dataset['copied'] = getSelection()?.toString() ?? '';
        const { activeElement: field } = document;
        if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)
          document.body.dataset['copied'] = field.value;
      });
    });
    await page.click('#cemm-check-copy');
    const report = await page.evaluate(() => document.body.dataset['copied'] ?? '');
    report.should.match(
      /CEMM connection check\n✓ Look up the address: \d+ ms\n✓ Network: \d+ ms\n– Encryption: not needed\n/,
    );
    report.should.not.match(/127\.0\.0\.1|[0-9a-f]{2}:[0-9a-f]{2}:[0-9a-f]{2}/i);
    report.should.not.containEql(host.split(':')[1] ?? host);
    await browser.close();
  });
});
