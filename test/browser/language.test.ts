/** The suggested language of a new connection, and the language of the nodes on the workspace. */
import should from 'should';
import type { Page } from 'playwright-core';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { siteAddress } from '../../scripts/docs/site';
import { Browser } from '../support/browser/browser';
import { openEditor } from '../support/browser/dialogs';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';

interface EditorWindow {
  RED: {
    nodes: { node(id: string): { language?: string; allowLoopback?: boolean } | null };
    sidebar: { help: { show(type: string): void } };
    editor: { edit(node: unknown): void; editConfig(name: string, type: string, id: string): void };
  };
}

async function openConnection(page: Page, id: string): Promise<void> {
  await page.evaluate((nodeId) => {
    (window as unknown as EditorWindow).RED.editor.editConfig('', 'cemm-connection', nodeId);
  }, id);
  await page.waitForSelector('#node-config-input-language');
}

/** A connection from an older release without languages, and a node without a connection. */
function flows(): FlowNode[] {
  const added = ['language', 'allowLoopback', 'shard', 'version'];
  const old = Object.fromEntries(Object.entries(connectionDefaults).filter(([name]) => !added.includes(name)));
  return [
    tab(),
    { ...old, id: 'old', type: 'cemm-connection', mode: 'demo' },
    { ...realtimeDefaults, id: 'p1', type: 'cemm-realtime', z: 'flow', x: 200, y: 100, alias: 'p1', wires: [[], []] },
  ];
}

describe('language of a connection in the editor @node-red-5-daily', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  beforeEach(async () => {
    nodeRed = await NodeRed.start({ settings: "lang: 'en-US',", flows: flows() });
  });

  afterEach(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  it('is proposed as that of the browser, and the statuses are in it', async () => {
    browser = await Browser.open({ language: 'nl-NL', height: 1_000 });
    const { page } = browser;
    await openEditor(browser, nodeRed.url);
    await page.evaluate(() => {
      const { RED } = window as unknown as EditorWindow;
      RED.editor.edit(RED.nodes.node('p1'));
    });
    await page.click('#node-input-btn-connection-add');
    await page.selectOption('#node-config-input-mode', 'demo');
    should(await page.inputValue('#node-config-input-language')).equal('nl');
    await browser.picture('connection-language', '.red-ui-tray:last-child');
    await page.click('#node-config-dialog-ok');
    await page.locator('#node-config-dialog-ok').waitFor({ state: 'detached' });
    await page.click('#node-dialog-ok');
    await page.click('#red-ui-header-button-deploy');
    await page.locator('.red-ui-flow-node-status-label', { hasText: /^(afname|teruglevering) \d,\d\d kW/ }).waitFor();
  });

  it('is that of the page to which the help leads, in another tab', async () => {
    browser = await Browser.open({ language: 'nl-NL' });
    const { page } = browser;
    await openEditor(browser, nodeRed.url);
    await page.evaluate(() => {
      (window as unknown as EditorWindow).RED.sidebar.help.show('cemm-webhook-in');
    });
    const link = page.locator('.red-ui-help a', { hasText: 'Webhooks' });
    await link.waitFor();
    should(await link.getAttribute('href')).equal(`${siteAddress()}nl/webhooks.html`);
    should(await link.getAttribute('target')).equal('_blank');
    browser.errors.should.be.empty();
  });

  it('is left to Node-RED in a browser of its language, and in a connection that was there before', async () => {
    browser = await Browser.open({ language: 'en-US' });
    const { page } = browser;
    await openEditor(browser, nodeRed.url);
    await page.evaluate(() => {
      (window as unknown as EditorWindow).RED.editor.editConfig('', 'cemm-connection', '_ADD_');
    });
    await page.waitForSelector('#node-config-input-language');
    should(await page.inputValue('#node-config-input-language')).equal('');
    await page.click('#node-config-dialog-cancel');
    await page.locator('.red-ui-tray').waitFor({ state: 'detached' });

    await openConnection(page, 'old');
    should(await page.inputValue('#node-config-input-language')).equal('');
    await page.click('#node-config-dialog-ok');
    await page.locator('.red-ui-tray').waitFor({ state: 'detached' });
    const stored = await page.evaluate(() => {
      const node = (window as unknown as EditorWindow).RED.nodes.node('old');
      return { language: node?.language ?? null, allowLoopback: node?.allowLoopback ?? null };
    });
    stored.should.eql({ language: null, allowLoopback: null });
  });
});
