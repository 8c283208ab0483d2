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
  {
    ...connectionDefaults,
    id: 'priced',
    type: 'cemm-connection',
    mode: 'demo',
    prices: everything,
    pricesType: 'json',
  },
  {
    ...connectionDefaults,
    id: 'remote',
    type: 'cemm-connection',
    mode: 'remote',
    prices: everything,
    pricesType: 'json',
  },
  { ...balanceDefaults, ...placed, id: 'new' },
  { ...balanceDefaults, ...placed, id: 'full', prices: everything, pricesType: 'json' },
  { ...balanceDefaults, ...placed, id: 'dynamic', prices: dynamic, pricesType: 'json' },
  { ...balanceDefaults, ...placed, id: 'broken', prices: '{"currency":', pricesType: 'json' },
  { ...balanceDefaults, ...placed, id: 'shared', connection: 'priced', pricesType: 'connection' },
  { ...balanceDefaults, ...placed, id: 'unpriced', pricesType: 'connection' },
];

interface EditorWindow {
  RED: { nodes: { createCompleteNodeSet(): FlowNode[] } };
}

/** A text in an editor of Node-RED. */
interface Model {
  getLanguageId(): string;
  setValue(text: string): void;
}

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

describe('the form for prices @node-red-5-daily', function () {
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
    // The text editor of Node-RED reports this when it is closed while it checks its text.
    browser.errors.filter((error) => !error.startsWith('Model is disposed!')).should.be.empty();
    await browser.close();
  });

  after(() => nodeRed.stop());

  const isConnection = (id: string) => nodes.some((node) => node.id === id && node.type === 'cemm-connection');
  const open = (id: string) => openDialog(page, { id, type: isConnection(id) ? 'cemm-connection' : 'cemm-balance' });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const kind = (name: string) => page.getByRole('combobox', { name: `${name}: kind of price` });
  const flows = () => page.locator('#red-ui-workspace-tabs .red-ui-tab-label').allInnerTexts();
  const note = () => page.locator('.cemm-prices-note').innerText();
  const pricesOf = async (id: string) => JSON.parse((await stored(page, id)).prices) as object;

  it('is opened by its choice, in view, and stores what is filled in and nothing else', async () => {
    await open('new');
    should(await page.locator('.cemm-prices').isVisible()).be.false();
    await choose(page, 'enter prices');
    const box = await field('You pay per kWh').boundingBox();
    should(box?.y).be.below(400);
    await field('You pay per kWh').fill('0,25');
    await field('Fixed per year').fill('-628.96');
    await field('Gas per m³').fill('1,3');
    await field('Gas per m³').press('Tab');
    await browser.picture('prices-entered');
    await done(page);
    (await stored(page, 'new')).pricesType.should.equal('json');
    (await pricesOf('new')).should.deepEqual({ currency: 'EUR', import: 0.25, per_year: -628.96, gas: 1.3 });
  });

  it('needs a price, unless none is chosen again', async () => {
    await open('new');
    await choose(page, 'enter prices');
    await page.locator('#node-input-prices-problem', { hasText: 'Enter a price, or choose “none”.' }).waitFor();
    await choose(page, 'none');
    await page.locator('#node-input-prices-problem').waitFor({ state: 'detached' });
    await done(page);
    (await stored(page, 'new')).should.deepEqual({ prices: '', pricesType: 'none', changed: false });
  });

  it('is filled in with the keyboard alone, in a connection', async () => {
    await open('demo');
    await page.getByRole('button', { name: 'Prices kind of value' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForSelector('.red-ui-typedInput-options:visible');
    await page.locator('.red-ui-typedInput-options:visible a:focus', { hasText: 'none' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await field('Currency').waitFor();
    for (const text of ['', '', '0.3', '', '0.05']) {
      await page.keyboard.press('Tab');
      if (text !== '') await page.keyboard.type(text);
    }
    await done(page);
    (await pricesOf('demo')).should.deepEqual({ currency: 'EUR', import: 0.3, export: 0.05 });
  });

  it('has a price for each tariff, and says what is no number', async () => {
    await open('full');
    await field('You pay per kWh normal (t2)').fill('');
    await field('You pay per kWh normal (t2)').press('Tab');
    await page.locator('#node-input-prices-problem', { hasText: '“You pay per kWh” is not a number.' }).waitFor();
    should(await field('You pay per kWh normal (t2)').getAttribute('aria-invalid')).equal('true');
    should(await field('You pay per kWh normal (t2)').getAttribute('aria-describedby')).equal(
      'node-input-prices-problem',
    );
    should(await field('You pay per kWh low (t1)').getAttribute('aria-invalid')).equal(null);
    await browser.picture('prices-wrong');
    await kind('You pay per kWh').selectOption('one price');
    await page.locator('#node-input-prices-problem').waitFor({ state: 'detached' });
    await kind('You get per kWh').selectOption('low and normal');
    await field('You get per kWh normal (t2)').fill('0,04');
    await field('Water per m³').fill('');
    await done(page);
    const { water, ...others } = JSON.parse(everything) as Record<string, unknown>;
    should(water).equal(1.1);
    (await pricesOf('full')).should.deepEqual({ ...others, import: 0.24, export: { t1: 0.05, t2: 0.04 } });
  });

  it('warns of a price in cents, and takes it', async () => {
    await open('full');
    await field('Feed-in costs per kWh').fill('11,5');
    await field('Feed-in costs per kWh').press('Tab');
    await page.locator('.cemm-warning', { hasText: 'is this in cents?' }).waitFor();
    should(await page.locator('.cemm-problem').count()).equal(0);
    await field('Feed-in costs per kWh').fill('0,115');
    await field('Feed-in costs per kWh').press('Tab');
    await page.locator('.cemm-warning:not(:empty)').waitFor({ state: 'detached' });
    await field('Feed-in costs per kWh').fill('11,5');
    await done(page);
    (await pricesOf('full')).should.have.property('export_fee', 11.5);
  });

  it('keeps a list while another price is changed, and has it back after another kind was chosen', async () => {
    await open('dynamic');
    await kind('You pay per kWh').selectOption('one price');
    await kind('You pay per kWh').selectOption('changing (list)');
    await field('Fixed per day').fill('1,5');
    await done(page);
    const before = JSON.parse(dynamic) as object;
    (await pricesOf('dynamic')).should.deepEqual({ ...before, per_day: 1.5 });
  });

  it('takes prices by the hour from a message, and those of a connection from the global context', async () => {
    await open('new');
    await choose(page, 'enter prices');
    await kind('You pay per kWh').selectOption('changing (list)');
    await page.getByRole('button', { name: 'Take all prices from msg.prices' }).click();
    (await note()).should.match(/are a list/);
    await page.locator('#node-input-interval').fill('0');
    await done(page);
    (await stored(page, 'new')).should.deepEqual({ prices: 'prices', pricesType: 'msg', changed: true });
    await open('demo');
    await choose(page, 'enter prices');
    await kind('You get per kWh').selectOption('changing (list)');
    await page.getByRole('button', { name: 'Take all prices from global.prices' }).click();
    await done(page);
    (await stored(page, 'demo')).should.have.properties({ prices: 'prices', pricesType: 'global' });
  });

  it('adds the flow that gets prices, for a connection and what its contract adds', async () => {
    await open('priced');
    await kind('You pay per kWh').selectOption('changing (list)');
    const add = page.getByRole('button', { name: 'Add the flow that gets prices' });
    await field('Surcharge of the supplier per kWh, without VAT').fill('0,018');
    await field('Energy tax per kWh, without VAT').fill('0,1088');
    await add.click();
    await page.locator('.cemm-price-flow', { hasText: 'Fill in all three, as numbers.' }).waitFor();
    (await flows()).should.deepEqual(['flow']);
    await field('VAT in percent').fill('21');
    await browser.picture('prices-flow');
    await add.click();
    await page.getByText('The flow “CEMM dynamic prices” was added.').waitFor();
    await page.click('#node-config-dialog-ok');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    (await stored(page, 'priced')).should.have.properties({ prices: 'housePrices', pricesType: 'global' });
    (await flows()).should.deepEqual(['flow', 'CEMM dynamic prices']);
    const added = await page.evaluate(() => (window as unknown as EditorWindow).RED.nodes.createCompleteNodeSet());
    const environment = added.find(({ label }) => label === 'CEMM dynamic prices')?.['env'];
    should(environment).containDeep([
      { name: 'SURCHARGE', value: '0.018' },
      { name: 'TAX', value: '0.1088' },
      { name: 'VAT', value: '21' },
      {
        name: 'OTHER_PRICES',
        value:
          '{"export_fee":0.03,"per_day":1.2,"per_year":-628.96,"gas":1.3,"water":1.1,"peak":{"per_kw_year":53.25,"at_least_kw":2.5}}',
      },
    ]);
    added.filter(({ name }) => name === 'prices by the hour').should.containDeep([{ connection: 'priced' }]);
    // A second connection takes its prices from the same flow.
    await open('demo');
    await choose(page, 'enter prices');
    await kind('You pay per kWh').selectOption('changing (list)');
    for (const name of [/^Surcharge/, /^Energy tax/, /^VAT/]) await page.getByRole('textbox', { name }).fill('0');
    await add.click();
    await page.getByText('The flow that gets prices is there already.').waitFor();
    (await flows()).should.have.length(2);
  });

  it('shows its JSON in an editor, and takes what is changed there', async () => {
    await open('broken');
    (await note()).should.match(/cannot show/);
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const editor = page.locator('.red-ui-tray').last();
    await editor.locator('.monaco-editor .view-lines').waitFor();
    await page.evaluate((json) => {
      // Node-RED keeps its text editors there; typing would let them add brackets.
      const { monaco } = window as unknown as { monaco: { editor: { getModels(): Model[] } } };
      for (const model of monaco.editor.getModels()) if (model.getLanguageId() === 'json') model.setValue(json);
    }, '{ "currency": "EUR", "gas": 1.2 }');
    await editor.locator('#node-dialog-ok').click();
    await page.locator('#red-ui-editor-type-json-tab-raw').waitFor({ state: 'detached' });
    await field('Gas per m³').waitFor();
    should(await field('Gas per m³').inputValue()).equal('1.2');
    await done(page);
    (await stored(page, 'broken')).prices.should.equal('{"currency":"EUR","gas":1.2}');
  });

  it('names what the connection has, and that all monitors of a key share it', async () => {
    await open('shared');
    (await note()).should.match(
      /The connection has: EUR · You pay per kWh 0\.24 \/ 0\.28 · You get per kWh 0\.05 · .*53\.25/,
    );
    await page.locator('.red-ui-tray').locator('#node-dialog-cancel').click();
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    await open('unpriced');
    (await note()).should.match(/no prices/);
    await page.locator('#node-dialog-cancel').click();
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    await open('remote');
    (await note()).should.equal('If the key has several monitors, all of them share these prices.');
    await page.selectOption('#node-config-input-mode', 'demo');
    (await note()).should.equal('');
  });

  for (const id of ['new', 'full', 'dynamic', 'broken', 'shared', 'unpriced', 'demo', 'priced', 'remote']) {
    it(`stores nothing of ${id} when nothing is changed`, async () => {
      const before = await stored(page, id);
      await open(id);
      await done(page);
      const after = await stored(page, id);
      // The editor itself marks a connection without a key as changed.
      after.should.deepEqual(isConnection(id) ? { ...before, changed: after.changed } : before);
    });
  }
});
