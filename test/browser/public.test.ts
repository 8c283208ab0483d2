/** The dialogs of a CEMM 3.0: the connection leaves the zone to the monitor, the series offers its meters and channels. */
import should from 'should';
import type { Page } from 'playwright-core';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { seriesDefaults } from '../../nodes/cemm-series/config';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog } from '../support/browser/dialogs';
import { NodeRed, tab } from '../support/node-red/node-red';
import { weeksAgo } from '../support/time/recent';

interface EditorWindow {
  RED: {
    nodes: { node(id: string): Record<string, unknown> };
    editor: { edit(node: unknown): void; editConfig(name: string, type: string, id: string): void };
  };
}

describe('the dialogs of a CEMM 3.0', function () {
  this.timeout(115_000);
  let simulator: Simulator;
  let nodeRed: NodeRed;
  let browser: Browser;
  let page: Page;

  before(async () => {
    simulator = await startSimulator({ localPort: 0, since: weeksAgo(5), faults: ['no-open-api'] });
    const connection = { ...connectionDefaults, type: 'cemm-connection', host: simulator.local };
    const series = { ...seriesDefaults, type: 'cemm-series', z: 'flow', wires: [[]] };
    nodeRed = await NodeRed.start({
      flows: [
        tab(),
        { ...connection, id: 'old' },
        { ...connection, id: 'basic' },
        { ...connection, id: 'today', mode: 'public', timezone: '' },
        { ...series, id: 'series', connection: 'today' },
        { ...series, id: 'readings', type: 'cemm-totals', connection: 'basic', date: '', dateType: 'previous' },
        { ...series, id: 'now', type: 'cemm-realtime', connection: 'today' },
      ],
    });
    browser = await Browser.open();
    ({ page } = browser);
    await page.goto(nodeRed.url, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-series"]', { state: 'attached' });
    await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
  });

  after(async () => {
    await browser.close();
    await nodeRed.stop();
    await simulator.close();
  });

  async function stored(id: string, properties: readonly string[]): Promise<unknown[]> {
    return page.evaluate(
      ([nodeId, names]) => names.map((name) => (window as unknown as EditorWindow).RED.nodes.node(nodeId)[name]),
      [id, properties] as const,
    );
  }

  async function done(button: string): Promise<void> {
    await page.click(button);
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
  }

  it('leave the time zone to the monitor, and say on which generation the check ended', async () => {
    await page.evaluate(() => {
      (window as unknown as EditorWindow).RED.editor.editConfig('', 'cemm-connection', 'old');
    });
    await page.waitForSelector('#cemm-check');
    await page.click('#cemm-check');
    const failed = page.locator('.cemm-step-failed');
    await failed.waitFor({ timeout: 30_000 });
    should(await failed.textContent()).match(/my own network, CEMM 3\.0 \(public API\)/);

    await page.selectOption('#node-config-input-mode', 'public');
    should(await page.inputValue('#node-config-input-timezone')).equal('');
    await page.selectOption('#node-config-input-mode', 'local');
    should(await page.inputValue('#node-config-input-timezone')).equal('Europe/Amsterdam');
    await page.selectOption('#node-config-input-mode', 'public');
    await page.click('#cemm-check');
    const monitor = page.locator('.cemm-step-ok', { hasText: 'public API (CEMM 3.0)' });
    await monitor.waitFor({ timeout: 30_000 });
    await browser.picture('public-connection', '.red-ui-tray');
    await done('#node-config-dialog-ok');
    should(await stored('old', ['mode', 'timezone', 'host'])).eql(['public', '', simulator.local]);
  });

  it('offer meters and then the channels of the chosen one', async () => {
    await page.evaluate(() => {
      const { RED } = window as unknown as EditorWindow;
      RED.editor.edit(RED.nodes.node('series'));
    });
    const meters = page.locator('#cemm-picks-meter .cemm-pick');
    await meters.nth(3).waitFor({ timeout: 30_000 });
    should(await page.isVisible('#node-input-span')).be.false();
    should(await page.isVisible('#cemm-picks-alias')).be.false();
    should(await meters.allTextContents()).match([/^smartmeter-dsmr/, /zon.*Zonnepanelen/, /garage/, /water/]);
    await meters.nth(1).click();
    const channels = page.locator('#cemm-picks-channel .cemm-pick');
    should(await channels.count()).equal(4);
    await channels.filter({ hasText: 'electric_energy_export' }).click();
    await browser.picture('public-series', '.red-ui-tray');
    await done('#node-dialog-ok');
    should(await stored('series', ['meter', 'channel', 'count', 'valid'])).eql([
      'zon',
      'electric_energy_export',
      7,
      true,
    ]);
    browser.errors.should.be.empty();
  });

  it('say which node to use instead of one that a CEMM 3.0 cannot serve', async () => {
    for (const [id, other] of [
      ['now', 'webhook in'],
      ['readings', 'series'],
    ] as const) {
      await openDialog(page, { id, type: 'cemm-realtime' });
      await page.selectOption('#node-input-connection', 'today');
      await page.locator('#node-input-connection-problem', { hasText: `the node “${other}”` }).waitFor();
      should(await page.isVisible('#node-input-alias-shown')).be.false();
      should(await page.isVisible('#node-input-interval')).be.false();
      await page.selectOption('#node-input-connection', 'basic');
      await page.locator('#node-input-connection-problem').waitFor({ state: 'detached' });
      should(await page.isVisible('#node-input-alias-shown')).be.true();
      await cancelDialog(page);
    }
  });

  it('say that a monitor keeps no meter readings of yesterday', async () => {
    await openDialog(page, { id: 'readings', type: 'cemm-totals' });
    await page.locator('#node-input-date-problem', { hasText: 'of today only' }).waitFor();
    await page.evaluate(() => {
      const { $ } = window as unknown as { $: (selector: string) => { typedInput(what: string, value: string): void } };
      $('#node-input-date').typedInput('type', 'str');
    });
    const date = page.locator('#node-input-date-shown');
    await date.fill('20-11-2026');
    await date.press('Tab');
    await page.locator('#node-input-date-problem', { hasText: '2026-11-20' }).waitFor();
    await cancelDialog(page);
  });
});
