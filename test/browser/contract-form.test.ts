/**
 * The contracts of a house in the dialog of a connection, in four languages: a fixed one of 2027 with feed-in costs, Flanders with its
 * capacity tariff, and a dynamic one, whose list is shown as a chart. Actions are counted: a click, a choice or a field filled in.
 */
import { readFile } from 'node:fs/promises';
import { DateTime } from 'luxon';
import type { Page } from 'playwright-core';
import should from 'should';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog, openEditor } from '../support/browser/dialogs';
import { findings } from '../support/browser/page-checks';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const type = 'cemm-connection';
const languages = { 'en-US': 'No price', nl: 'Geen prijs', de: 'Kein Preis', fr: 'Sans prix' } as const;
const connection = { ...connectionDefaults, type, mode: 'demo' };
/** Node-RED 4.1 has no dark theme. */
const themes = process.env['CEMM_NODE_RED'] === undefined ? ['light'] : ['light', 'dark'];

/** Today and tomorrow by the hour, without two hours of today, and with a price below 0. */
function hourlyList(): object[] {
  const midnight = DateTime.now().setZone('Europe/Amsterdam').startOf('day');
  const count = midnight.plus({ days: 2 }).diff(midnight, 'hours').hours;
  return Array.from({ length: count }, (_, hour) => ({
    start: midnight.plus({ hours: hour }).toMillis(),
    value: hour % 24 === 13 ? -0.14 : Number((0.2 + Math.sin(hour / 3) / 10).toFixed(4)),
  })).filter((_, hour) => hour !== 5 && hour !== 6);
}

const dynamic = { currency: 'EUR', import: { list: hourlyList(), times: 1.21, plus: 0.13 }, export: 0.05 };

/** A flow that puts the list into the global context, and connections. */
const nodes: FlowNode[] = [
  {
    id: 'start',
    type: 'inject',
    z: 'flow',
    x: 100,
    y: 80,
    props: [],
    once: true,
    onceDelay: 0,
    repeat: '',
    wires: [['set']],
  },
  {
    id: 'set',
    type: 'change',
    z: 'flow',
    x: 300,
    y: 80,
    wires: [[]],
    rules: [{ t: 'set', p: 'listedPrices', pt: 'global', to: JSON.stringify(dynamic), tot: 'json' }],
  },
  { ...connection, id: 'listed', prices: 'listedPrices', pricesType: 'global' },
  {
    ...connection,
    id: 'wrong',
    prices: '{"currency":"EUR","import":[{"start":"noon","value":1}]}',
    pricesType: 'json',
  },
  { ...connection, id: 'empty', prices: 'nowhere', pricesType: 'global' },
  {
    ...connection,
    id: 'dynamic',
    contracts: [{ name: 'Dynamisch', from: '2026-01-01', prices: 'listedPrices', pricesType: 'global' }],
  },
  { ...connection, id: 'plain' },
  {
    ...connection,
    id: 'nameless',
    contracts: [
      {
        name: 'Vast',
        from: '2026-01-01',
        until: '2026-12-31',
        prices: { currency: 'EUR', import: { t1: 0.2, t2: 0.3 } },
      },
      { name: '', prices: { currency: 'EUR', import: 0.3 } },
    ],
  },
  { ...connection, id: 'unpriced', contracts: [{ name: 'Vast', prices: { currency: 'EUR', import: 'x' } }] },
];

