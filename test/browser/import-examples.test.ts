/** Imports a second example like a user: it uses the existing connection and dashboard. */
import should from 'should';
import type { Page } from 'playwright-core';
import { Browser } from '../support/browser/browser';
import { flowTab } from '../support/first-hour/editor';
import { MousePerson } from '../support/first-hour/mouse';
import { NodeRed, tab } from '../support/node-red/node-red';

interface EditorWindow {
  RED: {
    nodes: {
      eachConfig(visit: (node: { id: string; type: string }) => boolean): void;
      node(id: string): { mode?: string } | null;
    };
  };
}

function configNodes(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    (window as unknown as EditorWindow).RED.nodes.eachConfig(({ id, type }) => {
      found.push(`${type} ${id}`);
      return true;
    });
    return found.sort();
  });
}

describe('importing a second example @node-red-5', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({ modules: ['@flowfuse/node-red-dashboard'], flows: [tab()] });
    browser = await Browser.open();
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  it('keeps the connection that the first one has, and its dashboard', async () => {
    const { page } = browser;
    const person = new MousePerson(browser);
    await page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-realtime"]', { state: 'attached' });
    await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
    await person.import('energy-page');
    await page.locator(flowTab('CEMM energy page')).waitFor();
    // The user has chosen another mode in the meantime.
    await page.evaluate(() => {
      const connection = (window as unknown as EditorWindow).RED.nodes.node('cemm-demo-monitor');
      if (connection !== null) connection.mode = 'remote';
    });
    await person.import('energy-page-webhook');
    await page.click('button:has-text("View nodes")');
    await page.locator('button:has-text("Import selected")').waitFor();
    await browser.picture('import-conflicts');
    await page.click('button:has-text("Import selected")');
    await page.locator(flowTab('CEMM energy page by webhook')).waitFor();
    const configs = await configNodes(page);
    for (const type of ['cemm-connection', 'ui-base', 'ui-theme']) {
      should(configs.filter((config) => config.startsWith(`${type} `))).have.length(1, configs.join('\n'));
    }
    const mode = await page.evaluate(
      () => (window as unknown as EditorWindow).RED.nodes.node('cemm-demo-monitor')?.mode ?? '',
    );
    mode.should.equal('remote');
    browser.errors.should.be.empty();
  });
});
