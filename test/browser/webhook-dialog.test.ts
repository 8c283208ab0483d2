/** The dialog of a webhook node: its first view, and its messages before a deploy. */
import should from 'should';
import type { Page } from 'playwright-core';
import { webhookInDefaults } from '../../nodes/cemm-webhook-in/config';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog, openEditor } from '../support/browser/dialogs';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';

interface EditorWindow {
  RED: { nodes: { node(id: string): { valid: boolean } } };
}

const type = 'cemm-webhook-in';
const hmacKey = 'a key that is long enough for all of us';

function webhook(id: string, more: object = {}): FlowNode {
  return { ...webhookInDefaults, id, type, z: 'flow', path: `/${id}`, wires: [[], []], ...more };
}

function isValid(page: Page, id: string): Promise<boolean> {
  return page.evaluate((nodeId) => (window as unknown as EditorWindow).RED.nodes.node(nodeId).valid, id);
}

async function done(page: Page): Promise<void> {
  await page.click('#node-dialog-ok');
  await page.waitForSelector('.red-ui-tray', { state: 'detached' });
}

describe('the dialog of a webhook node, before a deploy @node-red-5-daily', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    const cottage = { id: 'cottage', type: 'tab', label: 'Cottage', disabled: false };
    nodeRed = await NodeRed.start({
      flows: [
        tab(),
        cottage,
        webhook('keyed'),
        webhook('keyless'),
        webhook('proofless', { hmac: false }),
        webhook('front', { name: 'front door', z: 'cottage', path: '/door' }),
        webhook('back', { path: '/Door/' }),
        webhook('core', { path: '/core' }),
        { id: 'in', type: 'http in', z: 'flow', name: '', url: '/core', method: 'post', wires: [[]] },
        webhook('used', { header: true, listen: 'own', port: '1999' }),
      ],
      credentials: {
        ...Object.fromEntries(['keyed', 'front', 'back', 'core'].map((id) => [id, { hmacKey }])),
        used: { hmacKey, headerKey: 'another key' },
      },
    });
  });

  beforeEach(async () => {
    browser = await Browser.open({ width: 1366, height: 768 });
    page = await openEditor(browser, nodeRed.url);
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
  });

  it('shows address, key and test first, and the other parts closed unless something in them is used', async () => {
    const parts = page.locator('.cemm-form details');
    const opened = () => parts.evaluateAll((found: HTMLDetailsElement[]) => found.map(({ open }) => open));
    await openDialog(page, { id: 'keyed', type });
    should(await opened()).eql([false, false, false]);
    await page.getByText('Proof, limits, meters').click();
    should(await page.isVisible('#node-input-maxAge')).be.true();
    await cancelDialog(page);
    await openDialog(page, { id: 'used', type });
    should(await opened()).eql([true, true, false]);
    should(await page.isVisible('#node-input-headerName')).be.true();
    should(await page.isVisible('#node-input-port')).be.true();
  });

  it('says in three steps what to do', async () => {
    await openDialog(page, { id: 'keyed', type });
    const hints = await page.locator('.cemm-form > :not(details) .cemm-hint:visible').allTextContents();
    should(hints.map((hint) => hint.slice(0, 2)).filter((hint) => /^\d/.test(hint))).eql(['1.', '2.', '3.']);
    const words = hints.join(' ').split(/\s+/).length;
    should(words).be.below(110);
    await cancelDialog(page);
  });

  it('answers a test with one line, in view on a small screen', async () => {
    await openDialog(page, { id: 'keyed', type });
    await page.focus('#cemm-webhook-test');
    await page.keyboard.press('Enter');
    const summary = page.locator('#cemm-webhook-summary', { hasText: /^✓ The test delivery was accepted/ });
    await summary.waitFor();
    const isSeen = await summary.evaluate((line) => {
      const { top, bottom, left } = line.getBoundingClientRect();
      return [top + 1, bottom - 1].every((y) => line.contains(document.elementFromPoint(left + 1, y)));
    });
    should(isSeen).be.true();
    should(await page.evaluate(() => document.activeElement?.id)).equal('cemm-webhook-test');
    await page.fill('#node-input-hmacKey', 'wrong');
    await page.click('#cemm-webhook-test');
    await page.locator('#cemm-webhook-summary', { hasText: /^✗ .*another HMAC key/ }).waitFor();
    await browser.picture('webhook-test', '.red-ui-tray');
  });

  it('is red without a key, also before anybody opens it, and says so at the field', async () => {
    await page.waitForFunction(() => !(window as unknown as EditorWindow).RED.nodes.node('keyless').valid);
    should(await isValid(page, 'keyed')).be.true();
    await openDialog(page, { id: 'keyless', type });
    await page.locator('#node-input-hmacKey-problem', { hasText: 'or generate one' }).waitFor();
    await page.click('#cemm-webhook-generate');
    await page.locator('.cemm-problem').waitFor({ state: 'detached' });
    await done(page);
    should(await isValid(page, 'keyless')).be.true();
    await openDialog(page, { id: 'keyed', type });
    await page.getByText('Proof, limits, meters').click();
    await page.check('#node-input-header');
    await page.locator('#node-input-headerKey-problem').waitFor();
    await done(page);
    should(await isValid(page, 'keyed')).be.false();
  });

  it('is red where deliveries would be accepted without any proof, until that is ticked', async () => {
    should(await isValid(page, 'proofless')).be.false();
    await openDialog(page, { id: 'proofless', type });
    await page.locator('#node-input-open-problem', { hasText: 'at least one method' }).waitFor();
    await page.check('#node-input-open');
    await page.locator('.cemm-problem').waitFor({ state: 'detached' });
  });

  it('names the node and the tab that have the same path', async () => {
    for (const [id, node, label] of [
      ['back', 'front door', 'Cottage'],
      ['front', 'webhook /Door/', 'flow'],
      ['core', '[post] /core', 'flow'],
    ] as const) {
      should(await isValid(page, id)).be.false();
      await openDialog(page, { id, type });
      const problem = page.locator('#node-input-path-problem');
      await problem.waitFor();
      should(await problem.textContent()).containEql(`“${node}” on the tab “${label}”`);
      await cancelDialog(page);
    }
    await openDialog(page, { id: 'back', type });
    await page.fill('#node-input-path', '/gate');
    await page.press('#node-input-path', 'Tab');
    await page.locator('#node-input-path-problem').waitFor({ state: 'detached' });
    await cancelDialog(page);
    nodeRed.log.should.match(/The path belongs to the node (front door \(Cottage\)|back \(flow\)) already/);
  });

  it('WA34: says that another server is in front of Node-RED, and where a test went', async () => {
    await browser.close();
    browser = await Browser.open({ host: 'home.example.org' });
    page = await openEditor(browser, `http://home.example.org:${nodeRed.port}`);
    await openDialog(page, { id: 'keyed', type });
    const situation = page.locator('#cemm-webhook-situation', {
      hasText: `another server (home.example.org:${nodeRed.port})`,
    });
    await situation.waitFor();
    should(await page.inputValue('#cemm-webhook-address')).equal(`http://home.example.org:${nodeRed.port}/keyed`);
    should(await page.textContent('#cemm-webhook-address-hint')).containEql('Only you can know');
    await page.click('#cemm-webhook-test');
    const sent = `Sent to http://127.0.0.1:${nodeRed.port}/keyed, not through the other server`;
    await page.locator('#cemm-webhook-result', { hasText: sent }).waitFor();
    // A click directly from the field of the path still hits its button.
    await page.fill('#node-input-path', '/other');
    await page.getByRole('button', { name: ':1881/other' }).click();
    should(await page.inputValue('#cemm-webhook-address')).endWith(':1881/other');
    await cancelDialog(page);
  });

  it('offers the addresses of this machine instead of localhost, in the colour of normal text', async () => {
    const addresses = [
      { address: '192.168.1.20', name: 'eth0' },
      { address: '10.8.0.2', name: 'tun0' },
    ];
    const shared = { isSecure: false, port: 1880, bind: '0.0.0.0' };
    await page.route('**/cemm-webhook-in/network', (route) => route.fulfill({ json: { addresses, shared } }));
    await openDialog(page, { id: 'keyed', type });
    const box = page.getByRole('textbox', { name: 'Webhook URL' });
    await page.getByRole('button', { name: '192.168.1.20 eth0', pressed: true }).waitFor();
    should(await box.inputValue()).equal('http://192.168.1.20:1880/keyed');
    await page.getByRole('button', { name: '10.8.0.2 tun0' }).click();
    should(await box.inputValue()).equal('http://10.8.0.2:1880/keyed');
    const colour = (selector: string) => page.locator(selector).evaluate((field) => getComputedStyle(field).color);
    should(await colour('#cemm-webhook-address')).equal(await colour('#node-input-path'));
    await cancelDialog(page);
    await openDialog(page, { id: 'used', type });
    await page.getByRole('button', { name: '10.8.0.2 tun0' }).click();
    should(await box.inputValue()).equal('http://10.8.0.2:1999/used');
    await page.fill('#node-input-bind', '192.168.1.20');
    should(await box.inputValue()).equal('http://192.168.1.20:1999/used');
    should(await page.locator('#cemm-picks-address .cemm-pick').count()).equal(0);
  });
});
