/** The meters of the house in the dialog of a connection: found, named and given a role, also by the keyboard and in Dutch. */
import should from 'should';
import type { Locator, Page } from 'playwright-core';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import type { BalancePayload } from '../../src/model/payload';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser/browser';
import { cancelDialog, openDialog, openEditor } from '../support/browser/dialogs';
import { loopbackOnly } from '../support/network/discoverable';
import { until } from '../support/until';
import { weeksAgo } from '../support/time/recent';
import { collector, NodeRed, tab, type FlowNode } from '../support/node-red/node-red';

const type = 'cemm-connection';
const many = Array.from({ length: 40 }, (_, row) => ({ meter: `mb${row + 1}`, name: `Device number ${row + 1}` }));

/** A balance of this moment that asks this connection, and a collector of its messages. */
function balanceWithMessages(connection: string): FlowNode[] {
  const messages = `${connection}-messages`;
  const balance = { ...balanceDefaults, id: `${connection}-balance`, type: 'cemm-balance', z: 'flow', x: 200, y: 200 };
  return [{ ...balance, connection, period: 'now', interval: 10, wires: [[messages]] }, ...collector(messages)];
}

/** The row of a meter: its alias is the value of a text field. */
async function rowWith(page: Page, meter: string): Promise<Locator> {
  const rows = page.locator('.cemm-meter-row');
  return until(`the row of ${meter}`, async () => {
    const fields = await rows.locator('.cemm-meter').all();
    const meters = await Promise.all(fields.map((field) => field.inputValue()));
    return meters.includes(meter) && rows.nth(meters.indexOf(meter));
  });
}

/** Presses Tab until an element has the focus, in the row of a meter if there is one. */
async function tabTo(page: Page, selector: string, meter: string | null = null): Promise<void> {
  await until(`the focus on ${selector}`, async () => {
    await page.keyboard.press('Tab');
    return page.evaluate(
      ([wanted, alias]) => {
        const { activeElement } = document;
        const field = activeElement?.closest('.cemm-meter-row')?.querySelector<HTMLInputElement>('.cemm-meter');
        return activeElement?.matches(wanted) === true && (alias === null || field?.value === alias);
      },
      [selector, meter] as const,
    );
  });
}

