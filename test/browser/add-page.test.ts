/** The button *Add the page*: from the dialog of a balance or a webhook node to the page of the house. */
import should from 'should';
import type { Page } from 'playwright-core';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { webhookInDefaults } from '../../nodes/cemm-webhook-in/config';
import { Browser } from '../support/browser/browser';
import { openEditor } from '../support/browser/dialogs';
import { MousePerson } from '../support/first-hour/mouse';
import { NodeRed, tab, type FlowNode } from '../support/node-red/node-red';
import { until } from '../support/until';

const sunnyAfternoon = '2026-06-18T16:40:00+02:00';

interface EditorWindow {
  RED: {
    nodes: { node(id: string): unknown; createCompleteNodeSet(): FlowNode[] };
    editor: { edit(node: unknown): void };
    actions: { invoke(name: string): void };
  };
}

const placed = { z: 'flow', x: 200 };
const balance: FlowNode = {
  ...balanceDefaults,
  ...placed,
  id: 'balance',
  type: 'cemm-balance',
  connection: 'house',
  y: 100,
  wires: [[]],
};
const wired: FlowNode = { ...balance, id: 'wired', y: 300, grid: 'p1', wires: [['debug']] };
const debug: FlowNode = { id: 'debug', type: 'debug', z: 'flow', x: 500, y: 300, wires: [] };
const deliveries: FlowNode = {
  ...webhookInDefaults,
  ...placed,
  id: 'deliveries',
  type: 'cemm-webhook-in',
  y: 500,
  open: true,
  hmac: false,
  wires: [[], []],
};
const house: FlowNode = { ...connectionDefaults, id: 'house', type: 'cemm-connection', mode: 'demo' };

const flowsIn = (page: Page): Promise<FlowNode[]> =>
  page.evaluate(() => (window as unknown as EditorWindow).RED.nodes.createCompleteNodeSet());

/** Presses the button in the dialog of the node. Returns the new nodes. */
async function add(page: Page, id: string, kind = 'page'): Promise<FlowNode[]> {
  const before = new Set((await flowsIn(page)).map((node) => node.id));
  await page.evaluate((nodeId) => {
    const { RED } = window as unknown as EditorWindow;
    RED.editor.edit(RED.nodes.node(nodeId));
  }, id);
  await page.click(`#cemm-add-${kind}`);
  await page.waitForSelector('#node-dialog-ok', { state: 'detached' });
  return (await flowsIn(page)).filter((node) => !before.has(node.id));
}

const typesOf = (nodes: readonly FlowNode[]): string[] => nodes.map(({ type }) => type).sort();

function oneOf(nodes: readonly FlowNode[], type: string): FlowNode {
  const found = nodes.find((node) => node.type === type);
  if (found === undefined) throw new Error(`no ${type}`);
  return found;
}

const dashboardNodes = ['group', 'ui-base', 'ui-group', 'ui-page', 'ui-template', 'ui-theme'];

