/** Parts of the editor and of our dialogs, by what does not change with the language. */
import type { Page } from 'playwright-core';

export const editor = {
  canvas: '#red-ui-workspace-chart',
  deploy: '#red-ui-header-button-deploy',
  deployed: '#red-ui-header-button-deploy.disabled',
  done: '#node-dialog-ok',
  add: '#node-config-dialog-ok',
  newConnection: '#node-input-btn-connection-add',
  tray: '.red-ui-tray',
  statusText: '.red-ui-flow-node-status-label',
  importDialog: '.ui-dialog:has(#red-ui-clipboard-dialog)',
  examplesTab: '#red-ui-tab-red-ui-clipboard-dialog-import-tab-examples a',
  examples: '#red-ui-clipboard-dialog-import-tab-examples',
} as const;

export function paletteNode(type: string): string {
  return `.red-ui-palette-node[data-palette-type="${type}"]`;
}

/** A node on the canvas; the first one without a label. */
export function flowNode(label = ''): string {
  return `.red-ui-flow-node-group${label === '' ? '' : `:has(text:text-is("${label}"))`} > .red-ui-flow-node`;
}

/** Settles when nodes can be dragged and keys work. */
export async function openEditor(page: Page, url: string, type = 'cemm-realtime'): Promise<void> {
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  await page.waitForSelector(paletteNode(type), { state: 'attached' });
  await page.waitForSelector('#red-ui-loading-progress', { state: 'hidden' });
}
