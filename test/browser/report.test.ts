/** "Make a report" in the dialog of a connection: the file is shown, and saved as it was shown. */
import should from 'should';
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { readReport } from '../../src/report/read-report';
import { startSimulator } from '../../src/simulator/start-simulator';
import type { Simulator } from '../../src/simulator/simulator';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog, openEditor } from '../support/browser/dialogs';
import { loopbackOnly } from '../support/network/discoverable';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';

const key = 'key-of-the-report-test';

describe('the report of a monitor @node-red-5-daily', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let page: Page;
  let simulator: Simulator;
  let connections: readonly FlowNode[];

  before(async () => {
    simulator = await startSimulator({ localPort: 0, remotePort: 0, apiKey: key, since: weeksAgo(5) });
    const common = { ...connectionDefaults, type: 'cemm-connection' };
    connections = [
      { ...common, id: 'house', mode: 'local', host: simulator.local, allowLoopback: true },
      { ...common, id: 'service', mode: 'remote', baseUrl: simulator.remote },
    ];
    nodeRed = await NodeRed.start({
      flows: [tab(), ...connections],
      credentials: { service: { apiKey: key } },
      nodeOptions: loopbackOnly,
    });
    browser = await Browser.open({ width: 1366, height: 900 });
    page = await openEditor(browser, nodeRed.url);
  });

  after(async () => {
    browser.errors.should.be.empty();
    await browser.close();
    await nodeRed.stop();
    await simulator.close();
  });

  async function make(id: string): Promise<void> {
    const node = connections.find((one) => one.id === id);
    if (node === undefined) throw new Error(id);
    await openDialog(page, node);
    await page.click('summary:has-text("Report of your monitor")');
    await page.click('#cemm-report');
    await page.locator('.cemm-report-save').waitFor({ timeout: 90_000 });
  }

  it('is shown without the MAC address, and saved as it was shown', async () => {
    await make('house');
    should(await page.locator('#cemm-report-status').innerText()).match(/The report is made/);
    const shown = await page.inputValue('.cemm-file');
    const mac = simulator.monitors[0]?.mac ?? '';
    shown.should.not.match(new RegExp(mac.replaceAll(':', '[:-]?'), 'i'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.cemm-report-save')]);
    should(download.suggestedFilename()).equal('cemm-report.json');
    const saved = readFileSync(await download.path(), 'utf8');
    saved.should.equal(shown);
    const report = readReport(saved);
    should(report.withDays).be.false();
    report.exchanges.filter(({ path }) => path.endsWith('/data/day/')).should.be.empty();
  });

  it('has the curves of two days where they are ticked', async () => {
    await page.check('#cemm-report-days');
    await page.click('#cemm-report');
    await page.locator('.cemm-report-save').waitFor({ state: 'hidden' });
    await page.locator('.cemm-report-save').waitFor({ timeout: 90_000 });
    const { exchanges } = readReport(await page.inputValue('.cemm-file'));
    exchanges.filter(({ path }) => path.endsWith('/data/day/')).length.should.be.above(1);
    await cancelDialog(page);
  });

  it('uses the stored key, and does not contain it', async () => {
    await make('service');
    const shown = await page.inputValue('.cemm-file');
    shown.should.not.containEql(key);
    should(readReport(shown).made.filter((made) => 'payload' in made).length).be.above(5);
    await cancelDialog(page);
  });
});
