/** Names in the language of the editor for the nodes of the imported page examples, as *Add the page* gives them. */
import type { CatalogueText } from '../lib/editor/catalogue';

/** Id in the file of the example → key of the name. */
const keys: Readonly<Record<string, string>> = {
  'cemm-page-page': 'form.dashboard.page',
  'cemm-page-group': 'form.dashboard.group',
  'cemm-page-now': 'example.now',
  'cemm-page-template': 'form.dashboard.template',
  'cemm-pushed-page': 'example.byWebhook',
  'cemm-pushed-group': 'example.byWebhook',
  'cemm-pushed-now': 'example.now',
  'cemm-pushed-template': 'form.dashboard.template',
  'cemm-pushed-problem': 'example.problems',
};

/** Call once. */
export function nameExamples(text: CatalogueText): void {
  let isLoaded = false;
  // Deployed nodes were imported earlier.
  RED.events.on('workspace:clear', () => {
    isLoaded = false;
  });
  RED.events.on('flows:loaded', () => {
    isLoaded = true;
  });
  RED.events.on('nodes:add', (node) => {
    const key = Object.hasOwn(keys, node.id) ? keys[node.id] : undefined;
    if (isLoaded && key !== undefined) Object.assign(node, { name: text(key) });
  });
}
