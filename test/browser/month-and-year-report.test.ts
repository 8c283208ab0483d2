/**
 * The example page of months and years, below its own path: its content, its CSV, and its look on three devices, light and
 * dark.
 */
import should from 'should';
import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BalancePayload } from '../../src/model/payload';
import { Browser } from '../support/browser/browser';
import { projectDir } from '../support/node-red/installed-package';
import { collector, NodeRed, type FlowNode } from '../support/node-red/node-red';
import { devices, findings } from '../support/browser/page-checks';
import { putScreensTogether } from '../support/browser/screens';

const example = JSON.parse(readFileSync(join(projectDir, 'examples/month-and-year-report.json'), 'utf8')) as FlowNode[];
const now = '2026-03-18T13:00:00+01:00';

describe('the page of month-and-year-report @node-red-5', function () {
  this.timeout(300_000);
  let nodeRed: NodeRed;
  let months: Map<string, BalancePayload>;
  let browser: Browser;

  before(async () => {
    const flows = example.map((node) =>
      node.id === 'cemm-report-balance' ? { ...node, wires: [['cemm-report-keep', 'months']] } : node,
    );
    nodeRed = await NodeRed.start({
      flows: [...flows, ...collector('months', 'cemm-report')],
      modules: ['@flowfuse/node-red-dashboard'],
      settings: "httpAdminRoot: '/admin', httpNodeRoot: '/house',",
      adminRoot: '/admin',
      env: { CEMM_TEST_CLOCK: now },
    });
    const messages = await nodeRed.waitForMessages('months', 15, 240_000);
    months = new Map(
      messages.map(({ payload }) => [(payload as BalancePayload).period?.label ?? '', payload as BalancePayload]),
    );
  });

  after(() => nodeRed.stop());

  beforeEach(async () => {
    browser = await Browser.open({ ...devices.desktop, clock: now });
    await browser.page.goto(`${nodeRed.url}/house/dashboard/report`, { waitUntil: 'domcontentloaded' });
    await browser.page.locator('.report tfoot').first().waitFor();
  });

  afterEach(() => browser.close());

  async function rowsOf(table: number): Promise<string[][]> {
    const rows = browser.page.locator('.report table').nth(table).locator('tbody tr, tfoot tr');
    return rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent.trim())));
  }

  function shown(value: number | null | undefined): string {
    const number = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    return typeof value === 'number' ? number.format(value) : '–';
  }

  it('shows the amounts of the payloads, this year beside the last one, and sums of what is over in both', async () => {
    const { page } = browser;
    for (const [button, field] of [
      ['Import', 'energy_import_kwh'],
      ['Export', 'energy_export_kwh'],
      ['Self-consumed', 'energy_self_consumed_kwh'],
      ['Cost', 'cost'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click();
      const of = (label: string): number | null | undefined => {
        const payload = months.get(label);
        return field === 'cost' ? payload?.cost?.total : payload?.values[field];
      };
      const byMonth = await rowsOf(1);
      byMonth
        .slice(0, 12)
        .map((row) => row.slice(1, 3))
        .should.eql(
          Array.from({ length: 12 }, (_, month) =>
            ['2026', '2025'].map((year) => shown(of(`${year}-${String(month + 1).padStart(2, '0')}`))),
          ),
        );
      // Half a month would always be less than a whole one.
      byMonth
        .slice(0, 4)
        .map((row) => row[3] === '–')
        .should.eql([false, false, true, true]);
      const sum = (year: string) => Number(of(`${year}-01`)) + Number(of(`${year}-02`));
      should(byMonth[12]).eql(['Sum', shown(sum('2026')), shown(sum('2025')), shown(sum('2026') - sum('2025'))]);
      const day = (label: string, index: number) => months.get(label)?.points?.[index]?.[field];
      const byDay = await rowsOf(0);
      byDay
        .slice(0, 31)
        .map((row) => row.slice(1, 3))
        .should.eql(
          Array.from({ length: 31 }, (_, index) => ['2026-03', '2025-03'].map((label) => shown(day(label, index)))),
        );
      byDay
        .slice(16, 19)
        .map((row) => row[3] === '–')
        .should.eql([false, true, true]);
      // One bar of each year for a month, and none for the future.
      const heights = await page
        .locator('.report svg')
        .nth(1)
        .locator('rect.now')
        .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
      heights.map((height) => height > 0).should.eql(Array.from({ length: 12 }, (_, month) => month < 3));
    }
    // Dashboard 2 requests its icon at the root, whatever httpNodeRoot is.
    browser.errors.filter((error) => !/favicon|Failed to load resource/.test(error)).should.be.empty();
    browser.outside.should.be.empty();
  });

  it('shows the meter readings with names and units', async () => {
    const rows = await rowsOf(2);
    const end = months.get('2026-03')?.counters['gas_m3']?.end?.[1] ?? NaN;
    const number = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(end);
    const gas = rows.find(([name]) => name?.startsWith('Gas'));
    should(gas?.[1]).equal(`${number} m³`);
    const names = [
      'Import, tariff 1',
      'Import, tariff 2',
      'Export, tariff 1',
      'Export, tariff 2',
      'Production',
      'Water',
    ];
    for (const name of names) rows.some(([shownName]) => shownName?.startsWith(name)).should.be.true(name);
  });

  it('gives a CSV by a relative address, which is right below any path', async () => {
    const link = browser.page.getByRole('link', { name: 'CSV (1,5)' }).nth(1);
    const address = String(await link.getAttribute('href'));
    new URL(address, 'https://example.net/prefix/house/dashboard/report').pathname.should.equal(
      '/prefix/house/cemm-report.csv',
    );
    const [download] = await Promise.all([browser.page.waitForEvent('download'), link.click()]);
    download.suggestedFilename().should.equal('cemm-report.csv');
    const text = await readFile(await download.path(), 'utf8');
    const january = months.get('2026-01')?.values['energy_import_kwh'];
    const comma = String(Math.round(Number(january) * 1000) / 1000).replace('.', ',');
    text.should.startWith('\ufeffdate;import_kwh;').and.containEql(`\r\n2026-01;${comma};`);
  });

  it('fits on a desktop, a tablet and a phone, and can be read by everybody, in light and dark', async () => {
    const { page } = browser;
    await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
    for (const [device, size] of Object.entries(devices)) {
      await page.setViewportSize(size);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        (await findings(page, '.report')).should.eql([], `${device}, ${colorScheme}`);
        const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        beyond.should.be.belowOrEqual(0, device);
        await browser.picture(`month-and-year-report-${device}-${colorScheme}`);
      }
    }
    await putScreensTogether('month-and-year-report');
  });
});
