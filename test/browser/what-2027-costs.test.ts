/** The example page about the end of netting: its content on three devices, in light and dark, and after it was closed. */
import should from 'should';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { BalancePayload } from '../../src/model/payload';
import { Browser } from '../support/browser/browser';
import { devices, findings } from '../support/browser/page-checks';
import { putScreensTogether } from '../support/browser/screens';
import { projectDir } from '../support/node-red/installed-package';
import { collector, NodeRed, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const example = JSON.parse(readFileSync(join(projectDir, 'examples/what-2027-costs.json'), 'utf8')) as FlowNode[];
const now = '2026-06-18T13:00:00+02:00';

describe('the page of what-2027-costs @node-red-5', function () {
  this.timeout(300_000);
  let nodeRed: NodeRed;
  let days: BalancePayload[];

  before(async () => {
    const flows = example.map((node) =>
      node.id === 'cemm-2027-days' ? { ...node, wires: [['cemm-2027-keep', 'days']] } : node,
    );
    nodeRed = await NodeRed.start({
      flows: [...flows, ...collector('days', 'cemm-2027')],
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: now },
    });
    days = (await nodeRed.waitForMessages('days', 365, 240_000)).map(({ payload }) => payload as BalancePayload);
  });

  after(() => nodeRed.stop());

  async function open(): Promise<Browser> {
    const browser = await Browser.open({ ...devices.desktop, clock: now });
    await browser.page.goto(`${nodeRed.url}/dashboard/2027`, { waitUntil: 'domcontentloaded' });
    return browser;
  }

  async function card(page: Page, name: string): Promise<string> {
    const shown = page.locator('.bill dl > div', { has: page.getByText(name, { exact: true }) });
    return (await shown.locator('strong').innerText()).trim();
  }

  function sum(field: string): number {
    return days.reduce((total, { values }) => total + Number(values[field]), 0);
  }

  function euros(amount: number): string {
    return new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' }).format(amount);
  }

  it('shows the bills of the payloads, by prices with a comma, also after it was closed', async () => {
    const browser = await open();
    const { page } = browser;
    try {
      const [taken, given] = [sum('energy_import_kwh'), sum('energy_export_kwh')];
      const without = euros(taken * 0.25 - given * 0.05 + 365 * 0.3);
      await until('the bill', async () => (await card(page, 'Bill without netting (2027)')) === without);
      const own = sum('energy_self_consumed_kwh') / sum('energy_production_kwh');
      (await card(page, 'Own production used at home')).should.equal(`${Math.floor(own * 100)}%`);
      const peak = Math.max(...days.map((day) => day.peak?.power_w ?? 0)) / 1000;
      (await card(page, 'Highest quarter of an hour')).should.equal(`${Number(peak.toFixed(2))} kW`);
      await page.getByLabel('You pay for a kWh, €').fill('0,4');
      await page.getByLabel('You get for a kWh, €').fill('0.1');
      const dearer = euros(taken * 0.4 - given * 0.1 + 365 * 0.3);
      await until('the new bill', async () => (await card(page, 'Bill without netting (2027)')) === dearer);
      const net = taken - given;
      const netted = euros(net * (net > 0 ? 0.4 : 0.1) + 365 * 0.3);
      (await card(page, 'Bill with netting (until 2026)')).should.equal(netted);
      browser.errors.should.be.empty();
      browser.outside.should.be.empty();
    } finally {
      await browser.close();
    }
    const again = await open();
    try {
      await until(
        'the prices',
        async () => (await again.page.getByLabel('You pay for a kWh, €').inputValue()) === '0,4',
      );
      const before = (await nodeRed.messages('days')).length;
      before.should.equal(365, 'a day was asked for twice');
    } finally {
      await again.close();
    }
  });

  it('says what a price is below a field that has none', async () => {
    const browser = await open();
    const { page } = browser;
    try {
      const field = page.getByLabel('Fixed costs per day, €');
      await field.fill('much');
      await page.getByText('Enter a number from 0 to 50, such as 0.25.').waitFor();
      should(await field.getAttribute('aria-invalid')).equal('true');
      (await card(page, 'Difference')).should.equal('–');
      (await page.locator('.bill').innerText()).should.not.match(/NaN|undefined|null/);
      await field.fill('0,3');
      await until('a number', async () => (await card(page, 'Difference')) !== '–');
    } finally {
      await browser.close();
    }
  });

  it('fits on a desktop, a tablet and a phone, and can be read by everybody, in light and dark', async () => {
    const browser = await open();
    const { page } = browser;
    try {
      await page.locator('.bill').waitFor();
      await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
      for (const [device, size] of Object.entries(devices)) {
        await page.setViewportSize(size);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          (await findings(page, '.bill')).should.eql([], `${device}, ${colorScheme}`);
          const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
          beyond.should.be.belowOrEqual(0, device);
          await browser.picture(`what-2027-costs-${device}-${colorScheme}`);
        }
      }
      await putScreensTogether('what-2027-costs');
    } finally {
      await browser.close();
    }
  });
});
