/** The form for prices, in the dialogs of a connection and of a balance. */
import should from 'should';
import type { Page } from 'playwright-core';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { Browser } from '../support/browser/browser';
import { openDialog, openEditor } from '../support/browser/dialogs';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';

const everything =
  '{"currency":"EUR","import":{"t1":0.24,"t2":0.28},"export":0.05,"export_fee":0.03,"per_day":1.2,"per_year":-628.96,' +
  '"gas":1.3,"water":1.1,"peak":{"per_kw_year":53.25,"at_least_kw":2.5}}';
const dynamic = '{"currency":"EUR","import":{"list":[{"start":"2026-06-15","value":0.2}],"times":1.21},"per_day":1.2}';

const placed = { z: 'flow', x: 200, y: 100, wires: [[]], type: 'cemm-balance', connection: 'demo' };
const nodes: FlowNode[] = [
  { ...connectionDefaults, id: 'demo', type: 'cemm-connection', mode: 'demo' },
  { ...connectionDefaults, id: 'remote', type: 'cemm-connection', mode: 'remote', prices: everything, pricesType: 'json' },
  { ...balanceDefaults, ...placed, id: 'new' },
  { ...balanceDefaults, ...placed, id: 'full', prices: everything, pricesType: 'json' },
  { ...balanceDefaults, ...placed, id: 'dynamic', prices: dynamic, pricesType: 'json' },
  { ...balanceDefaults, ...placed, id: 'broken', prices: '{"currency":', pricesType: 'json' },
  { ...balanceDefaults, ...placed, id: 'shared', connection: 'remote', pricesType: 'connection' },
];

interface Stored {
  readonly prices: string;
  readonly pricesType: string;
  readonly changed?: boolean;
}

function stored(page: Page, id: string): Promise<Stored> {
  return page.evaluate((nodeId) => {
    const { RED } = window as unknown as { RED: { nodes: { node(id: string): Stored } } };
    const { prices, pricesType, changed = false } = RED.nodes.node(nodeId);
    return { prices, pricesType, changed };
  }, id);
}

async function done(page: Page): Promise<void> {
  await page.click('#node-config-dialog-ok, #node-dialog-ok');
  await page.waitForSelector('.red-ui-tray', { state: 'detached' });
}

async function choose(page: Page, choice: string): Promise<void> {
  await page.getByRole('button', { name: 'Prices kind of value' }).click();
  await page.locator('.red-ui-typedInput-options:visible a', { hasText: choice }).click();
  await page.waitForSelector('.red-ui-typedInput-options:visible', { state: 'detached' });
}

describe('the form for prices @node-red-5', function () {
  this.timeout(115_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: [tab(), ...nodes], credentials: { remote: { apiKey: 'demo' } } });
  });

  beforeEach(async () => {
    browser = await Browser.open({ width: 1366, height: 768 });
    page = await openEditor(browser, nodeRed.url);
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
  });

  after(() => nodeRed.stop());

  const open = (id: string) =>
    openDialog(page, { id, type: ['demo', 'remote'].includes(id) ? 'cemm-connection' : 'cemm-balance' });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });

  it('is opened by its choice, in view, and stores what is filled in and nothing else', async () => {
    await open('new');
    should(await page.locator('.cemm-prices').isVisible()).be.false();
    await choose(page, 'enter prices');
    await field('You pay per kWh').fill('0,25');
    const box = await field('You pay per kWh').boundingBox();
    should(box?.y).be.below(400);
    await field('Fixed per year').fill('-628.96');
    await field('Gas per m³').fill('1,3');
    await field('Gas per m³').press('Tab');
    await browser.picture('prices-new');
    await done(page);
    const { prices, pricesType } = await stored(page, 'new');
    pricesType.should.equal('json');
    JSON.parse(prices).should.deepEqual({ currency: 'EUR', import: 0.25, per_year: -628.96, gas: 1.3 });
  });

  for (const id of ['new', 'full', 'dynamic', 'broken', 'shared', 'demo', 'remote']) {
    it(`stores nothing of ${id} when nothing is changed`, async () => {
      const before = await stored(page, id);
      await open(id);
      await browser.picture(`prices-${id}`);
      await done(page);
      (await stored(page, id)).should.deepEqual(before);
    });
  }
});