describe('the meters of the house in the editor @node-red-5-daily', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser;
  let simulator: Simulator;
  let withDevices: Simulator;

  before(async () => {
    simulator = await startSimulator({ localPort: 0, house: 'battery-measured', since: weeksAgo(5) });
    withDevices = await startSimulator({ localPort: 0, house: 'devices', since: weeksAgo(5) });
    const node = { ...connectionDefaults, type, host: simulator.local ?? '' };
    const nodes: FlowNode[] = [
      { ...node, id: 'empty' },
      { ...node, id: 'english', host: withDevices.local ?? '' },
      { ...node, id: 'dutch', host: withDevices.local ?? '' },
      { ...node, id: 'one', meters: many.slice(0, 1) },
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
      ...balanceWithMessages('english'),
      ...balanceWithMessages('dutch'),
    ];
    nodeRed = await NodeRed.start({ flows: [tab(), ...nodes], nodeOptions: loopbackOnly });
  });

  afterEach(async () => {
    browser.errors.should.be.empty();
    await browser.close();
  });

  after(async () => {
    await nodeRed.stop();
    await simulator.close();
    await withDevices.close();
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
    await openDialog(page, { id: 'empty', type });
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
    should(await rowsOf(page, 'empty')).deepEqual([
      { meter: 'mb6', name: 'Powerwall', role: 'battery' },
      { meter: 's01', name: 'Roof' },
    ]);
  });

  it('works by the keyboard, in Dutch, and says what is wrong with a row', async () => {
    const page = await open({ language: 'nl' });
    await openDialog(page, { id: 'empty', type });
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
    should(await rowsOf(page, 'empty')).deepEqual([{ meter: '-mb2', name: 'Warmtepomp', role: 'consumption' }]);
  });

  it('names two devices of the message of a balance in six actions from an empty dialog, and a deploy', async () => {
    const page = await open();
    await openDialog(page, { id: 'english', type });
    const row = (meter: string): Promise<Locator> => rowWith(page, meter);
    const actions: readonly (() => Promise<unknown>)[] = [
      () => page.click('#cemm-meters-find'),
      async () => (await row('mb2')).locator('.cemm-meter-name').fill('Heat pump'),
      async () => (await row('mb2')).locator('.cemm-meter-role').selectOption('consumption'),
      async () => (await row('mb3')).locator('.cemm-meter-name').fill('Car'),
      async () => (await row('mb3')).locator('.cemm-meter-role').selectOption('consumption'),
      () => page.click('#node-config-dialog-ok'),
    ];
    for (const act of actions) await act();
    actions.length.should.be.belowOrEqual(6);
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    await page.click('#red-ui-header-button-deploy');
    await expectDevices('english', ['Heat pump', 'Car']);
  });

  it('names two devices of the message of a balance by the keyboard alone, in Dutch', async () => {
    const page = await open({ language: 'nl' });
    await openDialog(page, { id: 'dutch', type });
    const { keyboard } = page;
    await tabTo(page, '#cemm-meters-find');
    await keyboard.press('Enter');
    for (const [meter, name] of [
      ['mb2', 'Warmtepomp'],
      ['mb3', 'Auto'],
    ] as const) {
      await tabTo(page, '.cemm-meter-name', meter);
      await keyboard.type(name);
      await keyboard.press('Tab');
      await keyboard.type('verbruik');
    }
    await keyboard.press('Tab');
    await keyboard.press('Control+Enter');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    await keyboard.press('Control+d');
    await expectDevices('dutch', ['Warmtepomp', 'Auto']);
  });

  async function expectDevices(id: string, names: readonly string[]): Promise<void> {
    await until(`a message with ${names.join(' and ')}`, async () => {
      const { devices = [] } = ((await nodeRed.messages(`${id}-messages`)).at(-1)?.payload ??
        {}) as Partial<BalancePayload>;
      return JSON.stringify(devices.map(({ name }) => name)) === JSON.stringify(names);
    });
  }

  for (const [id, count] of Object.entries({ one: 1, twelve: 12, forty: 40 })) {
    for (const language of ['en-US', 'de', 'fr', 'nl']) {
      it(`shows a table of ${count} inside the dialog (${language}), and leaves it as it is`, async () => {
        const page = await open({ language });
        await openDialog(page, { id, type });
        await fits(page);
        should(await page.locator('.cemm-meter-row').count()).equal(count);
        await page.click('#node-config-dialog-ok');
        await page.waitForSelector('.red-ui-tray', { state: 'detached' });
        should(await rowsOf(page, id)).deepEqual(many.slice(0, count));
      });
    }
  }

  it('names the last of 40 meters by the keyboard alone, in Dutch', async () => {
    const page = await open({ language: 'nl' });
    await openDialog(page, { id: 'forty', type });
    await tabTo(page, '.cemm-meter-name', 'mb40');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Zolder');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.red-ui-tray', { state: 'detached' });
    should(await rowsOf(page, 'forty')).deepEqual([...many.slice(0, 39), { meter: 'mb40', name: 'Zolder' }]);
  });

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

  it('warns of a Modbus meter that cannot be read over the internet', async () => {
    const page = await open({ language: 'nl' });
    await openDialog(page, { id: 'one', type });
    should(await page.textContent('#cemm-meters-mode')).equal('');
    await page.selectOption('#node-config-input-mode', 'remote');
    await page.locator('#cemm-meters-mode', { hasText: 'Via internet is mb1 niet te lezen' }).waitFor();
    await page.locator('.cemm-meter-role').selectOption('none');
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
