/** The meters of the house in the dialog of a connection: found, named and given a role, also by the keyboard and in Dutch. */
import should from 'should';
import type { Page } from 'playwright-core';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog, openEditor } from '../support/browser/dialogs';
import { loopbackOnly } from '../support/network/discoverable';
import { until } from '../support/until';
import { weeksAgo } from '../support/time/recent';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';

const type = 'cemm-connection';
const many = Array.from({ length: 40 }, (_, row) => ({ meter: `mb${row + 1}`, name: `Device number ${row + 1}` }));

describe('the meters of the house in the editor @node-red-5-daily', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let end: () => Promise<void>;

  before(async () => {
    const simulator = await startSimulator({ localPort: 0, house: 'battery-measured', since: weeksAgo(5) });
    end = () => simulator.close();
    const node = { ...connectionDefaults, type, host: simulator.local ?? '' };
    const nodes: FlowNode[] = [
      { ...node, id: 'one' },
      { ...node, id: 'twelve', meters: many.slice(0, 12) },
      { ...node, id: 'forty', meters: many },
      { ...node, id: 'inputs', meters: [{ meter: 's02', name: 'Barn' }] },
      {
        ...balanceDefaults,
        id: 'balance',
        type: 'cemm-balance',
        z: 'flow',
        x: 200,
        y: 100,
        connection: 'forty',
        wires: [[]],
      },
    ];
    nodeRed = await NodeRed.start({ flows: [tab(), ...nodes], nodeOptions: loopbackOnly });
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
    await end();
  });

  async function open(options: Parameters<typeof Browser.open>[0] = {}): Promise<Page> {
    browser = await Browser.open({ width: 1366, height: 768, ...options });
    await openEditor(browser, nodeRed.url);
    return browser.page;
  }

  const rowsOf = (page: Page, id: string): Promise<unknown> =>
    page.evaluate((node) => {
      const { RED } = window as unknown as { RED: { nodes: { node(id: string): { meters?: unknown } } } };
      return RED.nodes.node(node).meters;
    }, id);

  async function fits(page: Page): Promise<void> {
    const [inner, outer] = await page.evaluate(() => {
      const list = document.querySelector('.cemm-meters .red-ui-editableList-container');
      return [list?.scrollWidth ?? 0, list?.clientWidth ?? 0];
    });
    should(inner).be.belowOrEqual(outer, 'nothing is cut at the side');
  }

  it('names two meters in six actions, with a suggestion and its reason', async () => {
    const page = await open();
    await openDialog(page, { id: 'one', type });
    await page.click('#cemm-meters-find');
    await page.locator('#cemm-meters-status', { hasText: 'Meters found: 5.' }).waitFor();
    const battery = page.locator('.cemm-meter-row', { has: page.locator('input.cemm-meter') }).first();
    (await battery.locator('.cemm-meter').inputValue()).should.equal('mb6');
    ((await battery.locator('.cemm-meter-facts').textContent()) ?? '').should.match(/ W$/);
    await battery.locator('.cemm-meter-name').fill('Powerwall');
    await battery.getByRole('button', { name: 'counts both directions: battery?' }).click();
    (await battery.locator('.cemm-meter-role').inputValue()).should.equal('battery');
    const roof = page.locator('.cemm-meter-row').nth(3);
    await roof.locator('.cemm-meter-name').fill('Roof');
    await fits(page);
    await browser.picture('house-meters', '.red-ui-tray:last-of-type');
    await page.click('#node-config-dialog-ok');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    should(await rowsOf(page, 'one')).deepEqual([
      { meter: 'mb6', name: 'Powerwall', role: 'battery' },
      { meter: 's01', name: 'Roof' },
    ]);
  });

  it('works by the keyboard, in Dutch, and says what is wrong with a row', async () => {
    const page = await open({ language: 'nl' });
    await openDialog(page, { id: 'one', type });
    await page.locator('.cemm-meters .red-ui-editableList-addButton').focus();
    await page.keyboard.press('Enter');
    await until('the new row has the focus', () =>
      page.evaluate(() => document.activeElement?.classList.contains('cemm-meter') === true),
    );
    await page.keyboard.type('-mb2');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Warmtepomp');
    await page.keyboard.press('Tab');
    await page.locator('#cemm-meters-problem', { hasText: 'Rij 1 (-mb2)' }).waitFor();
    await page.keyboard.type('verbruik');
    await page.keyboard.press('Tab');
    await until('no problem is left', async () => (await page.textContent('#cemm-meters-problem')) === '');
    await fits(page);
    await page.click('#node-config-dialog-ok');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    should(await rowsOf(page, 'one')).deepEqual([{ meter: '-mb2', name: 'Warmtepomp', role: 'consumption' }]);
  });

  for (const id of ['twelve', 'forty']) {
    for (const language of ['en-US', 'de', 'fr', 'nl']) {
      it(`shows ${id} meters inside the dialog (${language}), and leaves them as they are`, async () => {
        const page = await open({ language });
        await openDialog(page, { id, type });
        await fits(page);
        const count = await page.locator('.cemm-meter-row').count();
        count.should.equal(id === 'forty' ? 40 : 12);
        await page.click('#node-config-dialog-ok');
        await page.waitForSelector('.red-ui-tray', { state: 'detached' });
        should(await rowsOf(page, id)).deepEqual(many.slice(0, count));
      });
    }
  }

  it('opens at the row that a link names', async () => {
    browser = await Browser.open({ width: 1366, height: 768 });
    const { page } = browser;
    await page.goto(`${nodeRed.url}/#cemm-connection/forty/mb33`, { waitUntil: 'domcontentloaded' });
    await until('the row of mb33 has the focus', () =>
      page.evaluate(() => {
        const { activeElement } = document;
        const value = activeElement instanceof HTMLInputElement ? activeElement.value : '';
        return activeElement?.classList.contains('cemm-meter-name') === true && value === 'Device number 33';
      }),
    );
    await cancelDialog(page);
  });

  it('warns of s02 and s03 when the kind of connection changes', async () => {
    const page = await open();
    await openDialog(page, { id: 'inputs', type });
    should(await page.textContent('#cemm-meters-mode')).equal('');
    await page.selectOption('#node-config-input-mode', 'remote');
    await page.locator('#cemm-meters-mode', { hasText: 's02 and s03 are other inputs' }).waitFor();
    await page.selectOption('#node-config-input-mode', 'local');
    await until('no warning is left', async () => (await page.textContent('#cemm-meters-mode')) === '');
    await cancelDialog(page);
  });

  it('are where a balance node says its meters come from, with its lists folded away', async () => {
    const page = await open();
    await openDialog(page, { id: 'balance', type: 'cemm-balance' });
    await page.locator('#cemm-balance-automatic', { hasText: 'from the connection’s meters of the house' }).waitFor();
    should(await page.locator('#cemm-balance-meters').getAttribute('open')).be.null();
    await cancelDialog(page);
  });
});
