/** Nodes of another version of this package, imported like a flow file. */
import should from 'should';
import type { Page } from 'playwright-core';
import { nodeTypes } from '../../nodes/check-flow/node-types';
import { formatDefaults } from '../../nodes/cemm-format/config';
import { Browser } from '../support/browser/browser';
import { NodeRed, tab } from '../support/node-red/node-red';

interface EditorWindow {
  RED: {
    view: { importNodes(nodes: object[], options: object): void };
    nodes: { node(id: string): Record<string, unknown> | null; dirty(): boolean };
    utils: { getNodeLabel(node: unknown, otherwise: string): string };
  };
}

/** A format node as stored by 0.1.0. */
const old = { id: 'old', type: 'cemm-format', z: 'flow', name: '', format: 'influx', x: 200, y: 80, wires: [[]] };
const current = { ...formatDefaults, ...old, id: 'current' };
const newer = { ...current, id: 'newer', version: 99 };

/** A flow that somebody wrote by hand. */
const partial = { id: 'partial', type: 'cemm-discovery', z: 'flow', name: '', x: 200, y: 240, wires: [[]] };

function importNodes(page: Page, ...nodes: object[]): Promise<void> {
  return page.evaluate((flow) => {
    (window as unknown as EditorWindow).RED.view.importNodes(flow, { addFlow: false, applyNodeDefaults: true });
  }, nodes);
}

async function notifications(page: Page): Promise<string[]> {
  return page.locator('.red-ui-notification').allTextContents();
}

describe('importing nodes of another version @node-red-5-daily', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: [tab(), { ...old, id: 'deployed' }, partial] });
    browser = await Browser.open();
    await browser.page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
    await browser.page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-format"]', { state: 'attached' });
    await browser.page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  it('leaves a node of an older version as it is stored until something in it is changed', async () => {
    const { page } = browser;
    const stored = (): Promise<unknown> =>
      page.evaluate(() => {
        const { fields, version, changed } = (window as unknown as EditorWindow).RED.nodes.node('deployed') ?? {};
        return { fields: fields ?? null, version: version ?? null, changed: changed === true };
      });
    const openAndClose = async (change?: () => Promise<unknown>): Promise<void> => {
      await page.locator('[id="deployed"]').dblclick();
      await page.locator('#node-input-format').waitFor();
      await change?.();
      await page.click('#node-dialog-ok');
      await page.locator('#node-input-format').waitFor({ state: 'detached' });
    };
    await openAndClose();
    should(await stored()).eql({ fields: null, version: null, changed: false });
    await openAndClose(() => page.selectOption('#node-input-format', 'rows'));
    should(await stored()).eql({ fields: '', version: 2, changed: true });
  });

  it('shows the defaults of properties that a node lacks, and stores none of them until something is changed', async () => {
    const { page } = browser;
    await page.locator('[id="partial"]').dblclick();
    await page.locator('#node-input-wait').waitFor();
    const shown = ['scope', 'emit', 'wait', 'interval'].map((name) => page.inputValue(`#node-input-${name}`));
    should(await Promise.all(shown)).eql(['network', 'each', '5', '0']);
    await page.click('#node-dialog-ok');
    await page.locator('#node-input-wait').waitFor({ state: 'detached' });
    const stored = await page.evaluate(() => {
      const { scope, wait, changed } = (window as unknown as EditorWindow).RED.nodes.node('partial') ?? {};
      return { scope: scope ?? null, wait: wait ?? null, changed: changed === true };
    });
    should(stored).eql({ scope: null, wait: null, changed: false });
  });

  it('says nothing of a node that is deployed already, nor of one of this version', async () => {
    await importNodes(browser.page, current);
    // The notice would come with the next task.
    await browser.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
    should(await notifications(browser.page)).matchEach((text: string) => text.should.not.match(/CEMM/));
  });

  it('LC21: says that fields of an older version got their default value', async () => {
    await importNodes(browser.page, old, { ...old, id: 'old2', y: 140 });
    const notice = browser.page.locator('.red-ui-notification', { hasText: 'older version' });
    await notice.waitFor();
    should(await notice.textContent()).containEql('2');
  });

  it('LC21: says that fields of a newer version were left out', async () => {
    await importNodes(browser.page, newer);
    const notice = browser.page.locator('.red-ui-notification', { hasText: 'newer version' });
    await notice.waitFor();
    should(await notice.textContent()).containEql('Update the package');
    browser.errors.should.be.empty();
  });

  it('names nodes without any property by what they are', async () => {
    const { page } = browser;
    const types = Object.keys(nodeTypes).filter((type) => nodeTypes[type]?.outputs !== null);
    const bare = types.map((type, index) => ({
      id: `bare-${type}`,
      type,
      z: 'flow',
      x: 600,
      y: 80 + 60 * index,
      wires: [],
    }));
    await importNodes(page, ...bare);
    const labels = await page.evaluate(
      (ids) =>
        ids.map((id) => {
          const node = (window as unknown as EditorWindow).RED.nodes.node(id);
          return (window as unknown as EditorWindow).RED.utils.getNodeLabel(node, '');
        }),
      bare.map(({ id }) => id),
    );
    labels.filter((label) => label === '' || /undefined|label\./.test(label)).should.eql([]);
    labels.should.have.length(types.length);
  });
});