interface Box {
  readonly id: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Places of the nodes of a flow, as they are drawn. */
const boxesIn = (page: Page): Promise<Box[]> =>
  page.locator('.red-ui-flow-node-group').evaluateAll((nodes) =>
    nodes.map((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return { id: node.id, left, right, top, bottom };
    }),
  );

const isUpon = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** The new nodes of the flow, and these others, are in one group that nothing else touches, and no node lies upon another. */
async function holdGroup(page: Page, added: readonly FlowNode[], others: readonly string[]): Promise<void> {
  const group = oneOf(added, 'group');
  const inFlow = added.filter((node) => node['z'] === group['z'] && node.type !== 'group');
  should(inFlow.length).be.above(3);
  const members = new Set([...inFlow.map(({ id }) => id), ...others]);
  should(new Set(group['nodes'] as string[])).eql(members);
  const boxes = await boxesIn(page);
  for (const box of boxes) should(boxes.filter((other) => other !== box && isUpon(box, other))).eql([]);
  const frame = await page.locator(`[id="${group.id}"]`).evaluate((shown) => {
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    return { id: shown.id, left, right, top, bottom };
  });
  should(
    boxes
      .filter((box) => isUpon(box, frame))
      .map(({ id }) => id)
      .sort(),
  ).eql([...members].sort());
}

describe('the button for the page', function () {
  this.timeout(180_000);
  let nodeRed: NodeRed;
  let browser: Browser;

  afterEach(async () => {
    await browser.close();
    await nodeRed.stop();
  });

  async function start(flows: readonly FlowNode[]): Promise<Page> {
    nodeRed = await NodeRed.start({
      flows: [tab('Flow 1'), ...flows],
      modules: ['@flowfuse/node-red-dashboard'],
      env: { CEMM_TEST_CLOCK: sunnyAfternoon },
    });
    browser = await Browser.open({ width: 1366, height: 900, clock: sunnyAfternoon });
    await openEditor(browser, nodeRed.url);
    return browser.page;
  }

  it('puts the page behind a balance, in a group of its own, and one undo takes it back @node-red-5-daily', async () => {
    const page = await start([house, balance]);
    const before = await flowsIn(page);
    const added = await add(page, 'balance');
    typesOf(added).should.eql(['catch', 'cemm-page', 'comment', ...dashboardNodes]);
    const [node, template, errors] = [oneOf(added, 'cemm-page'), oneOf(added, 'ui-template'), oneOf(added, 'catch')];
    should([node['wires'], template['wires'], errors['wires']]).eql([
      [[template.id], ['balance']],
      [[node.id]],
      [[node.id]],
    ]);
    should(errors['scope']).eql(['balance']);
    should(oneOf(added, 'comment')['name']).equal('The page of the house is at /dashboard/energy.');
    await holdGroup(page, added, ['balance']);
    const source = (await flowsIn(page)).find(({ id }) => id === 'balance');
    should(source).containEql({ period: 'now', interval: 10, pricesType: 'connection', wires: [[node.id]] });
    await browser.picture('add-page-flow');

    const chart = await add(page, 'balance', 'chart');
    typesOf(chart).should.eql(['cemm-format', 'ui-chart', 'ui-group']);
    should(oneOf(chart, 'ui-chart')['group']).not.equal(template['group']);

    const undo = (): Promise<void> =>
      page.evaluate(() => {
        (window as unknown as EditorWindow).RED.actions.invoke('core:undo');
      });
    await undo();
    await undo();
    should(await flowsIn(page)).eql(before);

    await add(page, 'balance');
    const person = new MousePerson(browser);
    await person.deploy(nodeRed);
    await page.goto(`${nodeRed.url}/dashboard/energy`);
    await until('a number', async () => /\d/.test(await page.innerText('.cemm-page')));
    browser.errors.should.be.empty();
    browser.outside.should.be.empty();
  });

  it('keeps the frame of the group below the upper edge of the flow', async () => {
    const page = await start([house, { ...balance, y: 20 }]);
    const before = await flowsIn(page);
    const added = await add(page, 'balance');
    await holdGroup(page, added, ['balance']);
    should(oneOf(added, 'group')['y']).be.aboveOrEqual(10);
    await page.evaluate(() => {
      (window as unknown as EditorWindow).RED.actions.invoke('core:undo');
    });
    should(await flowsIn(page)).eql(before);
  });

  const dashboardOf = async (page: Page): Promise<FlowNode> => oneOf(await flowsIn(page), 'ui-base');

  it('DV1: makes a dashboard whose visitors change nothing for others, and offers that for one that is there', async () => {
    const page = await start([house, balance, wired, debug]);
    const made = oneOf(await add(page, 'balance'), 'ui-base');
    should(made).containEql({ includeClientData: true });
    should(made['acceptsClientConfig']).containEql('ui-template');

    const old = { acceptsClientConfig: ['ui-notification'], includeClientData: false };
    const flows = (await flowsIn(page)).map((node) => (node.id === made.id ? { ...node, ...old } : node));
    await nodeRed.deploy(flows);
    await openEditor({ page }, nodeRed.url);
    const question = page.locator('.red-ui-notification', { hasText: 'for the whole dashboard' });
    const buttons = ['Add the page only', 'Add the page and set it'] as const;
    const results: unknown[] = [];
    for (const button of buttons) {
      const pressed = question.locator('button', { hasText: button }).click();
      const added = await add(page, 'wired');
      await pressed;
      // The next question has the same buttons.
      await question.waitFor({ state: 'detached' });
      await until(
        'the page',
        async () => (await flowsIn(page)).filter(({ type }) => type === 'cemm-page').length === 2,
      );
      should(typesOf(added)).not.containEql('ui-base');
      const { acceptsClientConfig, includeClientData } = await dashboardOf(page);
      results.push({ acceptsClientConfig, includeClientData });
      await page.evaluate(() => {
        (window as unknown as EditorWindow).RED.actions.invoke('core:undo');
      });
      const undone = await dashboardOf(page);
      should(undone).containEql(old);
    }
    should(results).eql([old, { acceptsClientConfig: ['ui-notification', 'ui-template'], includeClientData: true }]);
  });

  it('has its place in a dialog, which another button has where there is none', async () => {
    const page = await start([house, balance, { ...debug, id: 'meter', type: 'cemm-realtime', connection: 'house' }]);
    const places: number[] = [];
    for (const [id, button] of [
      ['balance', '#cemm-add-page'],
      ['meter', '#cemm-add-chart'],
    ] as const) {
      await page.evaluate((nodeId) => {
        const { RED } = window as unknown as EditorWindow;
        RED.editor.edit(RED.nodes.node(nodeId));
      }, id);
      const place = await page.locator(button).evaluate((shown) => {
        const form = shown.closest('.cemm-form');
        return shown.getBoundingClientRect().left - (form?.getBoundingClientRect().left ?? 0);
      });
      places.push(place);
      await page.click('#node-dialog-cancel');
      await page.waitForSelector('#node-dialog-ok', { state: 'detached' });
    }
    should(places[0]).be.above(100);
    should(places[1]).equal(places[0]);
  });

  it('gives a balance that feeds other nodes a second one for the page', async () => {
    const page = await start([house, wired, debug]);
    const added = await add(page, 'wired');
    typesOf(added).should.eql(['catch', 'cemm-balance', 'cemm-page', 'comment', ...dashboardNodes]);
    await holdGroup(page, added, []);
    oneOf(added, 'cemm-balance').should.containEql({ connection: 'house', grid: 'p1', period: 'now', interval: 10 });
    const source = (await flowsIn(page)).find(({ id }) => id === 'wired');
    should(source).containEql({ period: 'day', wires: [['debug']] });
  });

  it('makes a balance of the deliveries, and a connection for time zone, language and prices @node-red-5-daily', async () => {
    const page = await start([deliveries]);
    const added = await add(page, 'deliveries');
    typesOf(added).should.eql(['catch', 'cemm-balance', 'cemm-connection', 'cemm-page', 'comment', ...dashboardNodes]);
    await holdGroup(page, added, []);
    const [sums, node] = [oneOf(added, 'cemm-balance'), oneOf(added, 'cemm-page')];
    sums.should.containEql({ source: 'messages', period: 'now', pricesType: 'connection', wires: [[node.id]] });
    should(sums['connection']).equal(oneOf(added, 'cemm-connection').id);
    const source = (await flowsIn(page)).find(({ id }) => id === 'deliveries');
    should(source?.['wires']).eql([[sums.id], []]);
    const again = await add(page, 'deliveries');
    typesOf(again).should.not.containEql('cemm-connection');
    await new MousePerson(browser).deploy(nodeRed);
    browser.errors.should.be.empty();
  });
});
