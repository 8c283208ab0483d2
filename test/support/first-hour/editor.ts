/** Selectors of the editor and of the dialogs that do not depend on the language. */

export const editor = {
  canvas: '#red-ui-workspace-chart',
  deploy: '#red-ui-header-button-deploy',
  deployed: '#red-ui-header-button-deploy.disabled',
  done: '#node-dialog-ok',
  add: '#node-config-dialog-ok',
  tray: '.red-ui-tray',
  statusText: '.red-ui-flow-node-status-label',
  importDialog: '.ui-dialog:has(#red-ui-clipboard-dialog)',
  importText: '#red-ui-clipboard-dialog-import-text',
  importButton: '#red-ui-clipboard-dialog-ok',
  searchText: '.red-ui-search-container input:visible',
  actionText: '.red-ui-search-container input:visible',
  examplesTab: '#red-ui-tab-red-ui-clipboard-dialog-import-tab-examples a',
  examples: '#red-ui-clipboard-dialog-import-tab-examples',
} as const;

export function paletteNode(type: string): string {
  return `.red-ui-palette-node[data-palette-type="${type}"]`;
}

/** A node on the canvas; without a label, the first one. */
export function flowGroup(label = ''): string {
  return `.red-ui-flow-node-group${label === '' ? '' : `:has(text:text-is("${label}"))`}`;
}

/** The box of the node, without its ports and its status. */
export function flowNode(label = ''): string {
  return `${flowGroup(label)} > .red-ui-flow-node`;
}

export function flowTab(label: string): string {
  return `.red-ui-tab:has-text("${label}") a`;
}

/** The button in front of a field with several types. */
export function typeButton(field: string): string {
  return `#node-input-${field} ~ .red-ui-typedInput-container .red-ui-typedInput-type-select`;
}

export function typeEntry(value: string): string {
  return `.red-ui-typedInput-options:visible a[value="${value}"]`;
}

/** The buttons that add and open a configuration node. */
export function configButtons(property: string): { readonly add: string; readonly edit: string } {
  return { add: `#node-input-btn-${property}-add`, edit: `#node-input-btn-${property}-edit` };
}
