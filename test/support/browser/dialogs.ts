/** Nodes of each kind, one per variant of its form, and their dialogs. */
import type { Page } from 'playwright-core';
import { balanceDefaults } from '../../../nodes/cemm-balance/config';
import { connectionDefaults } from '../../../nodes/cemm-connection/config';
import { discoveryDefaults, scopes } from '../../../nodes/cemm-discovery/config';
import { formatDefaults } from '../../../nodes/cemm-format/config';
import { realtimeDefaults } from '../../../nodes/cemm-realtime/config';
import { seriesDefaults } from '../../../nodes/cemm-series/config';
import { totalsDefaults } from '../../../nodes/cemm-totals/config';
import { webhookInDefaults } from '../../../nodes/cemm-webhook-in/config';
import type { Browser } from './browser';
import { paletteNode } from '../first-hour/editor';
import type { FlowNode } from '../node-red/node-red';

/** The used part of the editor's API. */
interface EditorWindow {
  RED: {
    nodes: { node(id: string): unknown };
    editor: { edit(node: unknown): void; editConfig(name: string, type: string, id: string): void };
  };
}

const allPrices = JSON.stringify({
  currency: 'EUR',
  import: { t1: 0.24, t2: 0.28 },
  export: 2.5,
  export_fee: 0.03,
  per_day: 1.2,
  per_year: -628.96,
  gas: 1.3,
  water: 1.1,
  peak: { per_kw_year: 53.25, at_least_kw: 2.5 },
});
const listedPrices = JSON.stringify({
  currency: 'EUR',
  import: [{ start: '2026-06-15', value: 0.2 }],
  export: 'a',
  gas: [{ start: '2026', value: 1 }],
});

/** @param host address of a simulated monitor */
export function dialogNodes(host: string): FlowNode[] {
  const connection = { ...connectionDefaults, type: 'cemm-connection' };
  const placed = { z: 'flow', x: 200, y: 100, wires: [[], []] };
  const asked = { ...placed, connection: 'connection-local', monitor: '001122334455', alias: 'p1' };
  return [
    { ...connection, id: 'connection-local', host },
    { ...connection, id: 'connection-public', mode: 'public', host, timezone: '' },
    {
      ...connection,
      id: 'connection-remote',
      mode: 'remote',
      deadline: 40,
      shard: '1/2',
      prices: allPrices,
      pricesType: 'json',
    },
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
    { ...balanceDefaults, ...asked, id: 'balance-prices', type: 'cemm-balance', prices: allPrices, pricesType: 'json' },
    { ...balanceDefaults, ...asked, id: 'balance-shared', type: 'cemm-balance', pricesType: 'connection' },
    {
      ...balanceDefaults,
      ...asked,
      id: 'balance-list',
      type: 'cemm-balance',
      prices: listedPrices,
      pricesType: 'json',
    },
    { ...balanceDefaults, ...placed, id: 'balance-messages', type: 'cemm-balance', source: 'messages', span: 'new' },
    { ...balanceDefaults, ...placed, id: 'balance-public', type: 'cemm-balance', connection: 'connection-public' },
    { ...formatDefaults, ...placed, id: 'format', type: 'cemm-format' },
    { ...formatDefaults, ...placed, id: 'format-home-assistant', type: 'cemm-format', format: 'homeassistant' },
    { ...formatDefaults, ...placed, id: 'format-homewizard', type: 'cemm-format', format: 'homewizard' },
  ];
}

/** Resolves when nodes can be dragged and keys work: the palette has this type, and all is loaded. */
export async function openEditor({ page }: Pick<Browser, 'page'>, url: string, type = 'cemm-realtime'): Promise<Page> {
  await page.goto(`${url}/`, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector(paletteNode(type), { state: 'attached' });
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
  return page;
}

/** Resolves when the dialog has stopped moving. */
export async function openDialog(page: Page, { id, type }: Pick<FlowNode, 'id' | 'type'>): Promise<void> {
  await page.evaluate(
    ([nodeId, nodeType]) => {
      const { RED } = window as unknown as EditorWindow;
      if (nodeType === 'cemm-connection') RED.editor.editConfig('', nodeType, nodeId);
      else RED.editor.edit(RED.nodes.node(nodeId));
    },
    [id, type] as const,
  );
  await page.waitForSelector('#node-config-dialog-ok, #node-dialog-ok');
  // The tray slides in, and on a busy machine takes the focus much later.
  await page.waitForFunction(() => {
    const tray = [...document.querySelectorAll('.red-ui-tray')].at(-1);
    return tray?.contains(document.activeElement) === true;
  });
  await page.waitForTimeout(400);
}

export async function cancelDialog(page: Page): Promise<void> {
  await page.click('#node-config-dialog-cancel, #node-dialog-cancel');
  await page.waitForSelector('.red-ui-tray', { state: 'detached' });
}

/** True if the whole element is visible without scrolling. */
export function isInView(page: Page, selector: string): Promise<boolean> {
  return page.locator(selector).evaluate((element) => {
    const { top, bottom, left } = element.getBoundingClientRect();
    return [top + 1, bottom - 1].every((y) => element.contains(document.elementFromPoint(left + 1, y)));
  });
}
