/** From an empty flow to a value: find a monitor, choose it, have it checked, pick a meter, deploy. */
import should from 'should';
import type { Locator, Page } from 'playwright-core';
import { Browser } from '../support/browser';
import { loopbackOnly, startDiscoverable, type Discoverable } from '../support/discoverable';
import { NodeRed, tab } from '../support/node-red';

/** Does what a person does, and counts it. */
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

async function openEditor({ page }: Browser, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-realtime"]', { state: 'attached' });
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
  // Not an action: the categories above may take the whole palette of a small window.
  await page.locator('.red-ui-palette-node[data-palette-type="cemm-realtime"]').scrollIntoViewIfNeeded();
}

const variants = [
  { name: 'with default settings', settings: '', root: '' },
  { name: 'with httpAdminRoot moved', settings: "httpAdminRoot: '/admin/red',", root: '/admin/red' },
] as const;

describe('from an empty flow to a value', function () {
  this.timeout(115_000);
  let monitor: Discoverable;

  before(async () => {
    monitor = await startDiscoverable('127.0.0.53');
  });

  after(async () => {
    await monitor.close();
  });

  for (const { name, settings, root } of variants) {
    describe(name, () => {
      let nodeRed: NodeRed;
      let browser: Browser;

      before(async () => {
        nodeRed = await NodeRed.start({ settings, adminRoot: root, flows: [tab()], nodeOptions: loopbackOnly });
        browser = await Browser.open();
      });

      after(async () => {
        await browser.close();
        await nodeRed.stop();
      });

      it('takes at most 8 actions: find, choose, check, pick a meter, deploy', async () => {
        const { page } = browser;
        const person = new Person(page);
        await openEditor(browser, `${nodeRed.url}${root}/`);
        await person.drag('.red-ui-palette-node[data-palette-type="cemm-realtime"]', 250, 150);
        await person.doubleClick('.red-ui-flow-node-group:has-text("realtime") .red-ui-flow-node');
        await person.click('#node-input-btn-connection-add');
        await person.click('#cemm-find');
        // The only monitor there is, is filled in and checked by itself.
        await page.locator('#cemm-found .cemm-picked').waitFor();
        await page.locator('.cemm-rung-ok:has-text("Clock")').waitFor();
        should(await page.inputValue('#node-config-input-host')).equal(monitor.address);
        should(await page.inputValue('#node-config-input-mac')).equal(monitor.mac);
        should(await page.locator('.cemm-rung-failed').count()).equal(0);
        await browser.picture(`connection-check${root.replaceAll('/', '-')}`, '.red-ui-tray:last-child');
        await person.click('#node-config-dialog-ok');
        const pick = page.locator('#cemm-picks-alias .cemm-pick', { hasText: /^p1\D.*W/ });
        await pick.waitFor();
        await person.click(pick);
        await browser.picture(`pick-list${root.replaceAll('/', '-')}`, '.red-ui-tray');
        await person.click('#node-dialog-ok');
        await person.click('#red-ui-header-button-deploy');
        await page.locator('.red-ui-flow-node-status-label', { hasText: /kW/ }).first().waitFor();
        person.actions.should.be.belowOrEqual(8);
        browser.errors.should.be.empty();
        browser.outside.should.be.empty();
      });
    });
  }
});
