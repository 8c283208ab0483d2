/** Every dialog of every node in all four languages: no word cut off, no sentence missing, and a picture of each to look at. */
import 'should';
import type { Page } from 'playwright-core';
import { balanceDefaults } from '../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../nodes/cemm-connection/config';
import { discoveryDefaults, scopes } from '../../nodes/cemm-discovery/config';
import { formatDefaults } from '../../nodes/cemm-format/config';
import { realtimeDefaults } from '../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../nodes/cemm-series/config';
import { totalsDefaults } from '../../nodes/cemm-totals/config';
import { webhookInDefaults } from '../../nodes/cemm-webhook-in/config';
import type { Simulator } from '../../src/simulator/simulator';
import { startSimulator } from '../../src/simulator/start-simulator';
import { Browser } from '../support/browser';
import { loopbackOnly } from '../support/discoverable';
import { NodeRed, tab, type FlowNode } from '../support/node-red';

interface EditorWindow {
  RED: {
    nodes: { node(id: string): unknown };
    editor: { edit(node: unknown): void; editConfig(name: string, type: string, id: string): void };
  };
}

async function openDialog(page: Page, { id, type }: FlowNode): Promise<void> {
  await page.evaluate(
    ([nodeId, nodeType]) => {
      const { RED } = window as unknown as EditorWindow;
      if (nodeType === 'cemm-connection') RED.editor.editConfig('', nodeType, nodeId);
      else RED.editor.edit(RED.nodes.node(nodeId));
    },
    [id, type] as const,
  );
  await page.waitForSelector('#node-config-dialog-ok, #node-dialog-ok');
}

/** Texts of the form that are wider than their place, however they came to be so. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d');
    // A select cuts its choices without saying so; its arrow takes about 30 pixels.
    const choices = [...document.querySelectorAll<HTMLOptionElement>('.cemm-form select option')]
      .filter(({ parentElement }) => parentElement instanceof HTMLSelectElement && parentElement.offsetParent !== null)
      .filter(({ parentElement, text }) => {
        if (pen === null || parentElement === null) return true;
        pen.font = getComputedStyle(parentElement).font;
        return pen.measureText(text).width > parentElement.clientWidth - 30;
      });
    const tray = document.querySelector('.red-ui-tray-body')?.getBoundingClientRect();
    return [
      ...document.querySelectorAll<HTMLElement>('.cemm-form :is(label, span, button, div, p, strong, select, input)'),
    ]
      .filter((part) => part.offsetParent !== null && getComputedStyle(part).display !== 'inline')
      .filter((part) => {
        const { right } = part.getBoundingClientRect();
        const typed = part instanceof HTMLInputElement;
        return (!typed && part.scrollWidth > part.clientWidth + 1) || (tray !== undefined && right > tray.right + 1);
      })
      .concat(choices)
      .map((part) => `${part.id} ${part.className} ${part.textContent.trim()}`);
  });
}

/** A node of each kind, and one for each face that its form has. */
function dialogs(host: string): FlowNode[] {
  const connection = { ...connectionDefaults, type: 'cemm-connection' };
  const placed = { z: 'flow', x: 200, y: 100, wires: [[], []] };
  const asked = { ...placed, connection: 'connection-local', monitor: '001122334455', alias: 'p1' };
  return [
    { ...connection, id: 'connection-local', host },
    { ...connection, id: 'connection-public', mode: 'public', host, timezone: '' },
    { ...connection, id: 'connection-remote', mode: 'remote' },
    { ...connection, id: 'connection-demo', mode: 'demo' },
    ...scopes.map((scope) => ({
      ...discoveryDefaults,
      ...placed,
      id: `discovery-${scope}`,
      type: 'cemm-discovery',
      scope,
      connection: scope === 'network' ? '' : 'connection-local',
    })),
    { ...realtimeDefaults, ...asked, id: 'realtime', type: 'cemm-realtime' },
    { ...seriesDefaults, ...asked, id: 'series-one', type: 'cemm-series' },
    { ...seriesDefaults, ...asked, id: 'series-range', type: 'cemm-series', span: 'range', period: 'month' },
    { ...seriesDefaults, ...asked, id: 'series-new', type: 'cemm-series', span: 'new', interval: 300 },
    { ...seriesDefaults, ...placed, id: 'series-public', type: 'cemm-series', connection: 'connection-public' },
    { ...totalsDefaults, ...asked, id: 'totals', type: 'cemm-totals' },
    { ...webhookInDefaults, ...placed, id: 'webhook', type: 'cemm-webhook-in', header: true, query: true },
    {
      ...webhookInDefaults,
      ...placed,
      id: 'webhook-fleet',
      type: 'cemm-webhook-in',
      path: '/fleet/:installation',
      hmacKeyFrom: 'CEMM_KEY_${installation}',
      hmacKeyFromType: 'env',
    },
    { ...balanceDefaults, ...asked, id: 'balance-day', type: 'cemm-balance' },
    { ...balanceDefaults, ...asked, id: 'balance-now', type: 'cemm-balance', period: 'now', interval: 10 },
    {
      ...balanceDefaults,
      ...asked,
      id: 'balance-month',
      type: 'cemm-balance',
      period: 'month',
      span: 'range',
      grid: 'p1',
      prices: '{"currency":"EUR","import":{"t1":0.24,"t2":0.28},"export":0.05,"gas":1.3,"per_day":1.2}',
      pricesType: 'json',
    },
    { ...balanceDefaults, ...placed, id: 'balance-public', type: 'cemm-balance', connection: 'connection-public' },
    { ...formatDefaults, ...placed, id: 'format', type: 'cemm-format' },
  ];
}

describe('every dialog @node-red-5', function () {
  this.timeout(170_000);
  let simulator: Simulator;
  let nodeRed: NodeRed;
  let nodes: FlowNode[];
  let browser: Browser;

  before(async () => {
    simulator = await startSimulator({ localPort: 0 });
    nodes = dialogs(simulator.local ?? '');
    nodeRed = await NodeRed.start({ flows: [tab(), ...nodes], nodeOptions: loopbackOnly });
  });

  afterEach(() => browser.close());

  after(async () => {
    await nodeRed.stop();
    await simulator.close();
  });

  for (const language of ['en-US', 'nl', 'de', 'fr']) {
    it(`shows every word whole in ${language}`, async () => {
      browser = await Browser.open({ language, height: 1_300 });
      const { page } = browser;
      await page.goto(`${nodeRed.url}/`, { waitUntil: 'domcontentloaded' });
      await page.waitForSelector('.red-ui-palette-node[data-palette-type="cemm-realtime"]', { state: 'attached' });
      await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
      for (const node of nodes) {
        await openDialog(page, node);
        if (node.id === 'connection-local' || node.id === 'connection-public') {
          await page.click('#cemm-check');
          await page.locator('.cemm-step-ok').nth(5).waitFor();
        } else if (node['monitor'] === '001122334455') {
          await page.locator('#cemm-picks-monitor .cemm-away').waitFor();
        }
        // The tray slides in.
        await page.waitForTimeout(400);
        (await cutTexts(page)).should.eql([], `${node.id} in ${language}`);
        const text = await page.locator('.red-ui-tray').innerText();
        text.should.not.match(/\b(field|hint|heading|button|option)\.\w/, `${node.id} in ${language}`);
        await browser.picture(`dialog-${node.id}-${language}`, '.red-ui-tray');
        await page.click('#node-config-dialog-cancel, #node-dialog-cancel');
        await page.waitForSelector('.red-ui-tray', { state: 'detached' });
      }
      browser.errors.should.be.empty();
    });
  }
});