describe('the contracts of a house in the editor @node-red-5-daily', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  before(async () => {
    nodeRed = await NodeRed.start({ flows: [tab(), ...nodes] });
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
  });

  after(() => nodeRed.stop());

  async function open(language: string, id: string): Promise<Page> {
    browser = await Browser.open({ width: 1366, height: 900, language });
    const page = await openEditor(browser, nodeRed.url);
    await openDialog(page, { id, type });
    return page;
  }

  it('say in the words of the form what is wrong, and keep the words of a date beside it', async () => {
    const page = await open('nl', 'nameless');
    const problem = page.locator('#cemm-contracts-problem');
    should(await problem.innerText()).equal('‘contract 2’: een naam heeft 1 tot 40 tekens.');
    const tops = await page.locator('.cemm-contract-date').evaluateAll((dates) =>
      dates.map((date) => {
        const words = date.previousElementSibling?.getBoundingClientRect();
        const { top, bottom } = date.getBoundingClientRect();
        return words !== undefined && words.top >= top && words.bottom <= bottom;
      }),
    );
    should(tops).eql([true, true, true, true]);
    await cancelDialog(page);
    await openDialog(page, { id: 'unpriced', type });
    should(await problem.innerText()).equal('‘Vast’: ‘U betaalt per kWh’ ontbreekt of is geen prijs.');
  });

  it('fit beside the sidebar in the window of a tablet, like the dialogs of Node-RED', async () => {
    const page = await open('de', 'nameless');
    await cancelDialog(page);
    await page.setViewportSize({ width: 820, height: 1180 });
    await openDialog(page, { id: 'nameless', type });
    const isCut = await page.locator('.red-ui-tray-body').evaluate((body) => {
      const wrapper = body.parentElement?.getBoundingClientRect();
      return wrapper === undefined || body.getBoundingClientRect().right > wrapper.right + 1;
    });
    isCut.should.be.false();
    await browser.picture('dialog-connection-tablet');
  });

  async function save(page: Page): Promise<void> {
    await page.click('#node-config-dialog-ok');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
  }

  function stored(page: Page, id: string, property: string): Promise<unknown> {
    return page.evaluate(
      ([node = '', name = '']) => {
        const { RED } = window as unknown as { RED: { nodes: { node(id: string): Record<string, unknown> } } };
        return RED.nodes.node(node)[name];
      },
      [id, property],
    );
  }

  /** Fills in fields of a new contract, and counts the actions. */
  async function addContract(page: Page, count: number, fields: readonly (readonly [field: string, value: string])[]) {
    await page.click('.cemm-contracts .red-ui-editableList-addButton');
    const row = page.locator('.cemm-contract-row').last();
    for (const [field, value] of fields) {
      const place = field.startsWith('.') ? row.locator(field) : page.locator(`#cemm-contract-${count}-price-${field}`);
      if (field === 'peak') await row.locator('details details summary').click();
      if (field.endsWith('-way')) await place.selectOption(value);
      else await place.fill(value);
    }
    return 1 + fields.length + fields.filter(([field]) => field === 'peak').length;
  }

  for (const [language, noPrice] of Object.entries(languages)) {
    it(`take a contract of 2027 with feed-in costs in nine actions, and Flanders in eleven: ${language}`, async () => {
      const page = await open(language, 'plain');
      const fixed = await addContract(page, 1, [
        ['.cemm-contract-name', 'Vast 2027'],
        ['.cemm-contract-date >> nth=0', '2027-01-01'],
        ['.cemm-contract-date >> nth=1', '2027-12-31'],
        ['import', '0,24713'],
        ['export', '0,05434'],
        ['export_fee', '0,05184'],
        ['per_day', '0,24'],
        ['per_year', '-628,96'],
      ]);
      fixed.should.equal(9);
      await browser.picture(`contract-2027-${language}`, '.red-ui-tray');
      const flanders = await addContract(page, 2, [
        ['.cemm-contract-name', 'Vlaanderen'],
        ['import-way', 'tariffs'],
        ['import', '0,31'],
        ['import-2', '0,28'],
        ['export', '0,03'],
        ['per_year', '103,47'],
        ['peak', '53,25'],
        ['peak-2', '2,5'],
        ['gas', '0,07'],
      ]);
      flanders.should.equal(11);
      await browser.picture(`contract-flanders-${language}`, '.red-ui-tray');
      should(await page.locator('.cemm-contract-row .input-error').count()).equal(0);
      await save(page);
      const prices = ((await stored(page, 'plain', 'contracts')) as { prices: string }[]).map((row) => row.prices);
      should(prices.map((json) => JSON.parse(json) as object)).deepEqual([
        { currency: 'EUR', import: 0.24713, export: 0.05434, export_fee: 0.05184, per_day: 0.24, per_year: -628.96 },
        {
          currency: 'EUR',
          import: { t1: 0.31, t2: 0.28 },
          export: 0.03,
          per_year: 103.47,
          gas: 0.07,
          peak: { per_kw_year: 53.25, at_least_kw: 2.5 },
        },
      ]);
    });

    it(`take a dynamic one in eight actions, with the flow that gets its prices: ${language}`, async () => {
      const page = await open(language, 'plain');
      const filled = await addContract(page, 1, [
        ['.cemm-contract-name', 'Dynamisch'],
        ['.cemm-contract-date >> nth=0', '2027-01-01'],
        ['import-way', 'other'],
        ['flow-SURCHARGE', '0,018'],
        ['flow-TAX', '0,1088'],
        ['flow-VAT', '21'],
      ]);
      await browser.picture(`contract-dynamic-${language}`, '.red-ui-tray');
      await page.click('#cemm-contract-1-add-prices');
      (filled + 1).should.equal(8);
      const line = page.locator('.cemm-contract-line');
      await until('the prices of the contract', async () => {
        const [place, name] = [line.locator('select'), line.locator('input').last()];
        return (await place.inputValue()) === 'global' && (await name.inputValue()) === 'housePrices';
      });
      should(await page.locator('.cemm-contract-row .input-error').count()).equal(0);
      await save(page);
      should(await stored(page, 'plain', 'contracts')).deepEqual([
        { name: 'Dynamisch', from: '2027-01-01', prices: 'housePrices', pricesType: 'global' },
      ]);
      const tabs = page.locator('#red-ui-workspace-tabs .red-ui-tab-label');
      (await tabs.allInnerTexts()).should.containEql('CEMM dynamic prices');
    });

    it(`show the list of a dynamic one, with its holes: ${language}`, async () => {
      const page = await open(language, 'dynamic');
      const chart = page.locator('.cemm-contract-row .cemm-price-chart');
      const image = chart.getByRole('img');
      await image.waitFor();
      await browser.picture(`contract-list-${language}`, '.cemm-contract-row');
      const lines = await chart.locator(':scope > div').allInnerTexts();
      lines.should.have.length(4);
      lines.forEach((line) => line.should.not.match(/form\.price|__/));
      should(await image.getAttribute('aria-label')).equal(lines[1]);
      should(lines[3]).startWith(noPrice);
      should(await image.locator('.cemm-price-hole').count()).equal(2);
      should(await image.locator('.cemm-price-bar').count()).be.within(21, 23);
    });
  }

  for (const theme of themes) {
    it(`have names, roles and contrast, with the charts of both lists, in the ${theme} theme`, async () => {
      const page = await open('en-US', 'dynamic');
      await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
      await page.evaluate((dark) => {
        document.documentElement.classList.toggle('nr-theme-dark', dark);
      }, theme === 'dark');
      for (const id of ['dynamic', 'listed']) {
        if (id !== 'dynamic') await openDialog(page, { id, type });
        await page.locator('.cemm-price-chart').getByRole('img').waitFor();
        (await findings(page, '.cemm-form')).should.eql([], `${id}, ${theme}`);
        await browser.picture(`contract-chart-${id}-${theme}`, '.red-ui-tray');
        await save(page);
      }
    });
  }

  it('suggest netting for a contract of the house that ends or runs in 2026, and for no other one', async () => {
    const page = await open('en-US', 'plain');
    const netting = page.getByLabel('Net export until the end of 2026 (Netherlands)');
    await addContract(page, 1, [['.cemm-contract-name', 'Offer']]);
    should(await netting.isVisible()).be.false();
    const [first, last] = [page.locator('.cemm-contract-date').first(), page.locator('.cemm-contract-date').last()];
    for (const [from, to, isSuggested] of [
      ['2026-03-01', '2027-02-28', true],
      ['2026-12-31', '', true],
      ['', '2026-12-31', true],
      ['2025-07-01', '2026-06-30', true],
      ['2025-01-01', '2025-12-31', false],
      ['2027-01-01', '2027-12-31', false],
    ] as const) {
      await first.fill(from);
      await last.fill(to);
      should(await netting.isVisible()).equal(isSuggested, `${from} to ${to}`);
    }
  });

  it('name the place of a wrong list, and say when there is none yet', async () => {
    const page = await open('en-US', 'wrong');
    const chart = page.locator('.cemm-price-chart');
    await chart.filter({ hasText: 'is wrong at “import[0].start”' }).waitFor();
    await save(page);
    await openDialog(page, { id: 'empty', type });
    await chart.filter({ hasText: 'has no list yet' }).waitFor();
    await save(page);
    await openDialog(page, { id: 'plain', type });
    should(await chart.isVisible()).be.false();
  });
});
