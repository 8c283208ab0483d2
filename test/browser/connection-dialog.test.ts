/** The dialog of a connection: the result of a check, the key of the service, and the fields in "More". */
import should from 'should';
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { startSimulator } from '../../src/simulator/start-simulator';
import { mergeMonth } from '../../src/store/month-file';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog, openEditor, isInView } from '../support/browser/dialogs';
import { loopbackOnly } from '../support/network/discoverable';
import { until } from '../support/until';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';

const type = 'cemm-connection';

describe('the dialog of a connection @node-red-5', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let end: () => Promise<void>;

  before(async () => {
    const simulator = await startSimulator({ localPort: 0, since: weeksAgo(5) });
    end = () => simulator.close();
    const host = simulator.local ?? '';
    const nodes: FlowNode[] = [
      { ...connectionDefaults, id: 'house', type, host },
      { ...connectionDefaults, id: 'replaced', type, host, mac: '00:11:22:33:44:55' },
      { ...connectionDefaults, id: 'service', type, mode: 'remote' },
      { ...connectionDefaults, id: 'shard', type, mode: 'demo', shard: '1/2' },
    ];
    nodeRed = await NodeRed.start({
      flows: [tab(), ...nodes],
      credentials: { service: { apiKey: 'demo' } },
      nodeOptions: loopbackOnly,
    });
  });

  beforeEach(async () => {
    browser = await Browser.open({ width: 1366, height: 768 });
    await openEditor(browser, nodeRed.url);
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
    await end();
  });

  it('says in one line whether the connection works, in view on a small screen', async () => {
    const { page } = browser;
    await openDialog(page, { id: 'house', type });
    await until('the button in view', () => isInView(page, '#cemm-check'));
    await page.click('#cemm-check');
    await page.locator('#cemm-summary:text-is("✓ The connection works.")').waitFor();
    await until('the summary in view', () => isInView(page, '#cemm-summary'));
    await page.fill('#node-config-input-host', '127.0.0.1:9');
    await page.click('#cemm-check');
    await page.locator('#cemm-summary', { hasText: /^✗ No connection\. .*answers/ }).waitFor();
    await until('the summary in view', () => isInView(page, '#cemm-summary'));
    await cancelDialog(page);
  });

  it('says that the default service needs the internet, and asks about the address of another one', async () => {
    const { page } = browser;
    const steps = [{ step: 'name', state: 'failed', ms: 3, word: 'NETWORK_name_not_found', values: {} }];
    await page.route('**/cemm-connection/check', (route) => route.fulfill({ json: { steps } }));
    await openDialog(page, { id: 'service', type });
    await page.click('#cemm-check');
    await page.locator('#cemm-summary', { hasText: 'open-api.cemm.nl' }).waitFor();
    should(await page.textContent('#cemm-summary')).containEql('internet access');
    await page.fill('#node-config-input-baseUrl', 'https://cemm.example/v1/');
    await page.click('#cemm-check');
    await page.locator('#cemm-summary', { hasText: 'spelling' }).waitFor();
  });

  it('wants a key for the service, says where it comes from, and is red without one', async () => {
    const { page } = browser;
    await openDialog(page, { id: 'service', type });
    should(await page.locator('#node-config-input-apiKey.input-error').count()).equal(0);
    should(await page.getByRole('link', { name: 'Request a key from CEMM' }).getAttribute('href')).equal(
      'http://developer.cemm.nl/api-en/',
    );
    await page.fill('#node-config-input-apiKey', '');
    await page.press('#node-config-input-apiKey', 'Tab');
    await page.locator('#node-config-input-apiKey-problem', { hasText: 'Open API key' }).waitFor();
    await page.click('#node-config-dialog-ok');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    should(await isValid(page, 'service')).be.false();
    await openDialog(page, { id: 'service', type });
    await page.fill('#node-config-input-apiKey', '${CEMM_KEY}');
    await page.click('#node-config-dialog-ok');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    should(await isValid(page, 'service')).be.true();
  });

  it('is red without a key before anybody opens it', async () => {
    const { page } = browser;
    await page.evaluate(
      (node) => {
        const { RED } = window as unknown as EditorWindow;
        RED.view.importNodes([node], { generateIds: false, addFlow: false, touchImport: true, notify: false });
      },
      { ...connectionDefaults, id: 'keyless', type, mode: 'remote' },
    );
    await page.waitForFunction(() => {
      const { RED } = window as unknown as EditorWindow;
      return !RED.nodes.node('keyless').valid;
    });
    should(await isValid(page, 'service')).be.true();
  });

  it('keeps what few people need behind "More", open where it is used', async () => {
    const { page } = browser;
    await openDialog(page, { id: 'house', type });
    should(await page.isVisible('#node-config-input-deadline')).be.false();
    await page.getByText('More', { exact: true }).click();
    should(await page.isVisible('#node-config-input-deadline')).be.true();
    should(await page.isVisible('#node-config-input-shard')).be.true();
    await cancelDialog(page);
    await openDialog(page, { id: 'shard', type });
    should(await page.isVisible('#node-config-input-shard')).be.true();
  });

  it('makes another monitor the new one: its MAC address is filled in, and it counts at once', async () => {
    const { page } = browser;
    await openDialog(page, { id: 'replaced', type });
    const status = page.locator('#cemm-new-monitor-status');
    await page.click('#cemm-new-monitor');
    await status.filter({ hasText: /^The connection uses (..:){5}.. from now on\. .*Save the connection/ }).waitFor();
    await browser.picture('dialog-connection-new-monitor');
    const mac = await page.inputValue('#node-config-input-mac');
    mac.should.not.equal('00:11:22:33:44:55');
    await page.click('#cemm-new-monitor');
    await status.filter({ hasText: /^The connection uses [^.]*\. What is kept [^.]*\.$/ }).waitFor();
    await page.fill('#node-config-input-host', '127.0.0.1:9');
    await page.click('#cemm-new-monitor');
    await status.filter({ hasText: 'Nothing answers' }).waitFor();
    should(await page.inputValue('#node-config-input-mac')).equal(mac);
    await cancelDialog(page);
  });

  it('says what a demo connection keeps, and offers to forget it, not to read it again', async () => {
    const { page } = browser;
    await openDialog(page, { id: 'shard', type });
    // “More” is open, because the connection has a shard.
    await page.locator('#node-config-input-keepDays').waitFor();
    await page.getByText('The readings of the demo monitor are never kept.').waitFor();
    await page.getByText('read from the monitor once').waitFor({ state: 'hidden' });
    await page.locator('#cemm-kept:text-is("Nothing is kept yet.")').waitFor();
    await page.locator('#cemm-kept-forget').waitFor();
    await page.locator('#cemm-kept-again').waitFor({ state: 'hidden' });
    await page.locator('#cemm-kept-month').waitFor({ state: 'hidden' });
    await page.locator('#cemm-kept').scrollIntoViewIfNeeded();
    await browser.picture('dialog-connection-kept-demo');
    await cancelDialog(page);
  });

  it('shows what is kept of past days, and forgets it after a question', async () => {
    const { page } = browser;
    const month = join(nodeRed.userDir, 'cemm', '001122aabbcc', '2026-03.series');
    const value = randomBytes(120_000).toString('hex');
    await mergeMonth(month, new Map([['a', { value, join: () => value }]]));
    await openDialog(page, { id: 'house', type });
    await page.getByText('More', { exact: true }).click();
    await page.locator('#cemm-kept:text-is("Kept of all monitors: 0.2 MB (months: 1).")').waitFor();
    await page.locator('#cemm-kept').scrollIntoViewIfNeeded();
    await browser.picture('dialog-connection-kept');
    await page.fill('#cemm-kept-month', 'May');
    await page.click('#cemm-kept-again');
    await page.locator('#cemm-kept:has-text("“May” is not a month.")').waitFor();
    await page.fill('#cemm-kept-month', '2026-05');
    await page.click('#cemm-kept-again');
    await page.locator('#cemm-kept:has-text("What is kept of 2026-05 stays known")').waitFor();
    await page.fill('#cemm-kept-month', '');
    await page.click('#cemm-kept-again');
    await page.locator('#cemm-kept:has-text("What is kept stays known")').waitFor();
    await page.click('#cemm-kept-forget');
    const question = page.locator('.red-ui-notification', { hasText: 'Forget past days' });
    await question.getByRole('button', { name: 'Cancel', exact: true }).click();
    await question.waitFor({ state: 'detached' });
    should((await stat(month)).isFile()).be.true();
    await page.click('#cemm-kept-forget');
    await question.getByRole('button', { name: 'Forget past days' }).click();
    await page.locator('#cemm-kept:text-is("Nothing is kept yet.")').waitFor();
    should(await readdir(join(nodeRed.userDir, 'cemm'))).be.empty();
    await cancelDialog(page);
  });
});

interface EditorWindow {
  RED: {
    nodes: { node(id: string): { valid: boolean } };
    view: { importNodes(nodes: unknown[], options: object): void };
  };
}

function isValid(page: Page, id: string): Promise<boolean> {
  return page.evaluate((nodeId) => {
    const { RED } = window as unknown as EditorWindow;
    return RED.nodes.node(nodeId).valid;
  }, id);
}
