/**
 * Every dialog for users of a keyboard or a screen reader, and users who need contrast (WCAG 2.2 AA, as far as axe can check
 * it).
 */
import should from 'should';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser/browser';
import { findings } from '../support/browser/page-checks';
import { cancelDialog, dialogNodes, openDialog, openEditor } from '../support/browser/dialogs';
import { loopbackOnly } from '../support/network/discoverable';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';

/** Node-RED 4.1 has no dark theme. */
const themes = process.env['CEMM_NODE_RED'] === undefined ? ['light'] : ['light', 'dark'];

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.id ?? '');
}

describe('dialogs for everybody @node-red-5-daily', function () {
  this.timeout(170_000);
  let nodeRed: NodeRed;
  let nodes: FlowNode[];
  let browser: Browser;
  let end: () => Promise<void>;

  before(async () => {
    const simulator = await startSimulator({ localPort: 0, since: weeksAgo(5) });
    end = () => simulator.close();
    nodes = dialogNodes(simulator.local ?? '');
    nodeRed = await NodeRed.start({ flows: [tab(), ...nodes], nodeOptions: loopbackOnly });
  });

  beforeEach(async () => {
    browser = await Browser.open({ width: 1366, height: 768 });
  });

  afterEach(async () => {
    await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
    await end();
  });

  for (const theme of themes) {
    it(`have names, roles and contrast in the ${theme} theme`, async () => {
      const page = await openEditor(browser, nodeRed.url);
      await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
      await page.evaluate((dark) => {
        document.documentElement.classList.toggle('nr-theme-dark', dark);
      }, theme === 'dark');
      for (const node of nodes) {
        await openDialog(page, node);
        if (node.type === 'cemm-connection') {
          await page.locator('.cemm-form details').evaluateAll((parts) => {
            for (const part of parts) part.setAttribute('open', '');
          });
        }
        if (node.id === 'connection-local') {
          await page.click('#cemm-check');
          await page.locator('.cemm-step-ok').nth(5).waitFor();
        }
        (await findings(page, '.cemm-form')).should.eql([], `${node.id}, ${theme}`);
        await browser.picture(`dialog-${node.id}-${theme}`, '.red-ui-tray');
        await cancelDialog(page);
      }
      browser.errors.should.be.empty();
    });
  }

  it('keep the focus on a button while it works, and tell a screen reader what came of it', async () => {
    const page = await openEditor(browser, nodeRed.url);
    const found = { mac: '00:1A:2B:3C:4D:5E', name: null, type: 'CEMM_basic', version: '1.25', verified: true };
    await page.route('**/cemm-connection/find', (route) =>
      route.fulfill({ json: { monitors: [{ ...found, host: '192.168.1.20' }], error: null } }),
    );
    await openDialog(page, { id: 'connection-local', type: 'cemm-connection' });
    for (const [button, status] of [
      ['#cemm-find', '#cemm-find-status'],
      ['#cemm-check', '#cemm-summary'],
    ] as const) {
      const told = page.locator(`${status}[role=status]`);
      await page.focus(button);
      await page.keyboard.press('Enter');
      await told.locator(':scope:not(:empty)').waitFor();
      should(`#${await focused(page)}`).equal(button);
      await page.locator(`${button}:not([aria-disabled])`).waitFor();
      should(`#${await focused(page)}`).equal(button);
    }
    await page.getByRole('button', { name: 'CEMM monitor 192.168.1.20' }).waitFor();
    should(await page.textContent('#cemm-summary')).equal('✓ The connection works.');
  });

  it('name every field, chip and button, and reach all of them with the keyboard', async () => {
    const page = await openEditor(browser, nodeRed.url);
    await openDialog(page, { id: 'realtime', type: 'cemm-realtime' });
    await page.getByRole('textbox', { name: 'Monitor', exact: true }).fill('');
    await page.getByRole('textbox', { name: 'Meter', exact: true }).focus();
    await page.getByRole('button', { name: 'Meter kind of value' }).waitFor();
    const chip = page.getByRole('button', { name: /^p1 grid · \S+ W$/ });
    await chip.waitFor();
    should(await chip.getAttribute('aria-pressed')).equal('true');
    await page.getByRole('button', { name: /^Edit cemm-connection/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Check connection' }).waitFor();
  });

  it('say below a field what is wrong with it, and a screen reader finds it there', async () => {
    const page = await openEditor(browser, nodeRed.url);
    await openDialog(page, { id: 'connection-local', type: 'cemm-connection' });
    const address = page.getByRole('textbox', { name: 'Address', exact: true });
    await address.fill('192.168.1.20/api');
    should(await page.locator('.cemm-problem').count()).equal(0);
    await address.press('Tab');
    await page.locator('#node-config-input-host-problem', { hasText: 'without a slash' }).waitFor();
    should(await address.getAttribute('aria-describedby')).equal('node-config-input-host-problem');
    should(await address.getAttribute('aria-invalid')).equal('true');
    // A new line must not move a button away from the mouse.
    await address.fill('192.168.1.20');
    await page.locator('.cemm-problem').waitFor({ state: 'detached' });
    await address.fill('cemm.local/api');
    await page.click('#cemm-check');
    await page.locator('#cemm-summary:not(:empty)').waitFor();
    await page.locator('#node-config-input-host-problem').waitFor();
  });
});
