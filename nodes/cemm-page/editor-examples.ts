/** An imported example of the page gets names in the language of the editor, and another path if a page has its own. */
import { watchAddedNodes } from '../lib/editor/added-nodes';
import type { CatalogueText } from '../lib/editor/catalogue';
import { configNodes, freePath, pathOnDashboard } from '../lib/editor/dashboard/place';
import { textFrom } from '../lib/editor/open-form';
import type { AnyNode } from '../lib/editor/red';
import { own } from '../lib/stored/field-rules';

/** Id in the file of the example → key of the name. */
const names: Readonly<Record<string, string>> = {
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

/** Id of a page → id of the comment that names its path. */
const notes: Readonly<Record<string, string>> = {
  'cemm-page-page': 'cemm-page-note',
  'cemm-pushed-page': 'cemm-pushed-note',
};

/** Call once. */
export function watchExamples(text: CatalogueText): void {
  watchAddedNodes((node) => {
    const key = own(names, node.id);
    if (key !== undefined) Object.assign(node, { name: text(key) });
    const note = own(notes, node.id);
    if (note !== undefined) moveFromTaken(node, note, text);
  });
}

/** A dashboard opens only one of two pages with the same path. */
function moveFromTaken(page: AnyNode, note: string, text: CatalogueText): void {
  const path = textFrom(page['path']);
  const taken = configNodes('ui-page').filter(({ id }) => id !== page.id);
  if (!taken.some((other) => other['path'] === path)) return;
  Object.assign(page, { path: freePath(taken) });
  // The nodes on the flow, and the dashboard of the page, are there after the import.
  setTimeout(() => {
    const comment = RED.nodes.node(note);
    const moved = textFrom(page['path']);
    if (comment) Object.assign(comment, { name: textFrom(comment['name']).replace(path, moved), dirty: true });
    RED.view.redraw(false);
    const added = text('form.dashboard.added.page', { path: pathOnDashboard(page) });
    RED.notify($('<span>').text(added), 'success');
  });
}
